/**
 * Clear losses of speed and memory: small benchmarks, as ratios and with generous margins. The figures themselves are measured by
 * `npm run benchmark`.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { policyOf, requestsOf } from "../../bench/benchmark/command.ts";
import { planTimes } from "../../bench/benchmark/plan.ts";
import { previewTimes } from "../../bench/benchmark/preview.ts";
import { ratio } from "../../bench/benchmark/programs.ts";
import { timeOfOurs } from "../../bench/benchmark/read.ts";
import type { Cluster } from "../../bench/cluster/cluster.ts";
import { startCluster } from "../../bench/cluster/start.ts";
import { createMany, createNamespaces } from "../../bench/load/create.ts";
import { largeNode, loadDeployment } from "../../bench/load/objects.ts";
import { type RunningProxy, startProxy } from "../../bench/proxy.ts";
import { createStack, linkProgram, type Stack } from "../../bench/stack.ts";

it("a preview is not much slower than that of a static program", async () => {
  expect(ratio(await previewTimes(3))).toBeLessThan(1.6);
});

it("ten times the nodes take no more than ten times as long to plan", async () => {
  const times = await planTimes(5, [
    [500, 500, 0],
    [5000, 500, 0],
  ]);
  expect(ratio(times)).toBeLessThan(11);
});

describe("a large cluster", () => {
  let cluster: Cluster;
  let proxy: RunningProxy;
  let stack: Stack;

  beforeAll(async () => {
    cluster = await startCluster();
    await createNamespaces(cluster, 1);
    await createMany(cluster, 1000, largeNode);
    await createMany(cluster, 50, (index) => loadDeployment(index, 1));
    proxy = await startProxy(cluster);
    stack = await createStack({ kubeconfig: proxy.kubeconfig, config: policyOf(1) });
    await linkProgram(stack);
  });

  afterAll(async () => {
    await stack?.remove();
    await proxy?.close();
    await cluster?.stop();
  });

  it("is read in as many requests for fifty workloads of a namespace as for one", async () => {
    const requests = await requestsOf(stack, proxy, [1, 50]);
    expect(requests.get(50)).toBe(requests.get(1));
  });

  it("is never in memory as a whole", async () => {
    const { objects, peakMegabytes } = await timeOfOurs(cluster, "nodes");
    expect(objects).toBe(1000);
    expect(peakMegabytes).toBeLessThan(180);
  });
});
