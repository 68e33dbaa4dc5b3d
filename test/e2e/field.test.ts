/**
 * The one field that is ours: who owns it, and that letting go never changes it. docs/semantics.md, "From plan to cluster".
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Cluster } from "../../bench/cluster/cluster.ts";
import { startWithThreeWorkers } from "./support/cluster.ts";
import { TestStack } from "./support/stack.ts";
import { createWorkloads, deployment, entry, liveReplicas } from "./support/workloads.ts";

let cluster: Cluster;
let stack: TestStack;

const PATH = "/apis/apps/v1/namespaces/dev/deployments/gitea";
const NAMES = ["gitea", "mailpit"];

beforeAll(async () => {
  cluster = await startWithThreeWorkers();
});

afterAll(async () => {
  await cluster?.stop();
});

/**
 * Fresh Deployments of which nobody but the stack owns the count: applied without the field, as GitOps tools that leave it out
 * do. A further owner would hide that ours lets go.
 */
beforeEach(async () => {
  for (const name of NAMES) await cluster.api.delete(`/apis/apps/v1/namespaces/dev/deployments/${name}`);
  await createWorkloads(cluster.api, []);
  for (const name of NAMES) {
    await cluster.api.apply(deployment(name, { spec: { replicas: undefined } }), { fieldManager: "somebody" });
  }
  stack = await newStack();
  const up = await stack.up();
  expect(up.code, up.output).toBe(0);
  expect(await liveReplicas(cluster.api)).toEqual({ gitea: 3, mailpit: 3 });
  return () => stack.remove();
});

function newStack(): Promise<TestStack> {
  return TestStack.create({ kubeconfig: cluster.kubeconfig, config: { workloads: NAMES.map((name) => entry(name)) } });
}

/** The fields that cluster-scale owns of gitea, each as a path. */
async function ownedFields(): Promise<string[]> {
  const { metadata } = await cluster.api.get(PATH);
  const entries = metadata.managedFields?.filter(({ manager }) => manager === "cluster-scale") ?? [];
  expect(entries.map(({ operation }) => operation)).toEqual(["Apply"]);
  return leaves(entries[0]?.fieldsV1 ?? {}).sort();
}

function leaves(fields: Record<string, unknown>, prefix = ""): string[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    const path = `${prefix}.${key.replace(/^f:/, "")}`;
    const below = leaves(value as Record<string, unknown>, path);
    return below.length === 0 ? [path] : below;
  });
}

describe("letting go leaves the replicas as they are", () => {
  it("when a workload is taken off the list", async () => {
    await stack.setConfig({ workloads: [entry("mailpit")] });
    const up = await stack.up();
    expect(up.code, up.output).toBe(0);
    expect(up.steps["dev/gitea"]).toBe("delete");
    expect(await liveReplicas(cluster.api)).toEqual({ gitea: 3, mailpit: 3 });
  });

  it("when the stack is destroyed", async () => {
    const destroy = await stack.destroy();
    expect(destroy.code, destroy.output).toBe(0);
    expect(await liveReplicas(cluster.api)).toEqual({ gitea: 3, mailpit: 3 });
  });
});

describe("the field manager cluster-scale", () => {
  it("owns spec.replicas and its own annotations and nothing else", async () => {
    const fields = await ownedFields();
    expect(fields).toContain(".spec.replicas");
    for (const field of fields) {
      expect(field === ".spec.replicas" || field.startsWith(".metadata.annotations.pulumi.com/")).toBe(true);
    }
  });

  it("is the same for a new state file on the same cluster, which takes over without a fight", async () => {
    const second = await newStack();
    const up = await second.up();
    expect(up.code, up.output).toBe(0);
    expect(await ownedFields()).toContain(".spec.replicas");
    expect(await liveReplicas(cluster.api)).toEqual({ gitea: 3, mailpit: 3 });

    const again = await second.up();
    expect(again.steps).toEqual({ "dev/gitea": "same", "dev/mailpit": "same" });
    await second.remove();
  });
});
