/** Our word against the scheduler's: what we planned for a scenario, and what became of its pods. */

import { Field } from "../../src/cluster/project/field.ts";
import { labelSelector as selectorOf } from "../../src/cluster/project/selectors.ts";
import type { Pod } from "../../src/cluster/snapshot.ts";
import type { NodeVerdict } from "../../src/plan/explain.ts";
import type { PlanEntry } from "../../src/plan/plan.ts";
import { matchesSelector } from "../../src/plan/selectors.ts";
import type { KubeObject } from "../cluster/objects.ts";
import type { Fields } from "./arbitrary.ts";
import { PROBE } from "./probe.ts";
import type { Scenario } from "./scenario.ts";
import type { Place } from "./stage.ts";

export interface Trial {
  scenario: Scenario;
  /** What we say of each of its nodes, and plan, from the snapshot before more was asked for. */
  nodes: NodeVerdict[];
  planned: PlanEntry;
  /** The pods that stood there then. */
  pods: Pod[];
  probes: Place[];
  /** The Deployment's pods before more was asked for, and after the scheduler's last word. */
  before: Place[];
  after: Place[];
  /** Our plan for the Deployment with the replicas that found a node. */
  again: PlanEntry;
}

/** Wrong, whatever the text says. */
export const DISAGREEMENTS = {
  "unusable-node-taken": "a pod bound on a node that we call unusable",
  "usable-node-refused": "a node that we call usable takes no pod, though it is empty",
  "planned-pod-pending": "fewer pods with a node than we planned",
  "more-than-planned": "more pods with a node than we planned, and no rule of ours that says why",
} as const;

/** Where docs/semantics.md says that we are careful. */
export const CAREFUL = {
  "no-candidate": "bound on a node that is no worker, which a toleration does not make one",
  health: "bound on a node that is not healthy, whose taint the pod tolerates or which has none",
  "operating-system": "bound on a node of another operating system than the images'",
  trouble: "an own pod was unschedulable before, so we planned no growth",
  stray:
    "a pod that is not its own matches a spread selector and lifts its domain, and placement looks at own pods alone",
  order: "several topology keys: the order of pods decides how many fit, and we planned the fewest",
} as const;

export type Kind = keyof typeof DISAGREEMENTS | keyof typeof CAREFUL;

export interface Finding {
  kind: Kind;
  /** What we said and what the scheduler did, for a person. */
  detail: string;
}

export function findingsOf(trial: Trial): Finding[] {
  return [...nodeFindings(trial), ...countFindings(trial)];
}

export function isDisagreement({ kind }: Finding): boolean {
  return kind in DISAGREEMENTS;
}

function nodeFindings(trial: Trial): Finding[] {
  const findings = trial.probes.map(({ labels, node, message }): Finding | undefined => {
    const verdict = verdictOn(labels[PROBE], trial);
    if (node !== null) return taken(verdict, trial.scenario);
    // That the node is too small even while empty is a matter of capacity, not of usability.
    if (!verdict.grow || /Insufficient |Too many pods/.test(message)) return undefined;
    return { kind: "usable-node-refused", detail: `${verdict.node} ${verdict.why}; the scheduler: ${message}` };
  });
  const newPods = newlyBound(trial).map(({ node }) => taken(verdictOn(node, trial), trial.scenario));
  const all = [...findings, ...newPods].filter((finding) => finding !== undefined);
  return [...new Map(all.map((finding) => [finding.detail, finding])).values()];
}

/** What it means that a pod was bound on a node; nothing where we call it usable too. */
function taken(verdict: NodeVerdict, { nodes }: Scenario): Finding | undefined {
  const { node, nonCandidate, rejected, grow, why } = verdict;
  if (grow) return undefined;
  const detail = `${node} ${why}; the scheduler bound a pod there`;
  if (nonCandidate !== null) return { kind: "no-candidate", detail };
  if (rejected === null) return { kind: "health", detail };
  const { labels } = nodes.find(({ metadata }) => metadata.name === node)?.metadata ?? {};
  return { kind: labels?.["kubernetes.io/os"] === "linux" ? "unusable-node-taken" : "operating-system", detail };
}

function countFindings(trial: Trial): Finding[] {
  const { planned, before, after, again } = trial;
  const [stood, bound] = [countBound(before), countBound(after)];
  const { target, grow, reasons } = planned;
  const said = `planned ${target} (${[planned.decision, ...reasons].join(", ")}; grow ${grow}) from ${before.length}, of which ${stood} had a node`;
  const found = `of ${after.length} asked for ${bound} found a node`;
  const trouble = stood < before.length;
  // Pods that waited before are none that we planned, as long as no more are planned.
  if (bound < (target ?? 0) && !(trouble && (target ?? 0) <= before.length)) {
    return [{ kind: "planned-pod-pending", detail: `${said}; ${found}` }];
  }
  if (bound > 0 && bound < after.length && (again.target ?? 0) > bound) {
    const detail = `${found}, after which we planned ${again.target} (${[again.decision, ...again.reasons].join(", ")})`;
    return [{ kind: "planned-pod-pending", detail }];
  }
  const isBound = reasons.some((reason) => reason === "placement" || reason === "capacity");
  if (!isBound || bound <= Math.max(grow ?? 0, stood)) return [];
  return [{ kind: whyMore(trial, trouble), detail: `${said}; ${found}` }];
}

function whyMore(trial: Trial, trouble: boolean): Kind {
  if (trouble) return "trouble";
  for (const { node } of trial.after) {
    const kind = node === null ? undefined : taken(verdictOn(node, trial), trial.scenario)?.kind;
    if (kind !== undefined) return kind;
  }
  if (hasStray(trial)) return "stray";
  return topologyKeys(trial.scenario).size > 1 ? "order" : "more-than-planned";
}

/** Keys over which the pods spread or keep each other away. */
function topologyKeys({ deployment }: Scenario): Set<string> {
  const { affinity } = deployment.spec.template.spec;
  const apart = affinity.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return new Set([...hardSpread(deployment), ...apart].map(({ topologyKey }: { topologyKey: string }) => topologyKey));
}

function hardSpread(deployment: KubeObject): Fields[] {
  return deployment.spec.template.spec.topologySpreadConstraints.filter(
    ({ whenUnsatisfiable }: Fields) => whenUnsatisfiable === "DoNotSchedule",
  );
}

/** Whether a pod with a node that is not one of the Deployment's own counts for one of its spread constraints. */
function hasStray({ scenario: { deployment, names }, pods, before }: Trial): boolean {
  const own = new Set(before.map(({ pod }) => pod));
  const others = pods.filter(
    ({ namespace, name, nodeName }) => namespace === names.namespace && !own.has(name) && nodeName !== "",
  );
  const selectors = hardSpread(deployment).map(({ labelSelector }) =>
    selectorOf(Field.root(labelSelector, "topologySpreadConstraints")),
  );
  return selectors.some(
    (selector) => selector !== null && others.some(({ labels }) => matchesSelector(selector, labels)),
  );
}

function newlyBound({ before, after }: Trial): (Place & { node: string })[] {
  const old = new Set(before.filter(({ node }) => node !== null).map(({ pod }) => pod));
  return after.filter((place): place is Place & { node: string } => place.node !== null && !old.has(place.pod));
}

function countBound(places: Place[]): number {
  return places.filter(({ node }) => node !== null).length;
}

function verdictOn(name: string | undefined, { nodes }: Trial): NodeVerdict {
  const verdict = nodes.find(({ node }) => node === name);
  if (verdict === undefined) throw new Error(`a pod is on ${name}, which is no node of its scenario`);
  return verdict;
}
