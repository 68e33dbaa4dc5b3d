/**
 * Workloads that are not ours to scale: each is named with its reason and left alone, and the others are applied.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Cluster } from "../../bench/cluster/cluster.ts";
import { addNodes } from "../../bench/cluster/nodes.ts";
import type { KubeObject } from "../../bench/cluster/objects.ts";
import { startCluster } from "../../bench/cluster/start.ts";
import { waitFor } from "../../bench/cluster/wait.ts";
import { TestStack } from "./support/stack.ts";
import {
  createWorkloads,
  deployment,
  entry,
  liveReplicas,
  resourceVersions,
  waitForRunning,
} from "./support/workloads.ts";

let cluster: Cluster;
let stack: TestStack;

const target = (name: string) => ({ apiVersion: "apps/v1", kind: "Deployment", name });

beforeAll(async () => {
  cluster = await startCluster();
  const { api } = cluster;
  await addNodes(
    cluster,
    ["worker-1", "worker-2", "worker-3"].map((name) => ({ name })),
  );
  await createWorkloads(api, []);
  const owner = await api.create<KubeObject>({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace: "dev", name: "owner" },
  });
  await api.create({
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: "data" },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      storageClassName: "none",
      nfs: { server: "192.0.2.10", path: "/data" },
    },
  });
  await api.create({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { namespace: "dev", name: "data" },
    spec: { accessModes: ["ReadWriteOnce"], storageClassName: "none", resources: { requests: { storage: "1Gi" } } },
  });
  await createWorkloads(api, [
    deployment("free"),
    deployment("autoscaled", { spec: { replicas: 2 } }),
    deployment("queued", { spec: { replicas: 2 } }),
    deployment("off", { spec: { replicas: 0 } }),
    deployment("stored", {
      pod: { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }] },
    }),
    deployment("operated", {
      metadata: {
        ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: owner.metadata.uid ?? "" }],
      },
    }),
  ]);
  // Its claim is bound and its pod runs: what keeps it at one replica is the volume alone.
  await waitForRunning(api, "stored", 1);
  await api.create({
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { namespace: "dev", name: "autoscaled" },
    spec: { scaleTargetRef: target("autoscaled"), minReplicas: 2, maxReplicas: 5 },
  });
  await api.create(scaledObjectDefinition);
  await waitFor(() => api.list("/apis/keda.sh/v1alpha1/scaledobjects").then(() => true), { what: "the API of KEDA" });
  await api.create({
    apiVersion: "keda.sh/v1alpha1",
    kind: "ScaledObject",
    metadata: { namespace: "dev", name: "queued" },
    spec: { scaleTargetRef: { name: "queued" } },
  });
  stack = await TestStack.create({
    kubeconfig: cluster.kubeconfig,
    config: {
      workloads: ["autoscaled", "queued", "operated", "off", "absent", "stored", "free"].map((name) => entry(name)),
    },
  });
});

afterAll(async () => {
  await stack?.remove();
  await cluster?.stop();
});

/** As much of KEDA's definition as its API needs. */
const scaledObjectDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "scaledobjects.keda.sh" },
  spec: {
    group: "keda.sh",
    scope: "Namespaced",
    names: { plural: "scaledobjects", singular: "scaledobject", kind: "ScaledObject" },
    versions: [
      {
        name: "v1alpha1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

it("names each with its reason, leaves it alone and applies the others", async () => {
  const before = await resourceVersions(cluster.api);
  const preview = await stack.preview();
  const up = await stack.up();

  expect(up.code, up.output).toBe(0);
  expect(up.steps).toEqual({ "dev/free": "create" });
  for (const [name, decision, why] of [
    ["autoscaled", "defer", /HorizontalPodAutoscaler/],
    ["queued", "defer", /ScaledObject/],
    ["operated", "refuse", /owner/],
    ["off", "skip", /0/],
    ["absent", "missing", /there is no Deployment dev\/absent/],
    ["stored", "refuse", /data/],
  ] as const) {
    const row = rowOf(preview.output, `dev/${name}`);
    expect(row).toContain(decision);
    expect(row).toMatch(why);
  }
  const { free: _, ...untouched } = await resourceVersions(cluster.api);
  const { free: __, ...were } = before;
  expect(untouched).toEqual(were);
  expect(await liveReplicas(cluster.api)).toEqual({
    autoscaled: 2,
    free: 3,
    off: 0,
    operated: 1,
    queued: 2,
    stored: 1,
  });
});

/** The text of one workload's row of the table, which may be wrapped over several lines. */
function rowOf(output: string, workload: string): string {
  const lines = output.split("\n");
  const start = lines.findIndex((line) => line.includes(workload));
  const length = lines.slice(start + 1).findIndex((line) => /dev\/|[├└─]/.test(line));
  return lines.slice(start, start + 1 + Math.max(length, 0)).join(" ");
}
