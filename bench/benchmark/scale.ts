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

/** A preview of 1,000 workloads that have been applied, against a static program with the same patches. */
export function largePreviewBenchmark(): Promise<Result> {
  return withWorkloads(WORKLOADS, async ({ folder, env, workloads }) => {
    // A file backend writes the whole state after each resource, which took 10 minutes for 1,000 of them. The up that comes before
    // the previews is not measured, and may write it once.
    const savedOnce = { ...env, PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };
    const times = await previewTimes(folder, savedOnce, workloads);
    return {
      title: "Preview of a large stack against a static program",
      command: "npm run benchmark -- large-preview",
      body: `Wall time of \`pulumi preview\` in seconds, ${ROUNDS} interleaved rounds, ${WORKLOADS} workloads in ${NAMESPACES} namespaces, three workers.\n\n${ratioTable(times)}`,
      checks: [
        { what: `preview of ${WORKLOADS} workloads, against a static program`, value: ratio(times), atMost: 1.1 },
      ],
    };
  });
}

/** An update that scales 200 workloads, against a static program with the same patches. */
export function updateBenchmark(): Promise<Result> {
  return withWorkloads(SCALED, async ({ cluster, folder, env, workloads }) => {
    const times = await updateTimes(cluster, folder, env, workloads);
    return {
      title: "Update against a static program",
      command: "npm run benchmark -- update",
      body:
        `Wall time of a \`pulumi up\` that takes ${SCALED} workloads in ${NAMESPACES} namespaces from 1 replica to ${REPLICAS}, until all their pods run, in seconds, ` +
        `${ROUNDS} interleaved rounds, three workers.\n\n${ratioTable(times)}`,
      checks: [{ what: `up of ${SCALED} workloads, against a static program`, value: ratio(times), atMost: 1.05 }],
    };
  });
}

interface Stage {
  cluster: Cluster;
  /** For stacks, and gone afterwards. */
  folder: string;
  env: Record<string, string>;
  workloads: Workload[];
}

async function withWorkloads<Value>(count: number, use: (stage: Stage) => Promise<Value>): Promise<Value> {
  const cluster = await startCluster();
  const folder = await mkdtemp(path.join(tmpdir(), "cluster-scale-benchmark-"));
  try {
    const allocatable = { cpu: "64", pods: "5000" };
    await addNodes(
      cluster,
      Array.from({ length: REPLICAS }, (_, index) => ({ name: `worker-${index + 1}`, allocatable })),
    );
    await createNamespaces(cluster, NAMESPACES);
    await createMany(cluster, count, (index) => loadDeployment(index, NAMESPACES));
    const workloads = Array.from({ length: count }, (_, index) => ({
      namespace: loadNamespace(index % NAMESPACES),
      name: `app-${index}`,
    }));
    const home = path.join(folder, "home");
    const env = await pulumiEnv({ home, backendDir: folder, kubeconfig: cluster.kubeconfig });
    return await use({ cluster, folder, env, workloads });
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
