/**
 * The main job: replicas follow the Ready workers, the preview is the plan and the up is the apply.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditWrites } from "../../bench/cluster/audit.ts";
import type { Cluster } from "../../bench/cluster/cluster.ts";
import { addNodes, removeNode } from "../../bench/cluster/nodes.ts";
import { startCluster } from "../../bench/cluster/start.ts";
import { TestStack } from "./support/stack.ts";
import {
  createWorkloads,
  DEMO,
  deployment,
  entry,
  liveReplicas,
  resourceVersions,
  waitForRunning,
} from "./support/workloads.ts";

let cluster: Cluster;
let stack: TestStack;

const WORKERS = ["worker-1", "worker-2", "worker-3"];

const all = (replicas: number) => Object.fromEntries(DEMO.map((name) => [name, replicas]));
const operations = (op: string) => Object.fromEntries(DEMO.map((name) => [`dev/${name}`, op]));

beforeAll(async () => {
  cluster = await startCluster({ audit: true });
  await addNodes(
    cluster,
    WORKERS.map((name) => ({ name })),
  );
  await createWorkloads(
    cluster.api,
    DEMO.map((name) => deployment(name)),
  );
  for (const name of DEMO) await waitForRunning(cluster.api, name, 1);
  stack = await TestStack.create({
    kubeconfig: cluster.kubeconfig,
    config: { workloads: DEMO.map((name) => entry(name)) },
  });
});

afterAll(async () => {
  await stack?.remove();
  await cluster?.stop();
});

describe("three workers, four Deployments at 1", () => {
  it("preview plans 1 → 3 for each, says why, and writes nothing", async () => {
    const before = await resourceVersions(cluster.api);
    const preview = await stack.preview();

    expect(preview.code, preview.output).toBe(0);
    expect(preview.steps).toEqual(operations("create"));
    for (const name of DEMO) expect(preview.output).toMatch(new RegExp(`dev/${name}\\s.*1 → 3`));
    expect(await resourceVersions(cluster.api)).toEqual(before);
  });

  it("up makes them Running, one on each node", async () => {
    const since = new Date();
    const up = await stack.up();

    expect(up.code, up.output).toBe(0);
    expect(await liveReplicas(cluster.api)).toEqual(all(3));
    const written = auditWrites(cluster, { user: "admin", since }).map(({ objectRef }) => objectRef?.name);
    expect(written.sort()).toEqual([...DEMO].sort());
    for (const name of DEMO) {
      expect(await waitForRunning(cluster.api, name, 3)).toEqual(WORKERS);
    }
  });

  it("a second up changes nothing and sends no write", async () => {
    const since = new Date();
    const up = await stack.up();

    expect(up.code, up.output).toBe(0);
    expect(up.steps).toEqual(operations("same"));
    expect(up.output).toMatch(/Resources:\n\s+7 unchanged/);
    expect(auditWrites(cluster, { user: "admin", since })).toEqual([]);
  });
});

describe("the workers change", () => {
  it("a fourth worker joins: 3 → 4", async () => {
    await addNodes(cluster, [{ name: "worker-4" }]);
    const up = await stack.up();

    expect(up.code, up.output).toBe(0);
    expect(up.steps).toEqual(operations("update"));
    expect(await liveReplicas(cluster.api)).toEqual(all(4));
  });

  it("a worker is deleted: 4 → 3", async () => {
    await removeNode(cluster, "worker-2");
    const up = await stack.up();

    expect(up.code, up.output).toBe(0);
    expect(await liveReplicas(cluster.api)).toEqual(all(3));
  });

  it("max bounds the target", async () => {
    await stack.setConfig({
      workloads: DEMO.map((name) => entry(name, name === "gitea" ? { max: 2 } : {})),
    });
    const up = await stack.up();

    expect(up.code, up.output).toBe(0);
    expect(await liveReplicas(cluster.api)).toEqual({ ...all(3), gitea: 2 });
  });

  it("a tainted control-plane node never counts", async () => {
    await addNodes(cluster, [{ name: "control-1", role: "control-plane" }]);
    const up = await stack.up();

    expect(up.code, up.output).toBe(0);
    expect(up.steps).toEqual(operations("same"));
    expect(await liveReplicas(cluster.api)).toEqual({ ...all(3), gitea: 2 });
  });

  it("an untainted control-plane node counts", async () => {
    await addNodes(cluster, [{ name: "control-2", role: "control-plane", taints: [] }]);
    const up = await stack.up();

    expect(up.code, up.output).toBe(0);
    expect(await liveReplicas(cluster.api)).toEqual({ ...all(4), gitea: 2 });
  });
});
