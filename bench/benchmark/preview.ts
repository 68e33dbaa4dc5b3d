import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { addNodes } from "../cluster/nodes.ts";
import { startCluster } from "../cluster/start.ts";
import { pulumiEnv } from "../engine.ts";
import { createDemoWorkloads, demoWorkloads } from "../workloads.ts";
import { interleaved, type Times } from "./measure.ts";
import { createStackIn, ratio, ratioTable, staticProgram } from "./programs.ts";
import type { Result } from "./results.ts";

const root = path.join(import.meta.dirname, "..", "..");
const ROUNDS = 9;

/** What the live read and the plan cost. */
export async function previewBenchmark(): Promise<Result> {
  const times = await previewTimes(ROUNDS);
  return {
    title: "Preview against a static program",
    command: "npm run benchmark -- preview",
    body: `Wall time of \`pulumi preview\` in seconds, ${ROUNDS} interleaved rounds, three workers, four workloads.\n\n${ratioTable(times)}`,
    checks: [{ what: "preview of 4 workloads, against a static program", value: ratio(times), atMost: 1.1 }],
  };
}

/**
 * Wall times of `pulumi preview`: of a program that declares the four patches of the dev stack with their replicas written down, and
 * of that stack. Both have been applied, so both refresh the same resources.
 */
export async function previewTimes(rounds: number): Promise<Times[]> {
  const cluster = await startCluster();
  const folder = await mkdtemp(path.join(tmpdir(), "cluster-scale-benchmark-"));
  try {
    await addNodes(
      cluster,
      ["worker-1", "worker-2", "worker-3"].map((name) => ({ name })),
    );
    await createDemoWorkloads(cluster);
    const home = path.join(folder, "home");
    const env = await pulumiEnv({ home, backendDir: folder, kubeconfig: cluster.kubeconfig });
    const workloads = demoWorkloads()
      .filter(({ kind }) => kind === "Deployment")
      .map(({ metadata: { name } }) => ({ namespace: "dev", name }));
    const config = path.join(root, "Pulumi.dev.yaml");
    const live = await createStackIn(folder, { name: "live", project: root, env, config });
    const project = await staticProgram(folder, workloads, 3);
    const fixed = await createStackIn(folder, { name: "fixed", project, env });
    for (const run of [live, fixed]) await run("up", "--yes", "--skip-preview");
    return await interleaved(rounds, {
      "static program": () => fixed("preview"),
      "cluster-scale": () => live("preview"),
    });
  } finally {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
