/**
 * `npm start`: the main job on an embedded cluster. Starts a control plane with four workers and a dedicated
 * control-plane node, puts the four Deployments of the dev stack on it with one replica each, and runs the real
 * `pulumi preview`, asks, `pulumi up`, and previews again.
 *
 *   npm start            asks before anything is applied
 *   npm start -- --yes   does not ask
 */
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { styleText } from "node:util";
import { confirm } from "@inquirer/prompts";
import { Command } from "commander";
import type { Cluster } from "./cluster/cluster.ts";
import { addNodes } from "./cluster/nodes.ts";
import { startCluster } from "./cluster/start.ts";
import { takeDownOwn } from "./cluster/sweep.ts";
import { waitFor } from "./cluster/wait.ts";
import { initStack, pulumiEnv } from "./engine.ts";
import { createDemoWorkloads } from "./workloads.ts";

const root = path.join(import.meta.dirname, "..");
const WORKERS = ["worker-1", "worker-2", "worker-3", "worker-4"];

const { yes } = new Command("npm start --")
  .description("The main job on an embedded cluster: preview, confirm, up, preview again.")
  .option("-y, --yes", "apply without asking", false)
  .parse()
  .opts<{ yes: boolean }>();

if (!yes && !process.stdin.isTTY) {
  console.error("Nobody can be asked here: this is no terminal. Run `npm start -- --yes` to apply without a question.");
  process.exit(2);
}

/** What is taken down at the end, however that comes, last things first. */
const cleanups: (() => Promise<unknown>)[] = [];
let stopping: Promise<void> | undefined;

async function cleanUp(): Promise<void> {
  stopping ??= (async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
  })();
  await stopping;
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => void cleanUp().then(() => process.exit(130)));
}

try {
  process.exitCode = await main();
} catch (error) {
  // Ctrl-C at the question.
  if ((error as Error).name === "ExitPromptError") process.exitCode = 130;
  else {
    console.error(`\n${(error as Error).message}`);
    process.exitCode = 1;
  }
} finally {
  await cleanUp();
}

/** The whole story; gives the exit code. */
async function main(): Promise<number> {
  heading("Starting a cluster with four workers and a control-plane node");
  // Before the start, which may be interrupted too.
  cleanups.push(takeDownOwn);
  const cluster = await startCluster();
  await addNodes(cluster, [{ name: "control-1", role: "control-plane" }, ...WORKERS.map((name) => ({ name }))]);
  await createDemoWorkloads(cluster);
  await showPods(cluster);

  const pulumi = await newStack(cluster);
  heading("pulumi preview: what would be done, and why. Nothing is written");
  if ((await pulumi("preview")) !== 0) return 1;

  if (!yes && !(await confirm({ message: "Apply it with `pulumi up`?", default: true }))) {
    console.log("Nothing was applied.");
    return 0;
  }
  heading("pulumi up");
  if ((await pulumi("up", "--yes", "--skip-preview")) !== 0) return 1;
  await showPods(cluster);

  heading("pulumi preview: there is nothing left to do");
  return await pulumi("preview", "--expect-no-changes");
}

/** A stack `dev` with its state in a temporary folder; gives how to run pulumi on it, on this terminal. */
async function newStack(cluster: Cluster): Promise<(...args: string[]) => Promise<number>> {
  const folder = await mkdtemp(path.join(tmpdir(), "cluster-scale-start-"));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  // A copy, since Pulumi writes the salt of a new stack into its configuration.
  const config = path.join(folder, "Pulumi.dev.yaml");
  await copyFile(path.join(root, "Pulumi.dev.yaml"), config);
  const env = await pulumiEnv({ home: path.join(folder, "home"), backendDir: folder, kubeconfig: cluster.kubeconfig });
  // Read first, refresh then: what is wrong with a cluster is told by the program (docs/decisions/0003).
  const pulumi = await initStack(root, config, { ...env, PULUMI_RUN_PROGRAM: "true" });
  return async (...args) => (await pulumi(args, { inherit: true })).code;
}

/** Waits until the pods of all Deployments run, and prints which node has which. */
async function showPods(cluster: Cluster): Promise<void> {
  const deployments = await cluster.api.list("/apis/apps/v1/namespaces/dev/deployments");
  const wanted = deployments.reduce((sum, { spec }) => sum + spec.replicas, 0);
  const pods = await waitFor(
    async () => {
      const items = await cluster.api.list("/api/v1/namespaces/dev/pods");
      const running = items.filter(({ status }) => status.phase === "Running");
      return running.length === wanted ? running : undefined;
    },
    { what: `${wanted} Running pods`, timeout: 60_000 },
  );
  heading(`${wanted} pods run`);
  for (const node of WORKERS) {
    const here = pods.filter(({ spec }) => spec.nodeName === node);
    const names = here.map(({ metadata }) => metadata.labels?.["app.kubernetes.io/name"] ?? metadata.name);
    console.log(`  ${node}  ${names.sort().join("  ") || "-"}`);
  }
}

function heading(text: string): void {
  console.log(`\n${styleText("bold", `▸ ${text}`)}`);
}
