/**
 * What a node's health does to a running service: docs/semantics.md, "Health" and "Target".
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Cluster } from "../../bench/cluster/cluster.ts";
import { addNodes, cordon, removeNode, setNotReady, setReady, uncordon } from "../../bench/cluster/nodes.ts";
import { startCluster } from "../../bench/cluster/start.ts";
import { TestStack } from "./support/stack.ts";
import { createWorkloads, deployment, entry, liveReplicas, waitForRunning } from "./support/workloads.ts";

let cluster: Cluster;
let stack: TestStack;

const WORKERS = ["worker-1", "worker-2", "worker-3"];

beforeAll(async () => {
  cluster = await startCluster();
  await addNodes(
    cluster,
    WORKERS.map((name) => ({ name })),
  );
  await createWorkloads(cluster.api, [deployment("gitea", { spec: { replicas: 3 } })]);
  await waitForRunning(cluster.api, "gitea", 3);
  stack = await TestStack.create({ kubeconfig: cluster.kubeconfig, config: { workloads: [entry("gitea")] } });
  const up = await stack.up();
  expect(up.code, up.output).toBe(0);
});

afterAll(async () => {
  await stack?.remove();
  await cluster?.stop();
});

/** A preview that holds gitea at 3, and an up that leaves it there. */
async function expectHold(why: RegExp, on = stack): Promise<void> {
  const preview = await on.preview();
  expect(preview.code, preview.output).toBe(0);
  expect(preview.output.replaceAll(/[\s│|]+/g, " ")).toMatch(why);
  const up = await on.up();
  expect(up.code, up.output).toBe(0);
  expect(up.steps).toEqual({ "dev/gitea": "same" });
  expect(await liveReplicas(cluster.api)).toEqual({ gitea: 3 });
}

it("holds while a worker is cordoned, and names it", async () => {
  await cordon(cluster, "worker-2");
  await expectHold(/cordoned.*worker-2/);
  await uncordon(cluster, "worker-2");
});

it("holds while a worker is NotReady for less than the grace, and names it", async () => {
  await setNotReady(cluster, "worker-3");
  await expectHold(/worker-3/);
});

it("and no less so on a machine whose clock is an hour ahead: the API server's counts", async () => {
  const ahead = `
    const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...given) { given.length === 0 ? super(Date.now()) : super(...given); }
      static now() { return Real.now() + 3_600_000; }
    };`;
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(ahead)}`;
  await expectHold(/worker-3/, stack.with({ NODE_OPTIONS }));
});

it("shrinks when the worker has been NotReady for longer than the grace", async () => {
  await setNotReady(cluster, "worker-3", { since: new Date(Date.now() - 600_000) });
  const up = await stack.up();
  expect(up.code, up.output).toBe(0);
  expect(await liveReplicas(cluster.api)).toEqual({ gitea: 2 });
});

it("grows again when the worker is back", async () => {
  await setReady(cluster, "worker-3", { since: new Date(Date.now() - 600_000) });
  const up = await stack.up();
  expect(up.code, up.output).toBe(0);
  expect(await liveReplicas(cluster.api)).toEqual({ gitea: 3 });
});

it("holds when every worker is gone: never 0, never 1", async () => {
  for (const name of WORKERS) await removeNode(cluster, name);
  await expectHold(/no node|no .*worker/i);
});
