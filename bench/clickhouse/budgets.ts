import type { KubeObject } from "../cluster/objects.ts";
import { appName } from "./names.ts";
import type { Pass } from "./pass.ts";
import { FIELD_MANAGER } from "./status.ts";
import type { ClusterObject } from "./types.ts";

/**
 * Keeps the PodDisruptionBudgets of a cluster: one for a Keeper, one for each shard of ClickHouse.
 * Source: templatePodDisruptionBudget of both controllers.
 */
export async function reconcileBudgets({ api, cluster, memory }: Pass): Promise<void> {
  const wanted = budgetsOf(cluster);
  const json = JSON.stringify(wanted);
  if (memory.budgets === json) return;
  for (const budget of wanted) await api.apply(budget, { fieldManager: FIELD_MANAGER });
  const names = new Set(wanted.map(({ metadata }) => metadata.name));
  const path = `/apis/policy/v1/namespaces/${cluster.metadata.namespace}/poddisruptionbudgets`;
  for (const { metadata } of await api.list(`${path}?labelSelector=app%3D${appName(cluster)}`)) {
    if (!names.has(metadata.name)) await api.delete(`${path}/${metadata.name}`);
  }
  memory.budgets = json;
}

function budgetsOf(cluster: ClusterObject): KubeObject[] {
  const { replicas, shards, podDisruptionBudget: own = {} } = cluster.spec;
  if (own.enabled === false) return [];
  const app = appName(cluster);
  const { enabled: _, ...limits } = own;
  const stated = Object.keys(limits).length > 0;
  if (cluster.kind === "KeeperCluster") {
    // One that runs alone gets 0, and so cannot be evicted at all.
    return [budget(cluster, app, { app }, stated ? limits : { maxUnavailable: Math.floor(replicas / 2) })];
  }
  const usual = replicas <= 1 ? { maxUnavailable: 1 } : { minAvailable: 1 };
  return Array.from({ length: shards }, (_each, shard) => {
    const labels = { app, "clickhouse.com/shard-id": String(shard) };
    return budget(cluster, `${app}-${shard}`, labels, stated ? limits : usual);
  });
}

function budget(cluster: ClusterObject, name: string, labels: Record<string, string>, limits: object): KubeObject {
  const { namespace, uid } = cluster.metadata;
  const owner = {
    apiVersion: cluster.apiVersion,
    kind: cluster.kind,
    name: cluster.metadata.name,
    uid,
    controller: true,
  };
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { namespace, name, labels, ownerReferences: [owner] },
    spec: { selector: { matchLabels: labels }, ...limits },
  };
}
