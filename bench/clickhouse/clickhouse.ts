import { objectPath } from "../cluster/objects.ts";
import { API_VERSION } from "./crds.ts";
import type { OperatorEvent } from "./events.ts";
import { type Member, readMembers } from "./members.ts";
import { type MemberId, memberName } from "./names.ts";
import {
  add,
  type MemberState,
  observe,
  type Pass,
  remove,
  rollOne,
  setCommonConditions,
  setRevisions,
  setSize,
} from "./pass.ts";
import { clickHouseRevisions, type Revisions } from "./revisions.ts";
import type { ClusterObject } from "./types.ts";

/**
 * One look at a ClickHouseCluster. Replicas that are missing are made at once, those that are too many removed at once, and
 * those of an older revision updated one by one. Source: sync.go of internal/controller/clickhouse.
 */
export async function reconcileClickHouse(pass: Pass): Promise<void> {
  const { cluster, draft, faults } = pass;
  const keeper = await findKeeper(pass);
  if (!keeper) return setUnknown(pass);
  const to = clickHouseRevisions(cluster, keeper);
  setRevisions(pass, to);
  if (faults.has("stale-conditions")) return;

  const there = observe(pass, await readMembers(pass.api, cluster), to).map((member) => withShard0(pass, member));
  const wanted = replicaIds(cluster);
  const names = new Set(wanted.map((id) => memberName(cluster, id)));
  const missing = wanted.filter((id) => !there.some(({ name }) => name === memberName(cluster, id)));
  const surplus = there.filter(({ name }) => !names.has(name));

  const added = await Promise.all(missing.map((id) => add(pass, id, to)));
  const members = [...there.filter(({ name }) => names.has(name)), ...added];
  if (missing.length === 0) await roll(pass, members, to);
  await Promise.all(surplus.map((member) => remove(pass, member)));
  if (surplus.length > 0) pass.memory.cleanedUpAt = pass.now + pass.delays.cleanup;

  setCommonConditions(pass, members, ({ id }: Member) => `(${id.shard}:${id.index})`);
  setSize(pass, there.length, wanted.length);
  setReady(pass, members);
  setSchema(pass, members);
  if (there.length === wanted.length && members.every(({ upToDate }) => upToDate))
    draft.status.currentRevision = to.update;
}

/** The numbers of all replicas that the spec asks for. */
function replicaIds({ spec }: ClusterObject): MemberId[] {
  return Array.from({ length: spec.shards }, (_, shard) =>
    Array.from({ length: spec.replicas }, (_, index) => ({ shard, index })),
  ).flat();
}

async function findKeeper({ api, cluster }: Pass): Promise<ClusterObject | undefined> {
  const { name, namespace = cluster.metadata.namespace } = cluster.spec.keeperClusterRef;
  const metadata = { name, namespace };
  return await api.find<ClusterObject>(objectPath({ apiVersion: API_VERSION, kind: "KeeperCluster", metadata }));
}

/** Without its Keeper the operator breaks off, and says so of all that it does not know. */
function setUnknown({ draft, cluster }: Pass): void {
  draft.status.observedGeneration = cluster.metadata.generation;
  const known = [
    "ReplicaStartupSucceeded",
    "Healthy",
    "ClusterSizeAligned",
    "ConfigurationInSync",
    "Ready",
    "SchemaInSync",
  ];
  for (const type of known) draft.set(type, "Unknown", "ReconcileStepFailed", "Reconcile returned error");
  draft.set("ReconcileSucceeded", false, "ReconcileStepFailed", "Reconcile returned error");
}

/** A shard 0 that is stuck in silence has an older revision of which the operator does not know. */
function withShard0({ faults }: Pass, member: MemberState): MemberState {
  const silent = faults.has("shard-0-stuck-silently") && member.id.shard === 0;
  return silent ? { ...member, diff: false, upToDate: true } : member;
}

async function roll(pass: Pass, members: MemberState[], to: Revisions): Promise<void> {
  const stuck = pass.faults.has("shard-0-stuck");
  const pinned = stuck ? members.find(({ id, diff }) => id.shard === 0 && diff) : undefined;
  if (pinned) pass.events.push(failedUpdate(pinned.name));
  await rollOne(
    pass,
    members.map((member) => (stuck && member.id.shard === 0 ? { ...member, diff: false } : member)),
    to,
  );
}

/** What the API server says to a change of a field that a StatefulSet keeps for life. */
function failedUpdate(name: string): OperatorEvent {
  return {
    type: "Warning",
    reason: "FailedUpdate",
    action: "Reconciling",
    note: `Update StatefulSet ${name} failed: StatefulSet.apps "${name}" is invalid: spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden`,
  };
}

/** A shard is ready as long as one of its replicas is. */
function setReady({ draft, cluster }: Pass, members: MemberState[]): void {
  const ready = new Set(members.filter((member) => member.ready).map(({ id }) => id.shard));
  const shards = Array.from({ length: cluster.spec.shards }, (_, shard) => shard).filter((shard) => !ready.has(shard));
  if (shards.length === 0) draft.set("Ready", true, "AllShardsReady", "All shards are ready");
  else draft.set("Ready", false, "SomeShardsNotReady", `Not Ready shards: [${shards.join(" ")}]`);
}

/** Databases on new replicas first, then what is known of removed ones. Where no replica is ready, nothing is in sync. */
function setSchema({ draft, cluster, delays, faults, memory, now }: Pass, members: MemberState[]): void {
  const ready = members.filter((member) => member.ready);
  const created = ready.every(({ name }) => now - (memory.joinedAt.get(name) ?? now) >= delays.schema);
  if (!cluster.spec.settings.enableDatabaseSync)
    draft.set("SchemaInSync", true, "SchemaSyncDisabled", "Database schema sync is disabled");
  else if (ready.length === 0 || !created || faults.has("databases-not-created"))
    draft.set("SchemaInSync", false, "DatabasesNotCreated", "Some databases are not created on all replicas");
  else if (now < memory.cleanedUpAt || faults.has("cleanup-hangs"))
    draft.set("SchemaInSync", false, "ReplicasNotCleanedUp", "Some stale replicas are not cleaned up");
  else draft.set("SchemaInSync", true, "ReplicasInSync", "Databases are sync on all replicas");
}
