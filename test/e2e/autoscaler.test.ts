/**
 * The bounds of an autoscaler within the workers: docs/semantics.md, "Autoscalers".
 *
 * The controllers are stopped while plans are made, and what the autoscalers' own would report is written in its place: it
 * acts on bounds within seconds, and a case would not last until it is planned. In between it shows what it makes of them.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditWrites } from "../../bench/cluster/audit.ts";
import type { Cluster } from "../../bench/cluster/cluster.ts";
import { addNodes, untaint } from "../../bench/cluster/nodes.ts";
import { startCluster } from "../../bench/cluster/start.ts";
import { waitFor } from "../../bench/cluster/wait.ts";
import { CliStack } from "./support/cli.ts";
import { planned } from "./support/plan.ts";
import { createWorkloads, deployment, entry, liveReplicas, waitForRunning } from "./support/workloads.ts";

const AUTOSCALERS = "/apis/autoscaling/v2/namespaces/dev/horizontalpodautoscalers";

/** Replicas that run, and the bounds that stand there before the first run. */
const CASES = {
  wide: { running: 2, min: 2, max: 10 },
  /** Runs more than there are workers. */
  hot: { running: 7, min: 2, max: 10 },
  /** Its minimum alone is more than there are workers. */
  high: { running: 1, min: 5, max: 10 },
  narrow: { running: 1, min: 1, max: 1 },
} as const;
type Name = keyof typeof CASES;
const NAMES = Object.keys(CASES) as Name[];
const RUNNING = Object.fromEntries(NAMES.map((name) => [name, CASES[name].running]));

let cluster: Cluster;
let cli: CliStack;

beforeAll(async () => {
  cluster = await startCluster({ audit: true });
  const { api } = cluster;
  await addNodes(cluster, [
    ...["worker-1", "worker-2", "worker-3"].map((name) => ({ name })),
    { name: "worker-4", taints: [{ key: "dedicated", effect: "NoSchedule" }] },
  ]);
  await createWorkloads(
    api,
    NAMES.map((name) => deployment(name, { spec: { replicas: CASES[name].running } })),
  );
  for (const name of NAMES) await waitForRunning(api, name, CASES[name].running);
  cluster.kill("kube-controller-manager");
  for (const name of NAMES) {
    await api.create({
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: { namespace: "dev", name },
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name },
        minReplicas: CASES[name].min,
        maxReplicas: CASES[name].max,
      },
    });
    await reportReplicas(name, CASES[name].running);
  }
  cli = await CliStack.create(cluster.kubeconfig, {
    workloads: NAMES.map((name) => entry(name, { hpa: "bounds" })),
  });
});

afterAll(async () => {
  await cli?.remove();
  await cluster?.stop();
});

/** Writes an autoscaler's status as its controller does. */
async function reportReplicas(name: Name, currentReplicas: number): Promise<void> {
  await cluster.api.patch(`${AUTOSCALERS}/${name}/status`, {
    status: { currentReplicas, desiredReplicas: currentReplicas },
  });
}

/** `min..max` of every autoscaler, by name. */
async function liveBounds(): Promise<Record<string, string>> {
  const items = await cluster.api.list(AUTOSCALERS);
  return Object.fromEntries(
    items.map(({ metadata, spec }) => [metadata.name, `${spec.minReplicas}..${spec.maxReplicas}`]),
  );
}

/** Field managers of a field of an autoscaler's spec, each with how it wrote it. */
async function managersOf(name: Name, field: string): Promise<string[]> {
  const { metadata } = await cluster.api.get(`${AUTOSCALERS}/${name}`);
  const owners = metadata.managedFields?.filter(({ fieldsV1 }) => {
    const spec = fieldsV1?.["f:spec"] as Record<string, unknown> | undefined;
    return spec?.[`f:${field}`] !== undefined;
  });
  return (owners ?? []).map(({ manager, operation }) => `${manager} ${operation}`);
}

/** What the stack's user has written since then, as `resource/name`. */
function written(since: Date): string[] {
  return auditWrites(cluster, { user: "admin", since })
    .map(({ objectRef }) => `${objectRef?.resource}/${objectRef?.name}`)
    .sort();
}

describe("three workers", () => {
  it("plans the maximum to the workers, and never below what runs now", async () => {
    expect(await planned(cli)).toEqual({
      "dev/wide": { decision: "scale-down", current: 10, target: 3, reasons: [], warnings: [] },
      "dev/hot": { decision: "scale-down", current: 10, target: 7, reasons: ["hpa"], warnings: [] },
      "dev/high": { decision: "scale-down", current: 10, target: 3, reasons: [], warnings: [] },
      "dev/narrow": { decision: "scale-up", current: 1, target: 3, reasons: [], warnings: [] },
    });
  });

  it("writes the bounds to the autoscalers and nothing to their Deployments", async () => {
    const since = new Date();
    const up = await cli.stack.up();

    expect(up.code, up.output).toBe(0);
    expect(written(since)).toEqual(NAMES.map((name) => `horizontalpodautoscalers/${name}`).sort());
    // The minimum is lowered with the maximum where it would exceed it, and left alone elsewhere.
    expect(await liveBounds()).toEqual({ wide: "2..3", hot: "2..7", high: "3..3", narrow: "1..3" });
    expect(await liveReplicas(cluster.api)).toEqual(RUNNING);
  });

  it("owns the maximum, and the minimum only where it had to be lowered", async () => {
    for (const name of NAMES) expect(await managersOf(name, "maxReplicas")).toEqual(["cluster-scale Apply"]);
    expect(await managersOf("high", "minReplicas")).toEqual(["cluster-scale Apply"]);
    for (const name of ["wide", "hot", "narrow"] as const) {
      expect(await managersOf(name, "minReplicas")).toEqual(["kubectl Update"]);
    }
  });

  it("a second up changes nothing and sends no write", async () => {
    const since = new Date();
    const up = await cli.stack.up();

    expect(up.code, up.output).toBe(0);
    expect(up.steps).toEqual(Object.fromEntries(NAMES.map((name) => [`dev/${name}`, "same"])));
    expect(written(since)).toEqual([]);
  });
});

it("the autoscalers' controller, which acts on bounds at once, cuts nothing", async () => {
  await cluster.start("kube-controller-manager");
  const judged = async () => {
    const items = await cluster.api.list(AUTOSCALERS);
    return items.every(({ status }) => status.conditions?.some(({ type }: { type: string }) => type === "AbleToScale"));
  };
  await waitFor(judged, { what: "the controller to look at every autoscaler", timeout: 60_000 });

  // It raises `high` to the minimum, which the workers can hold since that was lowered.
  expect(await liveReplicas(cluster.api)).toEqual({ ...RUNNING, high: 3 });
  await waitForRunning(cluster.api, "high", 3);
  await waitForRunning(cluster.api, "hot", 7);
  cluster.kill("kube-controller-manager");
});

it("follows a further worker, and comes down once fewer replicas run", async () => {
  await untaint(cluster, "worker-4", "dedicated");
  await reportReplicas("hot", 2);
  const up = await cli.stack.up();

  expect(up.code, up.output).toBe(0);
  // A minimum is never raised: that of `high` stays at what it was lowered to.
  expect(await liveBounds()).toEqual({ wide: "2..4", hot: "2..4", high: "3..4", narrow: "1..4" });
});

describe("letting go leaves the bounds as they are, though nobody else owns them", () => {
  it("when a workload is taken off the list", async () => {
    await cli.stack.setConfig({ workloads: [entry("narrow", { hpa: "bounds" })] });
    const up = await cli.stack.up();

    expect(up.code, up.output).toBe(0);
    expect(up.steps).toEqual({ "dev/wide": "delete", "dev/hot": "delete", "dev/high": "delete", "dev/narrow": "same" });
    expect(await liveBounds()).toEqual({ wide: "2..4", hot: "2..4", high: "3..4", narrow: "1..4" });
  });

  it("when the stack is destroyed", async () => {
    const destroy = await cli.stack.destroy();

    expect(destroy.code, destroy.output).toBe(0);
    expect(await liveBounds()).toEqual({ wide: "2..4", hot: "2..4", high: "3..4", narrow: "1..4" });
  });
});
