/** G and K of one workload: the nodes for new replicas and for those that run. docs/semantics.md, "Words" and "Health". */
import type { WorkersPolicy } from "../config/policy.ts";
import type { AdmittedPod } from "./admitted-pod.ts";
import { isHard } from "./candidates.ts";
import type { IndexedNode } from "./cluster-index.ts";
import { eligibleNodes } from "./eligibility.ts";
import { isHealthTaint } from "./health.ts";
import { HEALTH_STATES, type HealthState } from "./plan.ts";
import type { ClusterView } from "./view.ts";

/** A state that keeps replicas and takes no new one. */
export type NotReadyState = Exclude<HealthState, "ready" | "lost">;

export interface NodeSets {
  /** G: nodes that may take a new replica now. */
  grow: IndexedNode[];
  /** K: nodes on which a replica that runs may go on serving. G is a subset of it. */
  keep: IndexedNode[];
  /** Names of the nodes of K in every state other than ready that there is, in the order of HEALTH_STATES. */
  notReady: Map<NotReadyState, string[]>;
  /** Names of the nodes of K whose hard taints, those of health aside, the pod tolerates. */
  tolerated: string[];
}

/** Whether a node in this state may take a new replica. */
export function mayGrow(state: HealthState): boolean {
  return state === "ready";
}

/** Whether a node in this state may hold a replica that runs; in strict mode as for a new one. */
export function mayKeep(state: HealthState, workers: WorkersPolicy): boolean {
  return workers.strict ? mayGrow(state) : state !== "lost";
}

/** The node sets of a pod; pods that may use the same nodes share them. */
export function nodeSetsOf(pod: AdmittedPod, view: ClusterView): NodeSets {
  const eligible = eligibleNodes(pod, view.candidates, view.index);
  const known = view.nodeSets.get(eligible);
  if (known !== undefined) return known;
  const sets = split(eligible, view);
  view.nodeSets.set(eligible, sets);
  return sets;
}

function split(eligible: readonly IndexedNode[], view: ClusterView): NodeSets {
  const { workers } = view.policy;
  const states = eligible.map((node) => view.health.get(node) ?? "lost");
  const inState = (is: (state: HealthState) => boolean) => eligible.filter((_, at) => is(states[at] ?? "lost"));
  const keep = inState((state) => mayKeep(state, workers));
  const notReady: NodeSets["notReady"] = new Map();
  for (const state of HEALTH_STATES) {
    if (state === "ready" || state === "lost" || !mayKeep(state, workers)) continue;
    const nodes = inState((other) => other === state);
    if (nodes.length > 0) notReady.set(state, namesOf(nodes));
  }
  const isTainted = (node: IndexedNode) => node.taints.some((taint) => isHard(taint) && !isHealthTaint(taint, workers));
  return { grow: inState(mayGrow), keep, notReady, tolerated: namesOf(keep.filter(isTainted)) };
}

function namesOf(nodes: readonly IndexedNode[]): string[] {
  return nodes.map((node) => node.name);
}
