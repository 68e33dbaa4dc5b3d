/** The bench of queue-driven workloads: what the metric says of the table, and that a plain autoscaler follows it. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Cluster } from "../../bench/cluster/cluster.ts";
import { addNodes } from "../../bench/cluster/nodes.ts";
import { startCluster } from "../../bench/cluster/start.ts";
import { waitFor } from "../../bench/cluster/wait.ts";
import { type FaultName, faults } from "../../bench/queue/faults.ts";
import { type QueueBench, queueCluster, startQueueBench } from "../../bench/queue/start.ts";
import { createWorkloads, deployment, liveReplicas } from "./support/workloads.ts";

let cluster: Cluster;
let bench: QueueBench;

beforeAll(async () => {
  cluster = await startCluster(queueCluster);
  bench = await startQueueBench(cluster, { queues: ["default", "mail"] });
});

afterAll(async () => {
  await bench?.close();
  await cluster?.stop();
});

afterEach(async () => {
  await bench.jobs.drain();
});

describe("the metric", () => {
  test("counts the jobs that wait, in all queues and in one", async () => {
    await bench.jobs.insert(5);
    await bench.jobs.insert(2, { queue: "mail" });
    await bench.waitForValue("state=available", "7");
    expect(await bench.values("state=available,queue=default")).toEqual(["5"]);
    expect(await bench.values("state=available,queue=mail")).toEqual(["2"]);
  });

  test("does not count jobs that run, wait for their time or are done", async () => {
    for (const state of ["executing", "scheduled", "retryable", "completed", "discarded", "cancelled"] as const) {
      await bench.jobs.insert(3, { state });
    }
    await bench.jobs.insert(1);
    await bench.waitForValue("state=available", "1");
  });

  test("is 0 where nothing waits, and no series where there is none", async () => {
    await bench.jobs.insert(4, { queue: "mail" });
    await bench.waitForValue("state=available,queue=mail", "4");
    await bench.jobs.drain();
    await bench.waitForValue("state=available,queue=mail", "0");
    expect(await bench.values("state=available,queue=default")).toEqual(["0"]);
    expect(await bench.values("state=available,queue=typo")).toEqual([]);
    expect(await bench.values("state=waiting")).toEqual([]);
  });

  test("has the queue that nobody listed as long as a job waits in it", async () => {
    await bench.jobs.insert(1, { queue: 'a "new" one' });
    await bench.waitForValue("state=available", "1");
    await bench.jobs.drain();
    await bench.waitForValue("state=available", "0");
  });
});

test("an autoscaler takes a Deployment from 1 to its maximum, and back when the queue is empty", async () => {
  await addNodes(cluster, [{ name: "worker-1" }, { name: "worker-2" }, { name: "worker-3" }]);
  await createWorkloads(cluster.api, [deployment("worker")]);
  await cluster.api.create({
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { namespace: "dev", name: "worker" },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "worker" },
      minReplicas: 1,
      maxReplicas: 3,
      metrics: [
        {
          type: "External",
          external: {
            metric: { name: "oban_queue_depth", selector: { matchLabels: { state: "available", queue: "default" } } },
            target: { type: "AverageValue", averageValue: "10" },
          },
        },
      ],
      behavior: { scaleDown: { stabilizationWindowSeconds: 0 } },
    },
  });
  await bench.jobs.insert(100);
  await waitForReplicas(3);
  await bench.jobs.drain();
  await waitForReplicas(1);
});

describe("a fault", () => {
  test.for(Object.keys(faults) as FaultName[])("shows and can be mended: %s", async (name) => {
    await faults[name].inject(bench);
    await faults[name].mend(bench);
    await bench.waitUntilWorking();
  });

  test("of an exporter that repeats an old value shows in the age alone", async () => {
    await bench.jobs.insert(3);
    await bench.waitForValue("state=available", "3");
    await bench.stickExporter();
    await bench.jobs.drain();
    await waitFor(async () => ((await bench.age()) ?? 0) > 5, { what: "five seconds of age" });
    expect(await bench.values("state=available")).toEqual(["3"]);
    await bench.unstickExporter();
    await bench.waitForValue("state=available", "0");
  });
});

async function waitForReplicas(count: number): Promise<void> {
  await waitFor(async () => (await liveReplicas(cluster.api)).worker === count, {
    what: `${count} replicas`,
    timeout: 60_000,
  });
}
