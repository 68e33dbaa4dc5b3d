/**
 * The plan is never made from one cluster and applied to another.
 */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { auditWrites } from "../../bench/cluster/audit.ts";
import type { Cluster } from "../../bench/cluster/cluster.ts";
import { addNodes } from "../../bench/cluster/nodes.ts";
import { startCluster } from "../../bench/cluster/start.ts";
import { TestStack } from "./support/stack.ts";
import { createWorkloads, deployment, entry, liveReplicas } from "./support/workloads.ts";

let small: Cluster;
let large: Cluster;
/** One kubeconfig with the contexts small, which is current, and large. */
let both: string;

beforeAll(async () => {
  [small, large] = await Promise.all([startCluster({ audit: true }), startCluster({ audit: true })]);
  both = path.join(small.dir, "both.kubeconfig");
  await writeFile(both, await mergedKubeconfig({ small, large }));
  await addNodes(
    small,
    ["s-1", "s-2"].map((name) => ({ name })),
  );
  await addNodes(
    large,
    ["l-1", "l-2", "l-3", "l-4"].map((name) => ({ name })),
  );
});

afterAll(async () => {
  await Promise.all([small?.stop(), large?.stop()]);
});

beforeEach(async () => {
  for (const { api } of [small, large]) {
    await api.delete("/apis/apps/v1/namespaces/dev/deployments/gitea");
    await createWorkloads(api, [deployment("gitea")]);
  }
});

async function mergedKubeconfig(clusters: Record<string, Cluster>): Promise<string> {
  const parts = await Promise.all(
    Object.entries(clusters).map(async ([name, { kubeconfig }]) => {
      const {
        clusters: [{ cluster }],
        users: [{ user }],
      } = parse(await readFile(kubeconfig, "utf8"));
      return {
        cluster: { name, cluster },
        user: { name, user },
        context: { name, context: { cluster: name, user: name } },
      };
    }),
  );
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: parts.map(({ cluster }) => cluster),
    users: parts.map(({ user }) => user),
    contexts: parts.map(({ context }) => context),
    "current-context": "small",
  });
}

async function expectOnly(written: Cluster, other: Cluster, replicas: number, stack: TestStack): Promise<void> {
  const since = new Date();
  const up = await stack.up();
  await stack.remove();
  expect(up.code, up.output).toBe(0);
  expect(await liveReplicas(written.api)).toEqual({ gitea: replicas });
  expect(await liveReplicas(other.api)).toEqual({ gitea: 1 });
  expect(auditWrites(other, { user: "admin", since })).toEqual([]);
}

const config = { workloads: [entry("gitea")] };

describe("reads and patches the same cluster", () => {
  it("that of the current context by default", async () => {
    await expectOnly(small, large, 2, await TestStack.create({ kubeconfig: both, config }));
  });

  it("that of kubernetes:context", async () => {
    const otherConfig = { "kubernetes:context": "large" };
    await expectOnly(large, small, 4, await TestStack.create({ kubeconfig: both, config, otherConfig }));
  });

  it("that of kubernetes:kubeconfig, whatever KUBECONFIG says", async () => {
    const otherConfig = { "kubernetes:kubeconfig": large.kubeconfig };
    await expectOnly(large, small, 4, await TestStack.create({ kubeconfig: both, config, otherConfig }));
  });

  it("that of a KUBECONFIG with several files, the first of which names the context", async () => {
    const kubeconfig = [large.kubeconfig, both].join(path.delimiter);
    await expectOnly(large, small, 4, await TestStack.create({ kubeconfig, config }));
  });
});
