import type { ClusterKind, ClusterObject } from "./types.ts";

/** The bench's own reading of a status; the product has another one, and is judged by this. */
const doneReasons: Record<ClusterKind, Record<string, string[]>> = {
  KeeperCluster: {
    ClusterSizeAligned: ["UpToDate"],
    ConfigurationInSync: ["UpToDate"],
    Ready: ["ClusterReady", "StandaloneReady"],
    ScaleAllowed: ["ReadyToScale"],
  },
  ClickHouseCluster: {
    ClusterSizeAligned: ["UpToDate"],
    ConfigurationInSync: ["UpToDate"],
    Ready: ["AllShardsReady"],
    SchemaInSync: ["ReplicasInSync", "SchemaSyncDisabled"],
  },
};

/** Whether the status says that the present spec is done. */
export function isDone(cluster: ClusterObject): boolean {
  const { metadata, spec, status } = cluster;
  return (
    status?.observedGeneration === metadata.generation &&
    status.readyReplicas === spec.replicas * (spec.shards ?? 1) &&
    isSettled(cluster)
  );
}

/** Whether the status says that the spec it has observed, maybe not the present one, is done. */
export function isSettled({ kind, status }: ClusterObject): boolean {
  if (!status || status.currentRevision !== status.updateRevision) return false;
  return Object.entries(doneReasons[kind]).every(([type, allowed]) =>
    status.conditions.some(
      (condition) =>
        condition.type === type &&
        condition.observedGeneration === status.observedGeneration &&
        allowed.includes(condition.reason),
    ),
  );
}
