/** Node by node, why a workload counts it or not. */
import type { Snapshot } from "../cluster/snapshot.ts";
import type { Policy, WorkersPolicy } from "../config/policy.ts";
import { admit } from "./admitted-pod.ts";
import { rejects } from "./eligibility.ts";
import { mayGrow, mayKeep } from "./node-sets.ts";
import type { HealthState, NonCandidate } from "./plan.ts";
import { NON_CANDIDATES, STATES } from "./sentences.ts";
import { viewOf } from "./view.ts";

/** What a node is to one workload. */
export interface NodeVerdict {
  node: string;
  /** Why it is no candidate for any workload; null for a candidate. */
  nonCandidate: NonCandidate | null;
  /** Null for what is no candidate. */
  health: HealthState | null;
  /** Why the pods can't use it, as a clause that its name comes before; null where they can, and for no candidate. */
  rejected: string | null;
  /** Whether it may take a new replica now (it is in G). */
  grow: boolean;
  /** Whether it may hold a replica that runs (it is in K). */
  keep: boolean;
  /** Why, as a clause that its name comes before. */
  why: string;
}

/**
 * The verdict on every node of the cluster, by name.
 *
 * @param workload `namespace/name` of an entry of the policy
 * @throws Error where the policy lists no such workload, or the cluster has no such Deployment
 */
export function explain(snapshot: Snapshot, policy: Policy, workload: string): NodeVerdict[] {
  const entry = policy.workloads.find(({ namespace, name }) => `${namespace}/${name}` === workload);
  if (entry === undefined) {
    const listed = policy.workloads.map(({ namespace, name }) => `${namespace}/${name}`).join(", ");
    throw new Error(`The policy lists no workload ${workload}; it lists ${listed === "" ? "none" : listed}`);
  }
  const view = viewOf(snapshot, policy);
  const deployment = view.owners.deployments.get(workload);
  if (entry.kind !== "Deployment") {
    throw new Error(`${workload} is a ${entry.kind}: only a Deployment's nodes can be explained`);
  }
  if (deployment === undefined) throw new Error(`There is no Deployment ${workload} in the cluster`);
  const pod = admit(deployment, entry, view.index);
  return view.index.nodes.map((node) => {
    const health = view.health.get(node);
    return health === undefined
      ? outside(node.name, view.nonCandidates.get(node) ?? "excluded")
      : verdictOn(node.name, health, rejects(pod, node, view.index), policy.workers);
  });
}

function outside(node: string, nonCandidate: NonCandidate): NodeVerdict {
  const why = `is no worker: ${NON_CANDIDATES[nonCandidate]}`;
  return { node, nonCandidate, health: null, rejected: null, grow: false, keep: false, why };
}

function verdictOn(node: string, health: HealthState, rejected: string | null, workers: WorkersPolicy): NodeVerdict {
  const grow = rejected === null && mayGrow(health);
  const keep = rejected === null && mayKeep(health, workers);
  return { node, nonCandidate: null, health, rejected, grow, keep, why: whyOf(health, rejected, grow, keep) };
}

function whyOf(health: HealthState, rejected: string | null, grow: boolean, keep: boolean): string {
  if (rejected !== null) return `can't be used: ${rejected}`;
  if (grow) return "may take new replicas";
  return `${STATES[health][0]}: it ${keep ? "takes no new replica and keeps those that run" : "holds no replica"}`;
}
