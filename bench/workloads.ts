import path from "node:path";
import type { Cluster } from "./cluster/cluster.ts";
import { type KubeObject, readManifest } from "./cluster/objects.ts";

/** The namespace and the four Deployments of the dev stack, with one replica each. */
export function demoWorkloads(): KubeObject[] {
  return readManifest(path.join(import.meta.dirname, "workloads.yaml"));
}

/** Creates the demo workloads, as the pipeline of the applications would: `kubectl create`, with no interest in fields later. */
export async function createDemoWorkloads(cluster: Cluster): Promise<void> {
  for (const object of demoWorkloads()) await cluster.api.ensure(object);
}
