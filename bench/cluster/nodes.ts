import { ApiError } from "./api.ts";
import type { Cluster } from "./cluster.ts";
import { condition, MANAGED, type NodeOptions, nodeObject, type Taint } from "./node-object.ts";
import { type KubeObject, objectPath } from "./objects.ts";
import { waitFor } from "./wait.ts";

export type { NodeOptions, Taint };

/** How often a change is tried again when a controller was faster. */
const CONFLICTS = 5;

/** Adds nodes that are Ready from the start, as a kubelet registers one that has come back. */
export async function addNodes(cluster: Cluster, nodes: NodeOptions[]): Promise<void> {
  await Promise.all(nodes.map((node) => cluster.api.create(nodeObject(node))));
  // The controller taints every node that it has not seen Ready yet, and takes the taint off a moment later.
  await Promise.all(nodes.map(({ name }) => untainted(cluster, name)));
}

/** Names for `count` more workers that no node of the cluster has: worker-1, worker-2, … */
export async function freeNodeNames(cluster: Cluster, count: number, prefix = "worker"): Promise<string[]> {
  const taken = new Set((await cluster.api.list("/api/v1/nodes")).map(({ metadata }) => metadata.name));
  const names: string[] = [];
  for (let number = 1; names.length < count; number += 1) {
    if (!taken.has(`${prefix}-${number}`)) names.push(`${prefix}-${number}`);
  }
  return names;
}

/** Deletes a node and the pods on it, which the garbage collector would do about a minute later. */
export async function removeNode(cluster: Cluster, name: string): Promise<void> {
  await cluster.api.delete(nodePath(name));
  const pods = await cluster.api.list(`/api/v1/pods?fieldSelector=spec.nodeName=${name}`);
  const now = { gracePeriodSeconds: 0 };
  await Promise.all(pods.map((pod) => cluster.api.delete(objectPath({ ...pod, apiVersion: "v1", kind: "Pod" }), now)));
}

/** Marks a node unschedulable. */
export async function cordon(cluster: Cluster, name: string): Promise<void> {
  await cluster.api.patch(nodePath(name), { spec: { unschedulable: true } });
}

/** Makes a node schedulable again. */
export async function uncordon(cluster: Cluster, name: string): Promise<void> {
  await cluster.api.patch(nodePath(name), { spec: { unschedulable: null } });
}

/** Adds a taint, or changes the value of the one with that key and effect. */
export async function taint(cluster: Cluster, name: string, added: Taint): Promise<void> {
  await setTaints(cluster, name, (taints) => [...taints.filter((each) => !sameTaint(each, added)), added]);
}

/** Removes the taints with that key; with that effect alone where it is said. */
export async function untaint(cluster: Cluster, name: string, key: string, effect?: string): Promise<void> {
  await setTaints(cluster, name, (taints) =>
    taints.filter((each) => each.key !== key || (effect !== undefined && each.effect !== effect)),
  );
}

/**
 * Makes a node NotReady for good: its Ready condition says so since the given time, the node controller taints it as it
 * does a dead node, and kwok leaves it and its pods alone.
 *
 * @param status `False` is a kubelet that says it can't, `Unknown` one that has gone silent.
 */
export async function setNotReady(
  cluster: Cluster,
  name: string,
  options: { since?: Date; status?: "False" | "Unknown" } = {},
): Promise<void> {
  const { since = new Date(), status = "False" } = options;
  await cluster.api.patch(nodePath(name), { metadata: { annotations: absent(MANAGED) } });
  await setReadyCondition(cluster, name, status, since);
  await waitFor(async () => notReadyTaints(await node(cluster, name)).length > 0, { what: `the taint of ${name}` });
}

/** Makes a node Ready again, and its pods run. */
export async function setReady(cluster: Cluster, name: string, options: { since?: Date } = {}): Promise<void> {
  await setReadyCondition(cluster, name, "True", options.since ?? new Date());
  await cluster.api.patch(nodePath(name), { metadata: { annotations: MANAGED } });
  await untainted(cluster, name);
}

async function setReadyCondition(cluster: Cluster, name: string, status: string, since: Date): Promise<void> {
  // A strategic merge patch changes the one condition and keeps the others.
  const body = { status: { conditions: [condition("Ready", status, since)] } };
  await cluster.api.patch(`${nodePath(name)}/status`, body, "strategic");
}

async function setTaints(cluster: Cluster, name: string, change: (taints: Taint[]) => Taint[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { metadata, spec } = await node(cluster, name);
    try {
      // With the version, so that a taint which a controller adds meanwhile is not lost.
      await cluster.api.patch(nodePath(name), {
        metadata: { resourceVersion: metadata.resourceVersion },
        spec: { taints: change(spec.taints ?? []) },
      });
      return;
    } catch (error) {
      const conflict = error instanceof ApiError && error.reason === "Conflict";
      if (!conflict || attempt === CONFLICTS) throw error;
    }
  }
}

async function untainted(cluster: Cluster, name: string): Promise<void> {
  const clean = async () => notReadyTaints(await node(cluster, name)).length === 0;
  await waitFor(clean, { what: `the node controller to take the taint off ${name}` });
}

function notReadyTaints({ spec }: KubeObject): Taint[] {
  const keys = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];
  return ((spec.taints ?? []) as Taint[]).filter(({ key }) => keys.includes(key));
}

async function node(cluster: Cluster, name: string): Promise<KubeObject> {
  return await cluster.api.get(nodePath(name));
}

function nodePath(name: string): string {
  return `/api/v1/nodes/${name}`;
}

function sameTaint(one: Taint, other: Taint): boolean {
  return one.key === other.key && one.effect === other.effect;
}

/** A merge patch that removes these keys. */
function absent(keys: Record<string, string>): Record<string, null> {
  return Object.fromEntries(Object.keys(keys).map((key) => [key, null]));
}
