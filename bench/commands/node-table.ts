import type { Cluster } from "../cluster/cluster.ts";
import type { Taint } from "../cluster/nodes.ts";
import type { KubeObject } from "../cluster/objects.ts";
import { printTable } from "./table.ts";

/** Prints the nodes of a cluster: what a plan looks at, and how many pods run on each. */
export async function printNodes(cluster: Cluster): Promise<void> {
  const [nodes, pods] = await Promise.all([cluster.api.list("/api/v1/nodes"), cluster.api.list("/api/v1/pods")]);
  const onNode = (name: string) => pods.filter(({ spec }) => spec.nodeName === name).length;
  const rows = nodes.map((node) => [
    node.metadata.name,
    "node-role.kubernetes.io/control-plane" in (node.metadata.labels ?? {}) ? "control-plane" : "worker",
    readiness(node),
    node.metadata.labels?.["topology.kubernetes.io/zone"] ?? "",
    String(onNode(node.metadata.name)),
    ((node.spec.taints ?? []) as Taint[]).map(taintText).join(" "),
  ]);
  printTable(["node", "role", "state", "zone", "pods", "taints"], rows);
}

function readiness({ spec, status }: KubeObject): string {
  const conditions = (status.conditions ?? []) as { type: string; status: string }[];
  const ready = conditions.find(({ type }) => type === "Ready")?.status;
  const health = ready === "True" ? "Ready" : ready === "Unknown" ? "Unknown" : "NotReady";
  return spec.unschedulable ? `${health}, cordoned` : health;
}

function taintText({ key, value, effect }: Taint): string {
  return `${key}${value === undefined || value === "" ? "" : `=${value}`}:${effect}`;
}
