/** What all workloads of one plan share, decided once: the candidates, their health, and indexes of the snapshot. */
import type { Snapshot } from "../cluster/snapshot.ts";
import type { Policy } from "../config/policy.ts";
import { whyNoCandidate } from "./candidates.ts";
import { createRoom, type Room } from "./capacity.ts";
import { type ClusterIndex, type IndexedNode, indexSnapshot } from "./cluster-index.ts";
import { healthOf } from "./health.ts";
import type { NodeSets } from "./node-sets.ts";
import { indexOwners, type OwnerIndex } from "./owner-index.ts";
import type { HealthState, NonCandidate } from "./plan.ts";
import { isUnhealthyCluster } from "./target.ts";

export interface ClusterView {
  snapshot: Snapshot;
  policy: Policy;
  index: ClusterIndex;
  owners: OwnerIndex;
  room: Room;
  /** By name, like every list of nodes of a plan. */
  candidates: readonly IndexedNode[];
  /** Of every candidate, in their order. */
  health: Map<IndexedNode, HealthState>;
  nonCandidates: Map<IndexedNode, NonCandidate>;
  /** Node sets by the list of eligible nodes that they were made from. */
  nodeSets: Map<readonly IndexedNode[], NodeSets>;
  /** Number of candidates that are unready or lost. */
  gone: number;
  /** So many are gone that nothing shrinks. */
  unhealthy: boolean;
}

export function viewOf(snapshot: Snapshot, policy: Policy): ClusterView {
  const index = indexSnapshot(snapshot, policy);
  const health = new Map<IndexedNode, HealthState>();
  const nonCandidates = new Map<IndexedNode, NonCandidate>();
  const now = Date.parse(snapshot.observedAt);
  let gone = 0;
  for (const node of index.nodes) {
    const why = whyNoCandidate(node, policy.workers);
    if (why !== null) {
      nonCandidates.set(node, why);
      continue;
    }
    const state = healthOf(node, policy.workers, now);
    health.set(node, state);
    if (state === "unready" || state === "lost") gone += 1;
  }
  return {
    snapshot,
    policy,
    index,
    owners: indexOwners(snapshot),
    room: createRoom(index),
    candidates: [...health.keys()],
    health,
    nonCandidates,
    nodeSets: new Map(),
    gone,
    unhealthy: isUnhealthyCluster(gone, health.size, policy.workers),
  };
}
