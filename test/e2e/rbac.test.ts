/**
 * The documented role (deploy/rbac.yaml) is enough, and nothing in it is too much.
 */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import type { Cluster } from "../../bench/cluster/cluster.ts";
import type { KubeObject } from "../../bench/cluster/objects.ts";
import { restrictedAccess } from "../../bench/cluster/restricted.ts";
import { startWithThreeWorkers } from "./support/cluster.ts";
import { TestStack } from "./support/stack.ts";
import { createWorkloads, deployment, entry, liveReplicas } from "./support/workloads.ts";

const MANIFEST = fileURLToPath(new URL("../../deploy/rbac.yaml", import.meta.url));

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startWithThreeWorkers();
});

afterAll(async () => {
  await cluster?.stop();
});

beforeEach(async () => {
  await cluster.api.delete("/apis/apps/v1/namespaces/dev/deployments/gitea");
  await createWorkloads(cluster.api, [deployment("gitea")]);
});

/** A stack that runs as the documented ServiceAccount, its role changed where a test wants it. */
async function stackAs(change: (objects: KubeObject[]) => KubeObject[] = (objects) => objects): Promise<TestStack> {
  const { kubeconfig } = await restrictedAccess(cluster, MANIFEST, { change });
  return await TestStack.create({ kubeconfig, config: { workloads: [entry("gitea")] } });
}

/** The manifest without one verb on one resource. */
function without(verb: string, resource: string) {
  return (objects: KubeObject[]) =>
    objects.map((object) => ({
      ...object,
      ...(object.rules && {
        rules: (object.rules as { resources?: string[]; verbs: string[] }[]).flatMap((rule) => {
          if (!rule.resources?.includes(resource)) return [rule];
          const others = { ...rule, resources: rule.resources.filter((name) => name !== resource) };
          const less = { ...rule, resources: [resource], verbs: rule.verbs.filter((name) => name !== verb) };
          return [others, less].filter(({ resources, verbs }) => resources.length > 0 && verbs.length > 0);
        }),
      }),
    }));
}

it("is enough for preview, up, a second up and destroy", async () => {
  const stack = await stackAs();
  for (const run of [() => stack.preview(), () => stack.up(), () => stack.up(), () => stack.destroy()]) {
    const result = await run();
    expect(result.code, result.output).toBe(0);
  }
  expect(await liveReplicas(cluster.api)).toEqual({ gitea: 3 });
  await stack.remove();
});

it.each([
  ["list", "nodes"],
  ["list", "deployments"],
  ["list", "horizontalpodautoscalers"],
])("without %s on %s there is no plan, and the error names both", async (verb, resource) => {
  const stack = await stackAs(without(verb, resource));
  const before = await stack.stateFiles();
  const preview = await stack.preview();
  const up = await stack.upAfterPreview();
  const after = await stack.stateFiles();
  await stack.remove();

  for (const { code, output, steps } of [preview, up]) {
    expect(code).not.toBe(0);
    expect(output).toContain(verb);
    expect(output).toContain(resource);
    expect(steps).toEqual({});
  }
  expect(after).toEqual(before);
  expect(await liveReplicas(cluster.api)).toEqual({ gitea: 1 });
});

it("without patch on deployments up fails, names both and leaves the count", async () => {
  const stack = await stackAs(without("patch", "deployments"));
  const up = await stack.up();
  await stack.remove();

  expect(up.code).not.toBe(0);
  expect(up.output).toMatch(/cannot patch resource "deployments"/);
  expect(await liveReplicas(cluster.api)).toEqual({ gitea: 1 });
});

it("who acts as somebody else plans and patches as them, with their groups", async () => {
  const kubeconfig = await actingAs({ as: "on-call", "as-groups": ["system:masters"] });
  const stack = await TestStack.create({ kubeconfig, config: { workloads: [entry("gitea")] } });
  const up = await stack.up();
  await stack.remove();

  expect(up.code, up.output).toBe(0);
  expect(await liveReplicas(cluster.api)).toEqual({ gitea: 3 });
});

it("who acts as somebody without a role gets no plan, whatever they may do themselves", async () => {
  const kubeconfig = await actingAs({ as: "on-call" });
  const stack = await TestStack.create({ kubeconfig, config: { workloads: [entry("gitea")] } });
  const preview = await stack.preview();
  await stack.remove();

  expect(preview.code).not.toBe(0);
  // Of which kind first, the server decides.
  expect(preview.output).toMatch(/User "on-call" cannot list resource "\w+"/);
});

/** The admin's kubeconfig, its user acting as somebody else. */
async function actingAs(impersonation: Record<string, unknown>): Promise<string> {
  const config = parse(await readFile(cluster.kubeconfig, "utf8"));
  for (const { user } of config.users) Object.assign(user, impersonation);
  const file = path.join(cluster.dir, "acting.kubeconfig");
  await writeFile(file, stringify(config), { mode: 0o600 });
  return file;
}
