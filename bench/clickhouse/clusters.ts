import type { KubeApi } from "../cluster/api.ts";
import { type KubeObject, objectPath } from "../cluster/objects.ts";
import { waitFor } from "../cluster/wait.ts";
import { API_VERSION } from "./crds.ts";
import { isDone } from "./done.ts";
import type { ClusterObject, ClusterRef, Condition } from "./types.ts";

/** The namespace of the clusters below, where none is said. */
const NAMESPACE = "dev";

/** Names a KeeperCluster. */
export function keeperRef(name: string, namespace = NAMESPACE): ClusterRef {
  return { kind: "KeeperCluster", namespace, name };
}

/** Names a ClickHouseCluster. */
export function clickHouseRef(name: string, namespace = NAMESPACE): ClusterRef {
  return { kind: "ClickHouseCluster", namespace, name };
}

/** A custom resource as a person would write it; `spec` as given. */
export function clusterObject({ kind, name, namespace }: ClusterRef, spec: object): KubeObject {
  return { apiVersion: API_VERSION, kind, metadata: { name, namespace }, spec };
}

/** Creates a cluster and its namespace, and waits until the operator says that it is done. */
export async function createCluster(api: KubeApi, ref: ClusterRef, spec: object): Promise<ClusterObject> {
  await api.ensure({ apiVersion: "v1", kind: "Namespace", metadata: { name: ref.namespace } });
  await api.create(clusterObject(ref, spec));
  return await waitUntilDone(api, ref);
}

/** The custom resource as the API server holds it. */
export async function readCluster(api: KubeApi, ref: ClusterRef): Promise<ClusterObject> {
  return await api.get<ClusterObject>(clusterPath(ref));
}

/** Changes fields of the spec with a merge patch, as `kubectl patch` does. */
export async function patchCluster(api: KubeApi, ref: ClusterRef, spec: object): Promise<ClusterObject> {
  return await api.patch<ClusterObject>(clusterPath(ref), { spec });
}

/** Waits until the operator has done what the present spec says, and gives the custom resource. */
export async function waitUntilDone(api: KubeApi, ref: ClusterRef, timeout = 30_000): Promise<ClusterObject> {
  const done = async () => {
    const cluster = await readCluster(api, ref);
    return isDone(cluster) ? cluster : undefined;
  };
  return await waitFor(done, { what: `${ref.kind} ${ref.name} to be done`, timeout, interval: 50 });
}

/** Waits until a condition has that reason for the present generation, and gives the condition. */
export async function waitForReason(api: KubeApi, ref: ClusterRef, type: string, reason: string): Promise<Condition> {
  const found = async () => {
    const cluster = await readCluster(api, ref);
    const condition = conditionOf(cluster, type);
    const present = condition?.observedGeneration === cluster.metadata.generation;
    return present && condition.reason === reason ? condition : undefined;
  };
  return await waitFor(found, { what: `${type}=${reason} of ${ref.kind} ${ref.name}`, interval: 50 });
}

/** A condition of a cluster by its type. */
export function conditionOf(cluster: ClusterObject, type: string): Condition | undefined {
  return cluster.status?.conditions?.find((condition) => condition.type === type);
}

/** The names of the StatefulSets of a cluster, sorted. */
export async function memberNames(api: KubeApi, { kind, namespace, name }: ClusterRef): Promise<string[]> {
  const app = `${name}-${kind === "KeeperCluster" ? "keeper" : "clickhouse"}`;
  const items = await api.list(`/apis/apps/v1/namespaces/${namespace}/statefulsets?labelSelector=app%3D${app}`);
  return items.map(({ metadata }) => metadata.name).sort();
}

function clusterPath({ kind, namespace, name }: ClusterRef): string {
  return objectPath({ apiVersion: API_VERSION, kind, metadata: { namespace, name } });
}
