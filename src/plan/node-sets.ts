/** G and K of one workload: the nodes for new replicas and for those that run. docs/semantics.md, "Words" and "Health". */
import type { WorkersPolicy } from "../config/policy.ts";
import type { AdmittedPod } from "./admitted-pod.ts";
import type { IndexedNode } from "./cluster-index.ts";
import { eligibleNodes } from "./eligibility.ts";
import { getOrAdd } from "./get-or-add.ts";
import { HEALTH_STATES, type HealthState } from "./plan.ts";
import type { ClusterView } from "./view.ts";

/** A state that keeps replicas and takes no new one. */
export type NotReadyState = Exclude<HealthState, "ready" | "lost">;

export interface NodeSets {
  /** G: nodes that may take a new replica now. */
  grow: IndexedNode[];
  /** K: nodes on which a replica that runs may go on serving. G is a subset of it. */
  keep: IndexedNode[];
  /** Nodes that the pods can use and that are settling: not in G, and yet the scheduler takes them like any Ready node. */
  settling: IndexedNode[];
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

/** One pass: with thousands of nodes and of workloads, this is most of what a plan does. */
function split(eligible: readonly IndexedNode[], view: ClusterView): NodeSets {
  const { workers } = view.policy;
  const grow: IndexedNode[] = [];
  const keep: IndexedNode[] = [];
  const settling: IndexedNode[] = [];
  const tolerated: string[] = [];
  const byState = new Map<HealthState, string[]>();
  for (const node of eligible) {
    const { health = null, tainted = false } = view.statuses[node.position] ?? {};
    if (health === "settling") settling.push(node);
    if (health === null || !mayKeep(health, workers)) continue;
    keep.push(node);
    if (mayGrow(health)) grow.push(node);
    else getOrAdd(byState, health, () => []).push(node.name);
    if (tainted) tolerated.push(node.name);
  }
  const notReady = HEALTH_STATES.filter((state) => state !== "ready" && state !== "lost").flatMap((state) => {
    const names = byState.get(state);
    return names === undefined ? [] : [[state, names] as const];
  });
  // Of equal sets there is one list, for which placement is played through once.
  return { grow: grow.length === keep.length ? keep : grow, keep, settling, notReady: new Map(notReady), tolerated };
}
