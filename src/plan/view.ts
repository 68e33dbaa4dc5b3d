/** What all workloads of one plan share, decided once: the candidates, their health, and indexes of the snapshot. */
import type { Node, Snapshot } from "../cluster/snapshot.ts";
import type { Policy, WorkersPolicy } from "../config/policy.ts";
import { isHard, whyNoCandidate } from "./candidates.ts";
import { createRoom, type Room } from "./capacity.ts";
import { type ClusterIndex, type IndexedNode, indexSnapshot } from "./cluster-index.ts";
import { healthOf, isHealthTaint } from "./health.ts";
import type { NodeSets } from "./node-sets.ts";
import { indexOwners, type OwnerIndex } from "./owner-index.ts";
import type { HealthState, NonCandidate } from "./plan.ts";
import { isUnhealthyCluster } from "./target.ts";

/** What a node is to every workload alike. */
export interface NodeStatus {
  /** Why it is no candidate; null for a candidate. */
  nonCandidate: NonCandidate | null;
  /** Null for what is no candidate. */
  health: HealthState | null;
  /** It has a hard taint, those of health aside. */
  tainted: boolean;
}

export interface ClusterView {
  snapshot: Snapshot;
  policy: Policy;
  index: ClusterIndex;
  owners: OwnerIndex;
  room: Room;
  /** By name, like every list of nodes of a plan. */
  candidates: readonly IndexedNode[];
  /** Of every node, by its position. */
  statuses: readonly NodeStatus[];
  /** Node sets by the list of eligible nodes that they were made from. */
  nodeSets: Map<readonly IndexedNode[], NodeSets>;
  /** Number of candidates that are unready or lost. */
  gone: number;
  /** So many are gone that nothing shrinks. */
  unhealthy: boolean;
}

export function viewOf(snapshot: Snapshot, policy: Policy): ClusterView {
  const index = indexSnapshot(snapshot, policy);
  const now = Date.parse(snapshot.observedAt);
  const statuses = index.nodes.map((node) => statusOf(node, policy.workers, now));
  const candidates = index.nodes.filter((_, position) => statuses[position]?.nonCandidate === null);
  const gone = statuses.filter(({ health }) => health === "unready" || health === "lost").length;
  return {
    snapshot,
    policy,
    index,
    owners: indexOwners(snapshot),
    room: createRoom(index),
    candidates,
    statuses,
    nodeSets: new Map(),
    gone,
    unhealthy: isUnhealthyCluster(gone, candidates.length, policy.workers),
  };
}

function statusOf(node: Node, workers: WorkersPolicy, now: number): NodeStatus {
  const nonCandidate = whyNoCandidate(node, workers);
  return {
    nonCandidate,
    health: nonCandidate === null ? healthOf(node, workers, now) : null,
    tainted: node.taints.some((taint) => isHard(taint) && !isHealthTaint(taint, workers)),
  };
}
