/** Where faults happen: a cluster with workloads of which half are to grow and half to shrink, and a stack of them. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Cluster } from "../cluster/cluster.ts";
import { addNodes } from "../cluster/nodes.ts";
import { startCluster } from "../cluster/start.ts";
import { waitFor } from "../cluster/wait.ts";
import { smallDeployment } from "../load/objects.ts";
import { type RunningProxy, startProxy } from "../proxy.ts";
import { type CliOptions, type CliRun, createStack, linkProgram, runCli, type Stack } from "../stack.ts";
import { partsIn } from "./engine-processes.ts";
import { Floor } from "./floor.ts";
import { Gate } from "./gate.ts";
import { type SmallDisk, smallDisk } from "./small-disk.ts";

const NAMESPACE = "dev";
const WORKERS = ["worker-1", "worker-2", "worker-3"];
const PATH = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`;
/** Replicas before a run: on three workers one grows, one shrinks. */
const BEFORE = [2, 4];

/** What a run left behind, as its files and the kernel tell it. */
export interface Leftovers {
  locks: number;
  /** Pending operations in the state. */
  steps: number;
  processes: number;
}

export class Scene {
  readonly cluster: Cluster;
  readonly gate: Gate;
  readonly floor: Floor;
  readonly names: string[];
  readonly #proxy: RunningProxy;
  /** A stack on which nothing ever ran: each row gets a copy. */
  readonly #pristine: Stack;
  #stack: Stack | undefined;
  #disk: SmallDisk | undefined;

  private constructor(cluster: Cluster, gate: Gate, proxy: RunningProxy, pristine: Stack, names: string[]) {
    this.cluster = cluster;
    this.gate = gate;
    this.floor = new Floor(cluster.kubeconfig, NAMESPACE);
    this.names = names;
    this.#proxy = proxy;
    this.#pristine = pristine;
  }

  static async open(workloads: number): Promise<Scene> {
    const cluster = await startCluster();
    await addNodes(
      cluster,
      WORKERS.map((name) => ({ name })),
    );
    const names = Array.from({ length: workloads }, (_, i) => `app-${String(i + 1).padStart(2, "0")}`);
    await cluster.api.ensure({ apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } });
    for (const [index, name] of names.entries())
      await cluster.api.create(smallDeployment({ namespace: NAMESPACE, name, replicas: before(index) }));
    const gate = new Gate();
    const proxy = await startProxy(cluster, gate.intercept);
    const config = {
      requestTimeoutSeconds: 5,
      workloads: names.map((name) => ({ namespace: NAMESPACE, name, max: 10 })),
    };
    return new Scene(cluster, gate, proxy, await createStack({ kubeconfig: proxy.kubeconfig, config }), names);
  }

  /** Sets the stage anew: a stack without a run, and every workload with the replicas that it has before one. */
  async reset(options: { smallDisk?: boolean } = {}): Promise<void> {
    this.floor.clear();
    this.gate.set();
    await this.#removeStack();
    this.#stack = await this.#copyOfPristine(options.smallDisk ?? false);
    await addMissingNodes(this.cluster);
    for (const [index, name] of this.names.entries()) {
      await this.cluster.api.patch(`${PATH}/${name}/scale`, { spec: { replicas: before(index) } });
    }
    await this.#available(before);
  }

  /** Watches from now on that no workload falls below what it has and what `target` gives it. */
  watch({ target, nodesLeave }: { target: number; nodesLeave: boolean }): void {
    for (const [index, name] of this.names.entries()) {
      const replicas = Math.min(before(index), target);
      // Pods of a node that leaves go with it.
      this.floor.set(name, { replicas, available: nodesLeave ? 0 : replicas });
    }
  }

  /** The disk of the state backend, where it has one of its own. */
  get disk(): SmallDisk | undefined {
    return this.#disk;
  }

  get folder(): string {
    return this.#current.folder;
  }

  cli(args: string[], options?: CliOptions): Promise<CliRun> {
    return runCli(this.#current, args, options);
  }

  get stateFile(): string {
    return path.join(this.#backend, ".pulumi", "stacks", "cluster-scale", "test.json");
  }

  /** What is there of a run, whatever product code says of it. */
  async leftovers(): Promise<Leftovers> {
    const locks = path.join(this.#backend, ".pulumi", "locks", "organization", "cluster-scale", "test");
    const names = await readdir(locks).catch(() => []);
    return {
      locks: names.filter((name) => name.endsWith(".json")).length,
      steps: await this.#pendingSteps(),
      processes: partsIn(this.folder).length,
    };
  }

  /** Names of the workloads that do not have so many replicas. */
  async notAt(target: number): Promise<string[]> {
    const items = await this.cluster.api.list(PATH);
    return items.filter(({ spec }) => spec.replicas !== target).map(({ metadata }) => metadata.name);
  }

  /** Writes that went anywhere but to the workloads. */
  foreignWrites(): string[] {
    const own = new Set(this.names.map((name) => `${PATH}/${name}`));
    return this.gate.writes.filter((url) => !own.has(url));
  }

  async close(): Promise<void> {
    this.floor.stop();
    await this.#removeStack();
    await this.#pristine.remove();
    await this.#proxy.close();
    await this.cluster.stop();
  }

  get #current(): Stack {
    if (this.#stack === undefined) throw new Error("the scene was not set: reset() comes first");
    return this.#stack;
  }

  get #backend(): string {
    return (this.#current.env.PULUMI_BACKEND_URL ?? "").slice("file://".length);
  }

  async #copyOfPristine(onSmallDisk: boolean): Promise<Stack> {
    const { folder: pristine, env, pulumi } = this.#pristine;
    const folder = await mkdtemp(path.join(tmpdir(), "cluster-scale-faults-"));
    const ordinary = path.join(folder, "state");
    await mkdir(ordinary);
    if (onSmallDisk) this.#disk = await smallDisk(ordinary);
    const state = this.#disk?.folder ?? ordinary;
    await cp(path.join(pristine, "state"), state, { recursive: true });
    for (const file of ["Pulumi.yaml", "Pulumi.test.yaml"])
      await cp(path.join(pristine, file), path.join(folder, file));
    await linkProgram({ folder });
    return {
      folder,
      config: path.join(folder, "Pulumi.test.yaml"),
      env: { ...env, PULUMI_BACKEND_URL: `file://${state}` },
      pulumi,
      remove: () => rm(folder, { recursive: true, force: true }),
    };
  }

  async #removeStack(): Promise<void> {
    if (this.#stack === undefined) return;
    // A row that failed may have left some; they are this scene's own.
    for (const { process: each } of partsIn(this.folder)) process.kill(each.pid, "SIGKILL");
    await this.#disk?.remove();
    await this.#stack.remove();
    this.#disk = undefined;
    this.#stack = undefined;
  }

  async #pendingSteps(): Promise<number> {
    const text = await readFile(this.stateFile, "utf8").catch(() => "{}");
    try {
      return JSON.parse(text).checkpoint?.latest?.pending_operations?.length ?? 0;
    } catch {
      return 0;
    }
  }

  async #available(wanted: (index: number) => number): Promise<void> {
    await waitFor(
      async () => {
        const items = await this.cluster.api.list(PATH);
        const available = new Map(items.map(({ metadata, status }) => [metadata.name, status?.availableReplicas ?? 0]));
        return this.names.every((name, index) => available.get(name) === wanted(index));
      },
      { what: "the pods of all workloads", timeout: 120_000 },
    );
  }
}

function before(index: number): number {
  return BEFORE[index % BEFORE.length] as number;
}

async function addMissingNodes(cluster: Cluster): Promise<void> {
  const there = new Set((await cluster.api.list("/api/v1/nodes")).map(({ metadata }) => metadata.name));
  const missing = WORKERS.filter((name) => !there.has(name));
  await addNodes(
    cluster,
    missing.map((name) => ({ name })),
  );
}
