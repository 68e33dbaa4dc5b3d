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

/** One wait after the other, each cluster's clock running from its own last change on. */
export class Waiting {
  readonly #tell: (line: string) => void;
  readonly #now: () => number;
  /** Since when a generation of a cluster is waited for, and what was last said of it, when. */
  readonly #begun = new Map<string, { generation: number; since: number; said: string; saidAt: number }>();

  constructor(tell: (line: string) => void, now: () => number = Date.now) {
    this.#tell = tell;
    this.#now = now;
  }

  /**
   * Waits until one of the clusters that are not finished has finished.
   *
   * @returns the clusters that have; none where nothing was unfinished, or where the wait was called off.
   * @throws StalledError
   */
  async untilNext(all: readonly Awaited[], look: ClusterLook, isCalledOff: () => boolean): Promise<Awaited[]> {
    let open = all;
    for (let first = true; ; first = false) {
      const looks = await Promise.all(open.map(async (key) => ({ key, cluster: await look.read(key) })));
      const unfinished = looks.filter(({ key, cluster }) => cluster !== null && this.#look(key, cluster));
      const finished = looks.filter((each) => !unfinished.includes(each)).map(({ key }) => key);
      // In the first look those are the ones that were never under way.
      if (isCalledOff() || unfinished.length === 0 || (!first && finished.length > 0)) return first ? [] : finished;
      open = unfinished.map(({ key }) => key);
      for (const { key, cluster } of unfinished) if (cluster !== null) await this.#assertInTime(key, cluster, look);
      await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
    }
  }

  /** Whether the cluster is unfinished; says how far it is. */
  #look(key: Awaited, cluster: KeeperCluster | ClickHouseCluster): boolean {
    const name = nameOf(key);
    const unfinished = unfinishedOf(cluster);
    const now = this.#now();
    let begun = this.#begun.get(name);
    if (unfinished.length === 0 && begun === undefined) return false;
    if (begun === undefined || begun.generation !== cluster.generation) {
      begun = { generation: cluster.generation, since: now, said: "", saidAt: now };
      this.#begun.set(name, begun);
    }
    const text = progressText(cluster, unfinished);
    if (text !== begun.said || now - begun.saidAt >= REPEAT_MILLISECONDS) {
      this.#tell(`${name}: ${text}, ${Math.round((now - begun.since) / 1000)} s`);
      begun.said = text;
      begun.saidAt = now;
    }
    if (unfinished.length === 0) this.#begun.delete(name);
    return unfinished.length > 0;
  }

  async #assertInTime(key: Awaited, cluster: KeeperCluster | ClickHouseCluster, look: ClusterLook): Promise<void> {
    const begun = this.#begun.get(nameOf(key));
    if (begun === undefined || this.#now() - begun.since < key.timeoutSeconds * 1000) return;
    const text = diagnosis(cluster, unfinishedOf(cluster), await look.details(key));
    throw new StalledError(nameOf(key), key.timeoutSeconds, text);
  }
}

/** `KeeperCluster data/main`. */
function nameOf({ kind, namespace, name }: ClusterKey): string {
  return `${kind} ${namespace}/${name}`;
}
