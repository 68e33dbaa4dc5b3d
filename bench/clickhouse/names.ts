import type { ClusterObject } from "./types.ts";

/** The annotations in which the operator keeps a member's revisions. Source: internal/controllerutil/annotations.go. */
export const SPEC_HASH = "checksum/spec";
export const CONFIGURATION_HASH = "checksum/configuration";

/** A member's number: of a Keeper its id, of ClickHouse its shard and its index in that. */
export interface MemberId {
  shard: number;
  index: number;
}

/** `<name>-keeper` or `<name>-clickhouse`: the label `app` and the first part of all names (SpecificName). */
export function appName({ kind, metadata }: ClusterObject): string {
  return `${metadata.name}-${kind === "KeeperCluster" ? "keeper" : "clickhouse"}`;
}

/** The names of StatefulSetNameByReplicaID: `<name>-keeper-<id>`, `<name>-clickhouse-<shard>-<index>`. */
export function memberName(cluster: ClusterObject, { shard, index }: MemberId): string {
  return cluster.kind === "KeeperCluster" ? `${appName(cluster)}-${index}` : `${appName(cluster)}-${shard}-${index}`;
}

/** The labels by which the operator finds a member again. Source: internal/controllerutil/labels.go. */
export function memberLabels(cluster: ClusterObject, { shard, index }: MemberId): Record<string, string> {
  const id: Record<string, string> =
    cluster.kind === "KeeperCluster"
      ? { "clickhouse.com/keeper-replica-id": String(index) }
      : { "clickhouse.com/shard-id": String(shard), "clickhouse.com/replica-id": String(index) };
  return { app: appName(cluster), ...id };
}

/** What beside the number is on a member and its pod. */
export function roleLabels(cluster: ClusterObject): Record<string, string> {
  const role = cluster.kind === "KeeperCluster" ? "clickhouse-keeper" : "clickhouse-server";
  return {
    "clickhouse.com/role": role,
    "app.kubernetes.io/name": role,
    "app.kubernetes.io/instance": appName(cluster),
  };
}
