/** Node by node, why a workload counts it or not. */
import type { Snapshot } from "../cluster/snapshot.ts";
import type { Policy } from "../config/policy.ts";
import { admit } from "./admitted-pod.ts";
import { rejects } from "./eligibility.ts";
import { mayGrow, mayKeep } from "./node-sets.ts";
import { keyOf } from "./owner-index.ts";
import type { HealthState, NonCandidate } from "./plan.ts";
import { asWorkload } from "./queue.ts";
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
 * @param workload `namespace/name` of an entry of the policy, or of a queue's worker
 * @throws Error where the policy lists no such workload, or the cluster has no such Deployment
 */
export function explain(snapshot: Snapshot, policy: Policy, workload: string): NodeVerdict[] {
  const entries = [...policy.workloads, ...policy.queues.map(asWorkload)];
  const entry = entries.find((each) => keyOf(each) === workload);
  if (entry === undefined) {
    const listed = entries.map(keyOf).join(", ");
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
    const { nonCandidate = null, health = null } = view.statuses[node.position] ?? {};
    const rejected = nonCandidate === null ? rejects(pod, node, view.index) : null;
    const usable = health !== null && rejected === null;
    const grow = usable && mayGrow(health);
    const keep = usable && mayKeep(health, policy.workers);
    const verdict = { node: node.name, nonCandidate, health, rejected, grow, keep };
    return { ...verdict, why: whyOf(verdict) };
  });
}

function whyOf({ nonCandidate, health, rejected, grow, keep }: Omit<NodeVerdict, "why">): string {
  if (nonCandidate !== null) return `is no worker: ${NON_CANDIDATES[nonCandidate]}`;
  if (rejected !== null) return `can't be used: ${rejected}`;
  if (grow) return "may take new replicas";
  return `${STATES[health ?? "lost"][0]}: it ${keep ? "takes no new replica and keeps those that run" : "holds no replica"}`;
}
