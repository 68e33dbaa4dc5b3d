import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Cluster } from "../cluster/cluster.ts";
import { addNodes } from "../cluster/nodes.ts";
import { startCluster } from "../cluster/start.ts";
import { waitFor } from "../cluster/wait.ts";
import { pulumiEnv } from "../engine.ts";
import { createMany, createNamespaces } from "../load/create.ts";
import { loadDeployment, loadNamespace } from "../load/objects.ts";
import { interleaved, median, type Times } from "./measure.ts";
import {
  createStackIn,
  liveProgram,
  type RunStack,
  ratio,
  ratioTable,
  staticProgram,
  type Workload,
} from "./programs.ts";
import type { Result } from "./results.ts";

const WORKLOADS = 1000;
const SCALED = 200;
const NAMESPACES = 10;
const REPLICAS = 3;
/** Of each; one is half a minute. */
const ROUNDS = 3;

/** Large stacks: a preview of 1,000 workloads, and an update that scales 200, against static programs with the same patches. */
export async function scaleBenchmark(): Promise<Result> {
  const cluster = await startCluster();
  const folder = await mkdtemp(path.join(tmpdir(), "cluster-scale-benchmark-"));
  try {
    await addNodes(
      cluster,
      Array.from({ length: REPLICAS }, (_, i) => ({
        name: `worker-${i + 1}`,
        allocatable: { cpu: "64", pods: "5000" },
      })),
    );
    await createNamespaces(cluster, NAMESPACES);
    await createMany(cluster, WORKLOADS, (index) => loadDeployment(index, NAMESPACES));
    const workloads = Array.from({ length: WORKLOADS }, (_, index) => ({
      namespace: loadNamespace(index % NAMESPACES),
      name: `app-${index}`,
    }));
    const home = path.join(folder, "home");
    const env = await pulumiEnv({ home, backendDir: folder, kubeconfig: cluster.kubeconfig });
    // A file backend writes the whole state after each resource, which took 10 minutes for 1,000 of them. The up that comes before
    // the previews is not measured, and may write it once.
    const savedOnce = { ...env, PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };
    const previews = await previewTimes(folder, savedOnce, workloads);
    const updates = await updateTimes(cluster, folder, env, workloads.slice(0, SCALED));
    return {
      title: "Large stacks against static programs",
      command: "npm run benchmark -- scale",
      body:
        `Wall time in seconds, ${ROUNDS} interleaved rounds, three workers, ${NAMESPACES} namespaces.\n\n` +
        `\`pulumi preview\` of ${WORKLOADS} workloads that have been applied:\n\n${ratioTable(previews)}\n\n` +
        `\`pulumi up\` that takes ${SCALED} workloads from 1 replica to ${REPLICAS}, until all their pods run:\n\n${ratioTable(updates)}`,
      checks: [
        { what: `preview of ${WORKLOADS} workloads, against a static program`, value: ratio(previews), atMost: 1.1 },
        { what: `up of ${SCALED} workloads, against a static program`, value: ratio(updates), atMost: 1.05 },
      ],
    };
  } finally {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function programs(folder: string, env: Record<string, string>, workloads: Workload[]) {
  const count = workloads.length;
  const project = await staticProgram(folder, workloads, REPLICAS);
  return {
    "static program": await createStackIn(folder, { name: `fixed-${count}`, project, env }),
    "cluster-scale": await createStackIn(folder, { name: `live-${count}`, env, ...liveProgram(workloads) }),
  };
}

async function previewTimes(folder: string, env: Record<string, string>, workloads: Workload[]): Promise<Times[]> {
  const { "static program": fixed, "cluster-scale": live } = await programs(folder, env, workloads);
  for (const run of [live, fixed]) await run("up", "--yes", "--skip-preview");
  return await interleaved(ROUNDS, {
    "static program": () => fixed("preview"),
    "cluster-scale": () => live("preview"),
  });
}

/** Before each update, and outside its time, the workloads have 1 replica again. The static program does not look whether pods run: that is added. */
async function updateTimes(
  cluster: Cluster,
  folder: string,
  env: Record<string, string>,
  workloads: Workload[],
): Promise<Times[]> {
  const runs = Object.entries(await programs(folder, env, workloads));
  const times = new Map(runs.map(([name]) => [name, [] as number[]]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, run] of runs) {
      await scaleAll(cluster, workloads, 1);
      await available(cluster, workloads, 1);
      const seconds = await timed(run, () => available(cluster, workloads, REPLICAS));
      // The first round creates the patches, and warms up.
      if (round > 0) times.get(name)?.push(seconds);
    }
  }
  return [...times].map(([name, seconds]) => ({ name, seconds, median: median(seconds) }));
}

async function timed(run: RunStack, done: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await run("up", "--yes", "--skip-preview");
  await done();
  return (performance.now() - start) / 1000;
}

async function scaleAll(cluster: Cluster, workloads: Workload[], replicas: number): Promise<void> {
  for (const { namespace, name } of workloads) {
    await cluster.api.patch(`/apis/apps/v1/namespaces/${namespace}/deployments/${name}/scale`, { spec: { replicas } });
  }
}

async function available(cluster: Cluster, workloads: Workload[], replicas: number): Promise<void> {
  const names = new Set(workloads.map(({ namespace, name }) => `${namespace}/${name}`));
  await waitFor(
    async () => {
      const items = await cluster.api.list("/apis/apps/v1/deployments");
      return items.every(
        ({ metadata, status }) =>
          !names.has(`${metadata.namespace}/${metadata.name}`) || status?.availableReplicas === replicas,
      );
    },
    { what: `${replicas} available pods of each workload`, timeout: 300_000, interval: 250 },
  );
}
