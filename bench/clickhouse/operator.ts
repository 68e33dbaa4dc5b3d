import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, type KubeApi } from "../cluster/api.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { reconcileBudgets } from "./budgets.ts";
import { reconcileClickHouse } from "./clickhouse.ts";
import { API_VERSION, installClickHouseCrds } from "./crds.ts";
import { isDone, isSettled } from "./done.ts";
import { eventsOfChange, type OperatorEvent, publish } from "./events.ts";
import { reconcileKeeper } from "./keeper.ts";
import { type Memory, newMemory, type Pass } from "./pass.ts";
import { StatusDraft } from "./status.ts";
import type {
  ClusterKind,
  ClusterObject,
  ClusterRef,
  Delays,
  Fault,
  FaultType,
  JournalEntry,
  SimulatedOperator,
} from "./types.ts";

export type {
  ClusterObject,
  ClusterRef,
  Condition,
  Delays,
  Fault,
  FaultType,
  JournalEntry,
  SimulatedOperator,
} from "./types.ts";

/** Fast enough for a test: a step of a quorum takes one to three seconds. */
export const FAST: Delays = { poll: 100, notice: 300, step: 100, join: 200, leave: 200, schema: 200, cleanup: 200 };

/**
 * Starts an operator of KeeperClusters and ClickHouseClusters in this process, and installs their definitions. It does what
 * ClickHouse/clickhouse-operator does as far as others can see it: StatefulSets and PodDisruptionBudgets on the API server, and
 * the status. What runs in the pods it plays itself.
 */
export async function startOperator(
  cluster: Cluster,
  { delays = {} }: { delays?: Partial<Delays> } = {},
): Promise<SimulatedOperator> {
  const api = cluster.client(cluster.adminToken);
  await installClickHouseCrds(api);
  return new Operator(api, { ...FAST, ...delays });
}

class Operator implements SimulatedOperator {
  readonly journal: JournalEntry[] = [];
  readonly #api: KubeApi;
  readonly #delays: Delays;
  readonly #faults: Fault[] = [];
  readonly #memories = new Map<string, Memory>();
  readonly #loop: Promise<void>;
  #stopped = false;

  constructor(api: KubeApi, delays: Delays) {
    this.#api = api;
    this.#delays = delays;
    this.#loop = this.#run();
    // It is thrown by `stop`; before that nobody waits for it.
    this.#loop.catch(() => undefined);
  }

  inject(fault: Fault): void {
    this.#faults.push(fault);
  }

  heal(fault?: Fault): void {
    const left = fault ? this.#faults.filter((each) => each.type !== fault.type || !same(each.on, fault.on)) : [];
    this.#faults.splice(0, this.#faults.length, ...left);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    try {
      await this.#loop;
    } finally {
      this.#api.close();
    }
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const looks = await Promise.allSettled([this.#look("KeeperCluster"), this.#look("ClickHouseCluster")]);
      for (const look of looks) if (look.status === "rejected" && !isPassing(look.reason)) throw look.reason;
      await sleep(this.#delays.poll);
    }
  }

  async #look(kind: ClusterKind): Promise<void> {
    const items = await this.#api.list<ClusterObject>(`/apis/${API_VERSION}/${kind.toLowerCase()}s`);
    for (const item of items) {
      if (item.metadata.deletionTimestamp === undefined)
        await this.#reconcile({ ...item, apiVersion: API_VERSION, kind });
    }
  }

  async #reconcile(cluster: ClusterObject): Promise<void> {
    const { kind, metadata } = cluster;
    const on: ClusterRef = { kind, namespace: metadata.namespace, name: metadata.name };
    const memory = this.#memoryOf(metadata.uid);
    const { generation } = metadata;
    const now = Date.now();
    const record: Pass["record"] = (event, member) => {
      this.journal.push({ at: now, on, event, generation, ...(member === undefined ? {} : { member }) });
    };
    if (memory.generation !== generation) {
      memory.generation = generation;
      memory.noticedAt = now + this.#delays.notice;
      this.journal.push({ at: now, on, event: "spec", generation, ...seen(cluster) });
    }
    const faults = this.#faultsOn(on);
    if (now < memory.noticedAt || faults.has("stale-status")) return;
    const draft = new StatusDraft(cluster);
    const events: OperatorEvent[] = [];
    const pass: Pass = { api: this.#api, cluster, delays: this.#delays, faults, memory, draft, now, record, events };
    await reconcileBudgets(pass);
    await (kind === "KeeperCluster" ? reconcileKeeper(pass) : reconcileClickHouse(pass));
    events.push(...eventsOfChange(kind, cluster.status, draft.status));
    await draft.write(this.#api);
    for (const event of events) await this.#publishOnce(memory, cluster, event);
    if (memory.doneGeneration !== generation && isDone(cluster)) {
      memory.doneGeneration = generation;
      record("done");
    }
  }

  /** An event that says the same as the one before is counted by the real operator, and left out here. */
  async #publishOnce(memory: Memory, cluster: ClusterObject, event: OperatorEvent): Promise<void> {
    const text = JSON.stringify(event);
    if (memory.lastEvent === text) return;
    memory.lastEvent = text;
    await publish(this.#api, cluster, event);
  }

  #memoryOf(uid: string): Memory {
    const memory = this.#memories.get(uid) ?? newMemory();
    this.#memories.set(uid, memory);
    return memory;
  }

  #faultsOn(on: ClusterRef): Set<FaultType> {
    return new Set(this.#faults.filter((fault) => same(fault.on, on)).map(({ type }) => type));
  }
}

/** What a new generation asks for, and how far the one before had come by the status that was there. */
function seen(cluster: ClusterObject): Partial<JournalEntry> {
  const { spec, status } = cluster;
  return {
    replicas: spec.replicas,
    ...(spec.shards === undefined ? {} : { shards: spec.shards }),
    settled: isSettled(cluster),
    reasons: Object.fromEntries((status?.conditions ?? []).map(({ type, reason }) => [type, reason])),
  };
}

function same(one: ClusterRef, other: ClusterRef): boolean {
  return one.kind === other.kind && one.namespace === other.namespace && one.name === other.name;
}

/** The API server is away, or somebody was faster: the next look is another try. An invalid object is a mistake of ours. */
function isPassing(error: unknown): boolean {
  if (error instanceof ApiError && (error.status === 400 || error.status === 422)) return false;
  return (
    error instanceof ApiError || (error instanceof Error && ("code" in error || /no answer in/.test(error.message)))
  );
}
