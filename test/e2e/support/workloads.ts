import type { KubeApi } from "../../../bench/cluster/api.ts";
import type { KubeObject } from "../../../bench/cluster/objects.ts";
import { waitFor } from "../../../bench/cluster/wait.ts";

export const NAMESPACE = "dev";

/** The allowlist that the shipped dev stack has, by name. */
export const DEMO = ["gitea", "registry", "mailpit", "rstudio"] as const;

/** A Deployment with one replica in the namespace dev; `spec` and `pod` are merged in at their places. */
export function deployment(
  name: string,
  { spec = {}, pod = {}, metadata = {} }: { spec?: object; pod?: object; metadata?: object } = {},
): KubeObject {
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace: NAMESPACE, name, ...metadata },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: 0,
          containers: [
            {
              name: "app",
              image: "registry.example.invalid/app:1",
              resources: { requests: { cpu: "100m", memory: "64Mi" } },
            },
          ],
          ...pod,
        },
      },
      ...spec,
    },
  };
}

/** Creates the namespace dev and Deployments in it, as `kubectl create` would, and waits until their pods are Running. */
export async function createWorkloads(api: KubeApi, objects: KubeObject[]): Promise<void> {
  await api.ensure({ apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } });
  for (const object of objects) await api.create(object);
}

/** `spec.replicas` of Deployments of the namespace dev as the API server holds it, by name. */
export async function liveReplicas(api: KubeApi): Promise<Record<string, number>> {
  const items = await api.list(`/apis/apps/v1/namespaces/${NAMESPACE}/deployments`);
  return Object.fromEntries(items.map(({ metadata, spec }) => [metadata.name, spec.replicas]));
}

/** resourceVersion of every object that a run could have written, by path. */
export async function resourceVersions(api: KubeApi): Promise<Record<string, string | undefined>> {
  const items = await api.list(`/apis/apps/v1/namespaces/${NAMESPACE}/deployments`);
  return Object.fromEntries(items.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
}

/** The nodes on which a Deployment's Running pods are, sorted. */
export async function runningOn(api: KubeApi, name: string): Promise<string[]> {
  const pods = await api.list(`/api/v1/namespaces/${NAMESPACE}/pods?labelSelector=app%3D${name}`);
  return pods
    .filter(({ metadata, status }) => status.phase === "Running" && metadata.deletionTimestamp === undefined)
    .map(({ spec }) => spec.nodeName as string)
    .sort();
}

/** Waits until a Deployment has that many Running pods. */
export async function waitForRunning(api: KubeApi, name: string, count: number): Promise<string[]> {
  return await waitFor(
    async () => {
      const nodes = await runningOn(api, name);
      return nodes.length === count ? nodes : undefined;
    },
    { what: `${count} Running pods of ${name}`, timeout: 60_000 },
  );
}

/** An entry of the allowlist with a maximum that does not bind. */
export function entry(name: string, rest: object = {}): object {
  return { namespace: NAMESPACE, name, max: 10, ...rest };
}
