import type { KubeApi } from "../cluster/api.ts";
import type { ClusterObject, ClusterStatus } from "./types.ts";

/** An event about a cluster. Source of the reasons and actions: api/v1alpha1/events.go. */
export interface OperatorEvent {
  type: "Normal" | "Warning";
  reason: string;
  action: string;
  note: string;
}

/** The events that the operator sends when conditions change. Of a Keeper it tells more. */
export function eventsOfChange(kind: string, before: ClusterStatus | undefined, after: ClusterStatus): OperatorEvent[] {
  const changed = (type: string) => {
    const find = (status?: ClusterStatus) => status?.conditions?.find((condition) => condition.type === type);
    const [old, now] = [find(before), find(after)];
    return now && (now.status !== old?.status || now.reason !== old?.reason) ? now : undefined;
  };
  const events: OperatorEvent[] = [];
  const size = kind === "KeeperCluster" && before ? changed("ClusterSizeAligned") : undefined;
  if (size?.status === "True")
    events.push({ type: "Normal", reason: "HorizontalScaleCompleted", action: "Scaling", note: "Cluster is scaled" });
  else if (size)
    events.push({ type: "Normal", reason: "HorizontalScaleStarted", action: "Scaling", note: size.message });
  const scale = changed("ScaleAllowed");
  if (scale?.status === "False")
    events.push({ type: "Warning", reason: "HorizontalScaleBlocked", action: "Scaling", note: scale.message });
  const ready = changed("Ready");
  if (ready?.status === "True")
    events.push({ type: "Normal", reason: "ClusterReady", action: "BecameReady", note: ready.message });
  else if (ready)
    events.push({ type: "Warning", reason: "ClusterNotReady", action: "BecameNotReady", note: ready.message });
  return events;
}

/** Publishes an event about a cluster, by the API that the operator uses; the core API shows it too. */
export async function publish(api: KubeApi, cluster: ClusterObject, event: OperatorEvent): Promise<void> {
  const { apiVersion, kind, metadata } = cluster;
  const { namespace, name, uid } = metadata;
  await api.create({
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: { namespace, name: `${name}.${process.hrtime.bigint().toString(16)}` },
    eventTime: new Date().toISOString().replace("Z", "000Z"),
    reportingController: "clickhouse-operator",
    reportingInstance: "bench",
    regarding: { apiVersion, kind, namespace, name, uid },
    ...event,
  });
}
