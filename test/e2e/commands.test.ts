/**
 * The commands that look at a stack and its cluster, and the one that hands a count back.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Cluster } from "../../bench/cluster/cluster.ts";
import { restrictedAccess } from "../../bench/cluster/restricted.ts";
import { CliStack } from "./support/cli.ts";
import { startWithThreeWorkers } from "./support/cluster.ts";
import { createWorkloads, deployment, entry, waitForRunning } from "./support/workloads.ts";

let cluster: Cluster;
let cli: CliStack;

const NAMES = ["gitea", "mailpit"];

beforeAll(async () => {
  cluster = await startWithThreeWorkers();
});

afterAll(async () => {
  await cluster?.stop();
});

beforeEach(async () => {
  for (const name of NAMES) await cluster.api.delete(`/apis/apps/v1/namespaces/dev/deployments/${name}`);
  await createWorkloads(
    cluster.api,
    NAMES.map((name) => deployment(name)),
  );
  for (const name of NAMES) await waitForRunning(cluster.api, name, 1);
  cli = await CliStack.create(cluster.kubeconfig, { workloads: NAMES.map((name) => entry(name)) });
  return () => cli.remove();
});

async function applied(): Promise<void> {
  const { code, stderr } = await cli.run(["apply", "--yes", "--quiet"]);
  expect(code, stderr).toBe(0);
}

const scale = (name: string, replicas: number) =>
  cluster.api.patch(`/apis/apps/v1/namespaces/dev/deployments/${name}/scale?fieldManager=kubectl`, {
    spec: { replicas },
  });

describe("status", () => {
  it("before the first apply has targets only, after it everything is in sync, and then drift shows", async () => {
    const before = await cli.run(["status"]);
    expect(before.code, before.stderr).toBe(0);
    expect(before.stdout).toMatch(/^dev\/gitea +1 +– +3 +1\/1 +to-apply +apply would set 3: /m);

    await applied();
    const after = await cli.run(["status"]);
    expect(after.stdout).toMatch(/^dev\/gitea +3 +3 +3 +3\/3 +in-sync$/m);

    await scale("mailpit", 1);
    const drifted = JSON.parse((await cli.run(["status", "-o", "json"])).stdout);
    expect(drifted).toMatchObject({
      stack: "test",
      workloads: [
        { workload: "dev/gitea", states: ["in-sync"], pods: { available: 3, wanted: 3 } },
        { workload: "dev/mailpit", states: ["drift", "to-apply"], live: 1, applied: 3, target: 3 },
      ],
    });
  });
});

/** Lines of doctor, name by name. */
async function doctor(env: Record<string, string> = {}): Promise<{ code: number | undefined; says: object }> {
  const { code, stdout, stderr } = await cli.run(["doctor", "-o", "json"], { env });
  expect(stderr).toBe("");
  const { checks } = JSON.parse(stdout) as { checks: { name: string; result: string; text: string }[] };
  return { code, says: Object.fromEntries(checks.map(({ name, result, text }) => [name, `${result}: ${text}`])) };
}

describe("doctor", () => {
  it("says ok where everything is, and asks the API server for each permission", async () => {
    const { code, says } = await doctor();
    expect(says).toMatchObject({
      Pulumi: expect.stringMatching(/^ok: v3\./),
      backend: `ok: file://${cli.path("state")}`,
      state: "ok: readable, nothing pending",
      lock: "ok: none",
      plugin: "ok: kubernetes 4.25.0",
      policy: "ok: Pulumi.test.yaml lists 2 workloads",
      kubeconfig: `ok: context admin@${cluster.name}, ${cluster.server}`,
      "API server": expect.stringMatching(/^ok: Kubernetes v1\./),
      "list nodes": "ok: allowed",
      "list deployments.apps in dev": "ok: allowed",
      "patch deployments.apps in dev": "ok: allowed",
    });
    expect(code).toBe(0);
  });

  it("names what is missing for a ServiceAccount with less than the documented role", async () => {
    const manifest = fileURLToPath(new URL("../../deploy/rbac.yaml", import.meta.url));
    const { kubeconfig } = await restrictedAccess(cluster, manifest, {
      change: (objects) =>
        objects.map((object) => ({
          ...object,
          ...(object.rules && {
            rules: (object.rules as { verbs: string[]; resources: string[] }[])
              .filter(({ verbs }) => !verbs.includes("patch"))
              .map((rule) => ({ ...rule, resources: rule.resources.filter((name) => name !== "pods") })),
          }),
        })),
    });
    const { code, says } = await doctor({ KUBECONFIG: kubeconfig });
    expect(code).toBe(1);
    expect(says).toMatchObject({
      "list nodes": "ok: allowed",
      "list pods": "note: not allowed (the room that is left on the nodes); grant it as deploy/rbac.yaml does",
      "patch deployments.apps in dev":
        "failed: not allowed (the patches of an apply); grant it as deploy/rbac.yaml does",
    });
  });

  it("a cluster that is gone, a wrong passphrase and a lock left behind are each a line with what to do", async () => {
    await applied();
    const locks = path.join(cli.path("state"), ".pulumi", "locks", "organization", "cluster-scale", "test");
    await mkdir(locks, { recursive: true });
    const lock = { pid: 2 ** 22 + 1, username: "ci", hostname: hostname(), timestamp: "2026-01-15T12:00:00Z" };
    await writeFile(path.join(locks, "1.json"), JSON.stringify(lock));
    const { code, says } = await doctor({ KUBECONFIG: "/nowhere", PULUMI_CONFIG_PASSPHRASE: "wrong" });
    expect(code).toBe(1);
    expect(says).toMatchObject({
      state: expect.stringMatching(/^failed: .*incorrect passphrase/),
      lock: `failed: left behind by ci@${hostname()} (pid ${lock.pid}) since 2026-01-15T12:00:00Z, which is gone. Run cluster-scale recover`,
      kubeconfig: expect.stringMatching(/^failed: No kubeconfig: there is no \/nowhere/),
      permissions: "skipped: not checked, since kubeconfig failed",
    });
  });
});

interface FieldsOfSpec {
  "f:spec"?: Record<string, unknown>;
}

describe("release", () => {
  const PATH = "/apis/apps/v1/namespaces/dev/deployments/gitea";
  const managers = async () => {
    const { metadata } = await cluster.api.get(PATH);
    const entries = metadata.managedFields ?? [];
    return entries
      .filter(({ fieldsV1 }) => (fieldsV1 as FieldsOfSpec)["f:spec"]?.["f:replicas"] !== undefined)
      .map((each) => each.manager);
  };

  it("hands the count over at its value, once the workload has left the allowlist, and no apply resets it", async () => {
    // Nobody else may own the count: a further owner would hide that it was dropped.
    await cluster.api.delete(PATH);
    await cluster.api.apply(deployment("gitea", { spec: { replicas: undefined } }), { fieldManager: "somebody" });
    await applied();
    expect(await managers()).toEqual(["cluster-scale"]);

    const listed = await cli.run(["release", "dev/gitea", "--yes"]);
    expect(listed).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "cluster-scale: dev/gitea is on the allowlist of Pulumi.test.yaml: the next apply would take its count back. Take it off the list first",
    });

    await cli.stack.setConfig({ workloads: [entry("mailpit")] });
    const counts = watchReplicas(PATH);
    const released = await cli.run(["release", "dev/gitea", "--yes"]);
    expect(released).toEqual({
      code: 0,
      stdout: "dev/gitea stays at 3; its count is cluster-scale-released's now.",
      stderr: "",
    });
    expect(await managers()).toEqual(["cluster-scale-released"]);
    await applied();
    expect([...new Set(await counts())]).toEqual([3]);

    const again = await cli.run(["release", "dev/gitea", "--yes"]);
    expect(again.stdout).toBe(
      "Nothing to release: cluster-scale has no hold on the count of dev/gitea; cluster-scale-released has.",
    );
  });

  it("takes nothing from a manager that applies the whole object, and knows what isn't there", async () => {
    await cluster.api.delete(PATH);
    await cluster.api.apply(deployment("gitea", { spec: { replicas: undefined } }), {
      fieldManager: "argocd-controller",
    });
    await applied();
    await cli.stack.setConfig({ workloads: [entry("mailpit")] });
    const taken = await cli.run(["release", "dev/gitea", "--yes", "--to", "argocd-controller"]);
    expect(taken.code).toBe(2);
    expect(taken.stderr).toBe(
      "cluster-scale: argocd-controller applies other fields of dev/gitea, which it would lose by applying the count alone. " +
        "Give another name with --to; what applies the whole object takes the count over by itself",
    );
    expect(await managers()).toEqual(["cluster-scale"]);
    const missing = await cli.run(["release", "dev/none", "--yes"]);
    expect(missing).toEqual({ code: 2, stdout: "", stderr: "cluster-scale: there is no Deployment dev/none" });
  });

  /** Looks at the count until the function that it gives is called, which gives all counts that were seen. */
  function watchReplicas(objectPath: string): () => Promise<number[]> {
    const seen: number[] = [];
    let over = false;
    const looking = (async () => {
      while (!over) seen.push((await cluster.api.get(objectPath)).spec.replicas);
    })();
    return async () => {
      over = true;
      await looking;
      return seen;
    };
  }
});
