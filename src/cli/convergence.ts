/**
 * Waiting for the operator: how far each ClickHouse and Keeper cluster is, until one of them has finished its step, or is given up.
 */
import type { ClusterKey, ClusterLook } from "../cluster/clickhouse-look.ts";
import type { ClickHouseCluster, KeeperCluster, Snapshot } from "../cluster/snapshot.ts";
import type { ClickHousePolicy } from "../config/clickhouse.ts";
import { type Unfinished, unfinishedOfClickHouse, unfinishedOfKeeper } from "../plan/clickhouse-done.ts";
import { diagnosis, progressText } from "../report/cluster-progress.ts";
import { StalledError } from "./converge-errors.ts";

const POLL_MILLISECONDS = 1_000;
/** A line that says the same is said again after this, so that nobody takes the command for dead. */
const REPEAT_MILLISECONDS = 15_000;

/** A cluster that is to finish. */
export interface Awaited extends ClusterKey {
  timeoutSeconds: number;
}

/** The clusters of the policy, their Keepers and what else uses those, as far as they are not finished. */
export function awaitedIn(snapshot: Snapshot, entries: readonly ClickHousePolicy[]): Awaited[] {
  const awaited = new Map<string, Awaited>();
  const longest = Math.max(...entries.map(({ stepTimeoutSeconds }) => stepTimeoutSeconds));
  const keepers = new Set<string>();
  const timeouts = new Map<string, number>();
  for (const { namespace, name, keeper, stepTimeoutSeconds } of entries) {
    const cluster = snapshot.clickHouseClusters.find((one) => one.namespace === namespace && one.name === name);
    if (name !== null) timeouts.set(`ClickHouseCluster ${namespace}/${name}`, stepTimeoutSeconds);
    const named =
      keeper?.name == null ? cluster?.keeper : { namespace: keeper.namespace ?? namespace, name: keeper.name };
    if (named == null) continue;
    keepers.add(`${named.namespace}/${named.name}`);
    timeouts.set(`KeeperCluster ${named.namespace}/${named.name}`, stepTimeoutSeconds);
  }
  const add = (kind: ClusterKey["kind"], { apiVersion, namespace, name }: KeeperCluster) => {
    const key = `${kind} ${namespace}/${name}`;
    awaited.set(key, { kind, apiVersion, namespace, name, timeoutSeconds: timeouts.get(key) ?? longest });
  };
  for (const keeper of snapshot.keeperClusters) {
    if (keepers.has(`${keeper.namespace}/${keeper.name}`)) add("KeeperCluster", keeper);
  }
  for (const cluster of snapshot.clickHouseClusters) {
    const usesKeeper = cluster.keeper !== null && keepers.has(`${cluster.keeper.namespace}/${cluster.keeper.name}`);
    if (usesKeeper || timeouts.has(`ClickHouseCluster ${cluster.namespace}/${cluster.name}`))
      add("ClickHouseCluster", cluster);
  }
  return [...awaited.values()];
}

/** Nothing: it is finished, or switched off. */
export function unfinishedOf(cluster: KeeperCluster | ClickHouseCluster): Unfinished[] {
  if (cluster.replicas === 0) return [];
  return "shards" in cluster ? unfinishedOfClickHouse(cluster) : unfinishedOfKeeper(cluster);
}

/** Since when a cluster is waited for, and what was last said of it, when. */
interface Clock {
  /** The generation that it is waited for with; null until the first look after a step. */
  generation: number | null;
  since: number;
  said: string;
  saidAt: number;
}

/** One wait after the other, each cluster's clock running from its own last change on. */
export class Waiting {
  readonly #tell: (line: string) => void;
  readonly #now: () => number;
  readonly #clocks = new Map<string, Clock>();

  constructor(tell: (line: string) => void, now: () => number = Date.now) {
    this.#tell = tell;
    this.#now = now;
  }

  /** A step of the cluster was taken just now. */
  begin(key: Pick<ClusterKey, "kind" | "namespace" | "name">): void {
    const now = this.#now();
    this.#clocks.set(nameOf(key), { generation: null, since: now, said: "", saidAt: now });
  }

  /**
   * Waits until one of the clusters that are not finished has finished.
   *
   * @returns the clusters that have; none where nothing was under way, or where the wait was called off.
   * @throws StalledError
   */
  async untilNext(all: readonly Awaited[], look: ClusterLook, isCalledOff: () => boolean): Promise<Awaited[]> {
    for (;;) {
      const looks = await Promise.all(all.map(async (key) => ({ key, cluster: await look.read(key) })));
      const finished: Awaited[] = [];
      const open: { key: Awaited; cluster: KeeperCluster | ClickHouseCluster }[] = [];
      for (const { key, cluster } of looks) {
        const isUnderWay = this.#clocks.has(nameOf(key));
        if (cluster !== null && this.#look(key, cluster)) open.push({ key, cluster });
        else if (isUnderWay) finished.push(key);
      }
      if (isCalledOff() || finished.length > 0 || open.length === 0) return finished;
      for (const { key, cluster } of open) await this.#assertInTime(key, cluster, look);
      await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
    }
  }

  /** Whether the cluster is unfinished; says how far it is. */
  #look(key: Awaited, cluster: KeeperCluster | ClickHouseCluster): boolean {
    const unfinished = unfinishedOf(cluster);
    const now = this.#now();
    let clock = this.#clocks.get(nameOf(key));
    if (clock === undefined && unfinished.length === 0) return false;
    if (clock === undefined || (clock.generation !== null && clock.generation !== cluster.generation)) {
      clock = { generation: cluster.generation, since: now, said: "", saidAt: now };
      this.#clocks.set(nameOf(key), clock);
    }
    clock.generation = cluster.generation;
    const text = progressText(cluster, unfinished);
    if (text !== clock.said || now - clock.saidAt >= REPEAT_MILLISECONDS) {
      this.#tell(`${nameOf(key)}: ${text}, ${Math.round((now - clock.since) / 1000)} s`);
      clock.said = text;
      clock.saidAt = now;
    }
    if (unfinished.length === 0) this.#clocks.delete(nameOf(key));
    return unfinished.length > 0;
  }

  async #assertInTime(key: Awaited, cluster: KeeperCluster | ClickHouseCluster, look: ClusterLook): Promise<void> {
    const clock = this.#clocks.get(nameOf(key));
    if (clock === undefined || this.#now() - clock.since < key.timeoutSeconds * 1000) return;
    const text = diagnosis(cluster, unfinishedOf(cluster), await look.details(key));
    throw new StalledError(nameOf(key), key.timeoutSeconds, text);
  }
}

/** `KeeperCluster data/main`. */
function nameOf({ kind, namespace, name }: Pick<ClusterKey, "kind" | "namespace" | "name">): string {
  return `${kind} ${namespace}/${name}`;
}
