import type { KubeObject } from "../cluster/objects.ts";

export type ClusterKind = "KeeperCluster" | "ClickHouseCluster";

/** Which custom resource is meant. */
export interface ClusterRef {
  kind: ClusterKind;
  namespace: string;
  name: string;
}

/** A condition as the operator writes it. */
export interface Condition {
  type: string;
  status: "True" | "False" | "Unknown";
  reason: string;
  message: string;
  observedGeneration: number;
  lastTransitionTime: string;
}

/** What the operator writes about a cluster. There is no `replicas` in it. */
export interface ClusterStatus {
  conditions: Condition[];
  /** Members that answer; of all shards together. */
  readyReplicas: number;
  observedGeneration?: number;
  /** The revision of the spec that all members have; stays behind `updateRevision` while a change is on its way. */
  currentRevision?: string;
  updateRevision?: string;
  configurationRevision?: string;
  statefulSetRevision?: string;
  version?: string;
}

/** How slow the simulated operator is, in milliseconds. The real one looks once a second and waits for probes. */
export interface Delays {
  /** Between two looks at the cluster. */
  poll: number;
  /** Until a change of the spec is noticed: so long the status stays that of the old generation. */
  notice: number;
  /** From one change of a quorum's membership to the next, at least. */
  step: number;
  /** From a Ready pod to a member that answers; members that start together join one after another. */
  join: number;
  /** Until a removed Keeper member has left the quorum. */
  leave: number;
  /** From a new ClickHouse replica that answers to its databases. */
  schema: number;
  /** From the removal of a ClickHouse replica to the removal of what the others know of it. */
  cleanup: number;
}

/**
 * What can go wrong, injected from outside and lasting until it is healed.
 *
 * - `follower-lag` (Keeper): the leader counts fewer followers than members; all pods are green. ScaleAllowed=WaitingFollowers.
 * - `lost-quorum` (Keeper): no member calls itself a leader, so none counts as ready. ScaleAllowed=NoQuorum, Ready=NoLeader.
 * - `replica-not-ready`: the member with the highest number does not answer the operator, though its pod is green.
 *   Keeper: ScaleAllowed=ReplicaNotReady; both: Healthy=ReplicasNotReady and a `readyReplicas` that is one short.
 * - `pending-changes`: the same member has not got its newest revision, and does not get it. Keeper:
 *   ScaleAllowed=ReplicaHasPendingChanges; both: ConfigurationInSync=ConfigurationChanged.
 * - `stale-status`: the operator is away: nothing moves, and no field of the status changes, also after a patch.
 * - `stale-conditions`: the operator has noticed the new generation, at the top of the status and nowhere else: every condition
 *   is the one of the generation before.
 * - `databases-not-created` (ClickHouse): SchemaInSync=DatabasesNotCreated for good.
 * - `cleanup-hangs` (ClickHouse): what the replicas know of removed ones stays: SchemaInSync=ReplicasNotCleanedUp for good.
 * - `shard-0-stuck` (ClickHouse): the StatefulSets of shard 0 keep the revision they have; deleting one makes it anew as it should
 *   be. ConfigurationInSync=ConfigurationChanged, and `currentRevision` stays behind.
 * - `shard-0-stuck-silently` (ClickHouse): the same, and the status says that all is done: only the annotations
 *   `checksum/spec` and `checksum/configuration` of those StatefulSets tell.
 */
export type FaultType =
  | "follower-lag"
  | "lost-quorum"
  | "replica-not-ready"
  | "pending-changes"
  | "stale-status"
  | "stale-conditions"
  | "databases-not-created"
  | "cleanup-hangs"
  | "shard-0-stuck"
  | "shard-0-stuck-silently";

export interface Fault {
  type: FaultType;
  on: ClusterRef;
}

/** What the operator saw or did, in order. */
export interface JournalEntry {
  /** Milliseconds since 1970. */
  at: number;
  on: ClusterRef;
  /**
   * `spec`: a new generation was seen. `created`, `joined`, `updated`, `removed`: a member, by the name of its StatefulSet.
   * `done`: the status of this generation says so for the first time.
   */
  event: "spec" | "created" | "joined" | "updated" | "removed" | "done";
  generation: number;
  member?: string;
  /** With `spec`: the counts that it asks for. */
  replicas?: number;
  shards?: number;
  /** With `spec`: whether the status that the API server held then said that the change before was done. */
  settled?: boolean;
  /** With `spec`: the reasons of that status, by type of condition. */
  reasons?: Record<string, string>;
}

/** A simulated operator that runs in this process until it is stopped. */
export interface SimulatedOperator {
  /** Everything since the start, oldest first. */
  readonly journal: readonly JournalEntry[];
  inject(fault: Fault): void;
  /** Ends one fault, or all of them. */
  heal(fault?: Fault): void;
  /** Ends the loop; rejects with the error that ended it before, if one did. What it has made stays. */
  stop(): Promise<void>;
}

/** A custom resource of either kind. */
export type ClusterObject = KubeObject & {
  kind: ClusterKind;
  metadata: { name: string; namespace: string; uid: string; generation: number };
  status?: ClusterStatus;
};
