/**
 * A rollout that can't finish: it fails in time and says why, and the next run converges.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Cluster } from "../../bench/cluster/cluster.ts";
import { addNodes } from "../../bench/cluster/nodes.ts";
import { startCluster } from "../../bench/cluster/start.ts";
import { TestStack } from "./support/stack.ts";
import { createWorkloads, deployment, entry, liveReplicas, waitForRunning } from "./support/workloads.ts";

let cluster: Cluster;
let stack: TestStack;

beforeAll(async () => {
  cluster = await startCluster();
  await addNodes(cluster, [
    { name: "worker-1", allocatable: { cpu: "1" } },
    { name: "worker-2", allocatable: { cpu: "1" } },
    { name: "worker-3", allocatable: { cpu: "500m" } },
  ]);
  const containers = [
    { name: "app", image: "registry.example.invalid/app:1", resources: { requests: { cpu: "800m" } } },
  ];
  await createWorkloads(cluster.api, [deployment("gitea", { pod: { containers } }), deployment("mailpit")]);
  await waitForRunning(cluster.api, "gitea", 1);
  stack = await TestStack.create({
    kubeconfig: cluster.kubeconfig,
    config: {
      rolloutTimeoutSeconds: 15,
      // The planner would not grow beyond the room there is: it is told to leave that out, so that the scheduler says it.
      workloads: [entry("gitea", { capacity: "off" }), entry("mailpit")],
    },
  });
});

afterAll(async () => {
  await stack?.remove();
  await cluster?.stop();
});

it("fails within rolloutTimeoutSeconds and says why in the scheduler's own words", async () => {
  const up = await stack.up();

  expect(up.code).not.toBe(0);
  expect(up.seconds).toBeLessThan(45);
  expect(up.output).toContain(
    "error: not all pods run after 15 s (rolloutTimeoutSeconds). The new counts are set, and nothing is undone: once the causes are " +
      "gone the pods start by themselves, and running `pulumi up` again is safe.\n" +
      "      - dev/gitea: 2 of 3 pods are available. 1 pod can't be scheduled: 0/3 nodes are available: 3 Insufficient cpu.",
  );
  expect(await liveReplicas(cluster.api)).toEqual({ gitea: 3, mailpit: 3 });
});

it("converges in the next run once there is room", async () => {
  await addNodes(cluster, [{ name: "worker-4" }]);
  await waitForRunning(cluster.api, "gitea", 3);
  await stack.setConfig({ workloads: [entry("gitea", { max: 3 }), entry("mailpit")] });
  const up = await stack.up();

  expect(up.code, up.output).toBe(0);
  expect(await liveReplicas(cluster.api)).toEqual({ gitea: 3, mailpit: 4 });
});
