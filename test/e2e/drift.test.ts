/**
 * Drift: what somebody does behind the stack's back is in the next preview and mended by the next up.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Cluster } from "../../bench/cluster/cluster.ts";
import { startWithThreeWorkers } from "./support/cluster.ts";
import { TestStack } from "./support/stack.ts";
import { createWorkloads, deployment, entry, liveReplicas } from "./support/workloads.ts";

let cluster: Cluster;
let stack: TestStack;

beforeAll(async () => {
  cluster = await startWithThreeWorkers();
  await createWorkloads(cluster.api, [deployment("gitea")]);
  stack = await TestStack.create({ kubeconfig: cluster.kubeconfig, config: { workloads: [entry("gitea")] } });
  const up = await stack.up();
  expect(up.code, up.output).toBe(0);
});

afterAll(async () => {
  await stack?.remove();
  await cluster?.stop();
});

/** What `kubectl scale` sends. */
async function scale(replicas: number): Promise<void> {
  await cluster.api.patch("/apis/apps/v1/namespaces/dev/deployments/gitea/scale?fieldManager=kubectl", {
    spec: { replicas },
  });
}

describe.each([
  ["down", 1],
  ["up", 5],
])("kubectl scale behind our back, %s", (_direction, replicas) => {
  it("is in the next preview, which writes nothing", async () => {
    await scale(replicas);
    const preview = await stack.preview();
    expect(preview.code, preview.output).toBe(0);
    expect(preview.steps).toEqual({ "dev/gitea": "update" });
    expect(preview.output).toContain(`${replicas} → 3`);
    expect(await liveReplicas(cluster.api)).toEqual({ gitea: replicas });
  });

  it("is mended by the next up, after which nothing is left to do", async () => {
    const up = await stack.up();
    expect(up.code, up.output).toBe(0);
    expect(await liveReplicas(cluster.api)).toEqual({ gitea: 3 });

    const again = await stack.up();
    expect(again.steps).toEqual({ "dev/gitea": "same" });
  });
});
