/**
 * All ClickHouse and Keeper clusters of the policy, in its order: each Keeper before the ClickHouse clusters that refer to it, and
 * never both under way. docs/semantics.md, "ClickHouse and Keeper".
 */
import type { ClickHouseCluster, KeeperCluster } from "../cluster/snapshot.ts";
import type { ClickHousePolicy, KeeperPolicy } from "../config/clickhouse.ts";
import { planClickHouseCluster } from "./clickhouse.ts";
import type { ClickHouseEntry } from "./clickhouse-plan.ts";
import { type KeeperUnit, planKeeper } from "./keeper.ts";
import { keyOf } from "./owner-index.ts";
import type { ClusterView } from "./view.ts";

/** The Keeper that an entry of the policy is about. */
interface Named {
  entry: ClickHousePolicy;
  wanted: KeeperPolicy;
  namespace: string;
  name: string;
}

export function planClickHouse(view: ClusterView): ClickHouseEntry[] {
  const { snapshot, policy } = view;
  const clusters = new Map(snapshot.clickHouseClusters.map((cluster) => [keyOf(cluster), cluster]));
  const keepers = new Map(snapshot.keeperClusters.map((cluster) => [keyOf(cluster), cluster]));
  const named = policy.clickhouse.flatMap((entry) => keeperOf(entry, clusters) ?? []);
  const planned = planKeepers(named, keepers, view);
  const shown = new Set<string>();
  return policy.clickhouse.flatMap((entry) => {
    const entries: ClickHouseEntry[] = [];
    const own = named.find((candidate) => candidate.entry === entry);
    const ownEntry = own === undefined ? undefined : planned.get(keyOf(own));
    if (own !== undefined && ownEntry !== undefined && !shown.has(keyOf(own))) {
      shown.add(keyOf(own));
      entries.push(ownEntry);
    }
    if (entry.name === null) return entries;
    const cluster = clusters.get(`${entry.namespace}/${entry.name}`);
    const reference = cluster?.keeper == null ? "" : keyOf(cluster.keeper);
    const unit = {
      entry,
      name: entry.name,
      cluster,
      keeper: keepers.get(reference),
      keeperEntry: planned.get(reference),
    };
    return [...entries, planClickHouseCluster(unit, view)];
  });
}

/** Once each, however many entries name it. */
function planKeepers(
  named: readonly Named[],
  keepers: ReadonlyMap<string, KeeperCluster>,
  view: ClusterView,
): Map<string, ClickHouseEntry> {
  const planned = new Map<string, ClickHouseEntry>();
  for (const [key, all] of Map.groupBy(named, keyOf)) {
    const [first, ...others] = all;
    if (first === undefined) continue;
    const unit: KeeperUnit = {
      ...first,
      cluster: keepers.get(key),
      isContested: others.some(
        ({ wanted }) => wanted.replicas !== first.wanted.replicas || wanted.max !== first.wanted.max,
      ),
      users: usersOf(key, view),
    };
    planned.set(key, planKeeper(unit, view));
  }
  return planned;
}

/** The ClickHouse clusters that refer to a Keeper, in the policy or not, by name. */
function usersOf(keeper: string, { snapshot }: ClusterView): ClickHouseCluster[] {
  return snapshot.clickHouseClusters
    .filter((cluster) => cluster.keeper !== null && keyOf(cluster.keeper) === keeper)
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** Null where the entry says nothing of a Keeper, or it is that of a cluster which does not exist or names none. */
function keeperOf(entry: ClickHousePolicy, clusters: ReadonlyMap<string, ClickHouseCluster>): Named | null {
  const { keeper: wanted, namespace, name } = entry;
  if (wanted === null) return null;
  if (wanted.name !== null) return { entry, wanted, namespace: wanted.namespace ?? namespace, name: wanted.name };
  const reference = clusters.get(`${namespace}/${name}`)?.keeper ?? null;
  return reference === null ? null : { entry, wanted, ...reference };
}
