/**
 * Whether the operator has finished the last change of a cluster. docs/semantics.md, "ClickHouse and Keeper".
 *
 * Right after a patch every condition is still that of the spec before, and with no replica some are true of nothing. So what
 * counts is named, one by one, and only where it is said of the present generation.
 */
import type { ClickHouseCluster, Condition, KeeperCluster } from "../cluster/snapshot.ts";

/** Something that is still to come. */
export type Unfinished =
  /** The operator has not looked at the last change yet. */
  | { what: "generation" }
  /** The last change of the spec is not what runs. */
  | { what: "revision" }
  /** Not all members or replicas are ready. */
  | { what: "replicas"; ready: number; wanted: number }
  /** `stale`: said of an earlier generation, or of none; `condition` is null where the status has none of the type. */
  | { what: "condition"; type: string; condition: Condition | null; stale: boolean };

/** What has to be true of a condition. */
interface Wanted {
  type: string;
  /** `True` unless the reason alone is enough. */
  isMet: (condition: Condition) => boolean;
}

const because =
  (...reasons: string[]) =>
  ({ status, reason }: Condition) =>
    status === "True" && reasons.includes(reason);

const SIZE: Wanted = { type: "ClusterSizeAligned", isMet: because("UpToDate") };

const OF_KEEPER: Wanted[] = [
  SIZE,
  { type: "Ready", isMet: ({ status }) => status === "True" },
  { type: "ScaleAllowed", isMet: because("ReadyToScale") },
];

const OF_CLICKHOUSE: Wanted[] = [
  SIZE,
  { type: "Ready", isMet: because("AllShardsReady") },
  // Switched off, it has nothing to say; and says so with whatever status.
  {
    type: "SchemaInSync",
    isMet: (condition) => because("ReplicasInSync")(condition) || condition.reason === "SchemaSyncDisabled",
  },
];

/** What is missing until a Keeper is whole and may be scaled; nothing: it is done. */
export function unfinishedOfKeeper(keeper: KeeperCluster): Unfinished[] {
  return unfinished(keeper, keeper.replicas, OF_KEEPER);
}

/** What is missing until every replica of a ClickHouse cluster serves the present spec; nothing: it is done. */
export function unfinishedOfClickHouse(cluster: ClickHouseCluster): Unfinished[] {
  return unfinished(cluster, cluster.replicas * cluster.shards, OF_CLICKHOUSE);
}

function unfinished({ generation, status }: KeeperCluster, replicas: number, wanted: readonly Wanted[]): Unfinished[] {
  const missing: Unfinished[] = [];
  if (status.observedGeneration !== generation) missing.push({ what: "generation" });
  if (status.currentRevision !== status.updateRevision) missing.push({ what: "revision" });
  if (status.readyReplicas !== replicas) {
    missing.push({ what: "replicas", ready: status.readyReplicas, wanted: replicas });
  }
  for (const { type, isMet } of wanted) {
    const condition = status.conditions.find((candidate) => candidate.type === type) ?? null;
    const stale = condition !== null && condition.observedGeneration !== generation;
    if (condition === null || stale || !isMet(condition)) missing.push({ what: "condition", type, condition, stale });
  }
  return missing;
}

/** A clause for a person, with the operator's own reason and message. */
export function unfinishedClause(missing: Unfinished): string {
  switch (missing.what) {
    case "generation":
      return "the operator has not looked at the last change yet";
    case "revision":
      return "the last change is not what runs yet";
    case "replicas":
      return `${missing.ready} of ${missing.wanted} are ready`;
    case "condition":
      return conditionClause(missing);
  }
}

/** `SchemaInSync: DatabasesNotCreated (Some databases are not created on all replicas)`. */
function conditionClause({ type, condition, stale }: Extract<Unfinished, { what: "condition" }>): string {
  if (condition === null) return `${type} is not reported`;
  if (stale) return `${type} is still that of an earlier generation`;
  const { reason, status, message } = condition;
  return `${type}: ${reason === "" ? status : reason}${message === "" ? "" : ` (${message})`}`;
}
