/**
 * The next step of one ClickHouse cluster: one field of its size, once its Keeper and its own last change are finished.
 * docs/semantics.md, "ClickHouse and Keeper".
 */
import type { ClickHouseCluster, KeeperCluster } from "../cluster/snapshot.ts";
import type { ClickHousePolicy } from "../config/clickhouse.ts";
import { unfinishedClause, unfinishedOfClickHouse, unfinishedOfKeeper } from "./clickhouse-done.ts";
import { type Draft, finished, leftAlone, missing } from "./clickhouse-entry.ts";
import { ownerOf } from "./clickhouse-ownership.ts";
import { type ClickHouseEntry, type ClickHouseWarning, isStep, isWaiting, type Size } from "./clickhouse-plan.ts";
import { podSet, shardPods } from "./clickhouse-pods.ts";
import { type Followed, followed, type Room, roomFor } from "./clickhouse-room.ts";
import { type Because, podsOf, refused, sizeText, waiting } from "./clickhouse-sentences.ts";
import type { ClusterView } from "./view.ts";

/** A ClickHouse cluster that the policy wants to have a size. */
export interface ClickHouseUnit {
  entry: ClickHousePolicy;
  name: string;
  /** Undefined: it does not exist. */
  cluster: ClickHouseCluster | undefined;
  /** The Keeper that it refers to; undefined where there is none to be seen. */
  keeper: KeeperCluster | undefined;
  /** What is planned of that Keeper; undefined where the policy says nothing of it. */
  keeperEntry: ClickHouseEntry | undefined;
}

export function planClickHouseCluster(unit: ClickHouseUnit, view: ClusterView): ClickHouseEntry {
  const { entry, cluster } = unit;
  if (cluster === undefined) return missing("ClickHouseCluster", { namespace: entry.namespace, name: unit.name });
  const owner = ownerOf("ClickHouseCluster", cluster, entry, view);
  if (owner.decision !== null) return leftAlone("ClickHouseCluster", cluster, owner);

  const current = { replicas: cluster.replicas, shards: cluster.shards };
  const follow = entry.replicas === "follow" ? followedBy(cluster, entry, view) : null;
  const replicas = follow?.replicas ?? (entry.replicas === "follow" ? null : entry.replicas) ?? current.replicas;
  const steps = stepsTo(current, { replicas, shards: entry.shards ?? current.shards });
  const draft: Draft = {
    kind: "ClickHouseCluster",
    cluster,
    current,
    steps,
    manages: { replicas: entry.replicas !== null, shards: entry.shards !== null },
    because: [],
    refused: false,
    why: whyText(current, follow, steps),
    explains: steps[0]?.replicas === current.replicas ? [] : (follow?.reasons ?? []),
    warnings: warningsOf(unit, cluster, steps, view),
    details: {},
  };
  if (owner.overridden.length > 0) draft.warnings.push("gitops-override");

  const against = steps.length === 0 ? null : refusalOf(unit, cluster, current);
  if (against !== null) return finished({ ...draft, because: [against], refused: true });
  const unfinished = unfinishedOfClickHouse(cluster);
  if (unfinished.length > 0) {
    return finished({ ...draft, because: [waiting("in-progress", unfinished.map(unfinishedClause).join(", "))] });
  }
  const [target] = steps;
  if (target === undefined) {
    return finished({ ...draft, because: (follow?.reasons ?? []).map((reason) => ({ reason, text: draft.why })) });
  }
  const keeper = waitForKeeper(unit);
  if (keeper !== null) return finished({ ...draft, because: [keeper] });
  const room = follow === null ? roomOfStep(cluster, entry, current, target, view) : null;
  if (room !== null && room.bounds.length > 0 && entry.capacity === "enforce") {
    const text = `the nodes have room for fewer new pods than ${sizeText(target)} need (${room.bounds.join(", ")})`;
    return finished({ ...draft, because: room.bounds.map((reason) => ({ reason, text })) });
  }
  if (podsOf(target) > podsOf(current) && !(room ?? follow)?.known) draft.warnings.push("capacity-unknown");
  return finished(draft);
}

/** Replicas first, then shards: one field a step, so that each has its own end. */
function stepsTo(current: Size, wanted: Size): Size[] {
  const shards = current.shards ?? 1;
  return [
    ...(wanted.replicas === current.replicas ? [] : [{ replicas: wanted.replicas, shards }]),
    ...(wanted.shards === undefined || wanted.shards === shards ? [] : [wanted]),
  ];
}

function followedBy(cluster: ClickHouseCluster, entry: ClickHousePolicy, view: ClusterView): Followed {
  return followed(entry, shardPods(cluster, entry, !entry.sharedNodes, view), shareOf(cluster), view);
}

/** By nodeHostnameKey the operator keeps the pods of all shards apart, not only those of one. */
function shareOf({ hostnameKey, shards }: ClickHouseCluster): number {
  return hostnameKey === "" ? 1 : shards;
}

/** Room for the pods that a step to a number of the policy adds; null where it adds none. */
function roomOfStep(
  cluster: ClickHouseCluster,
  entry: ClickHousePolicy,
  current: Size,
  target: Size,
  view: ClusterView,
): Room | null {
  const added = (target.shards ?? 1) - cluster.shards;
  if (target.replicas > current.replicas) {
    return roomFor(target.replicas, shardPods(cluster, entry, false, view), shareOf(cluster), view);
  }
  if (added <= 0) return null;
  const shards = Array.from({ length: added }, (_, at) =>
    podSet({ cluster, entry, shard: cluster.shards + at, replicas: 0, apart: false }, view),
  );
  return roomFor(target.replicas, shards, 1, view);
}

/** The replicas may follow the workers, the shards are the policy's always. */
function whyText(current: Size, follow: Followed | null, steps: readonly Size[]): string {
  const [target] = steps;
  if (follow !== null && (target === undefined || target.replicas !== current.replicas)) return follow.why;
  return target === undefined ? "as the policy wants it" : `the policy wants ${sizeText(steps.at(-1) ?? target)}`;
}

/** What only a person can end: fewer shards without consent to that number, a Keeper that is not there or another one. */
function refusalOf({ entry, keeper }: ClickHouseUnit, cluster: ClickHouseCluster, current: Size): Because | null {
  const { shards, allowShardRemoval } = entry;
  if (shards !== null && shards < cluster.shards && allowShardRemoval !== shards) {
    const gone = cluster.shards - shards;
    return refused(
      "data-loss",
      `${gone} of ${current.shards} shards would go with all their rows. Move them away first; then \`allowShardRemoval: ${shards}\` consents to it`,
    );
  }
  const named = entry.keeper?.name ?? null;
  const key = cluster.keeper === null ? null : `${cluster.keeper.namespace}/${cluster.keeper.name}`;
  if (named !== null && key !== null && key !== `${entry.keeper?.namespace ?? entry.namespace}/${named}`) {
    return refused("keeper-mismatch", `spec.keeperClusterRef is ${key}, the policy names ${named}`);
  }
  if (keeper !== undefined && keeper.replicas > 0) return null;
  if (keeper !== undefined) return refused("keeper-missing", `KeeperCluster ${key} is switched off: it has 0 members`);
  return refused(
    "keeper-missing",
    key === null
      ? "spec.keeperClusterRef names none"
      : `there is no KeeperCluster ${key}, or it is in a namespace that \`keeper.namespace\` of the policy has to name`,
  );
}

/** Keeper first: its change restarts the ClickHouse pods. Null where nothing is to be waited for. */
function waitForKeeper({ keeper, keeperEntry }: ClickHouseUnit): Because | null {
  if (keeper === undefined) return null;
  const name = `KeeperCluster ${keeper.namespace}/${keeper.name}`;
  if (keeperEntry !== undefined && (isStep(keeperEntry) || isWaiting(keeperEntry))) {
    return waiting("keeper-first", `${name} ${isStep(keeperEntry) ? "takes a step" : "waits for a step"}`);
  }
  const [first] = unfinishedOfKeeper(keeper);
  return first === undefined ? null : waiting("keeper-unfinished", `${name}, ${unfinishedClause(first)}`);
}

function warningsOf(
  { entry }: ClickHouseUnit,
  cluster: ClickHouseCluster,
  steps: readonly Size[],
  view: ClusterView,
): ClickHouseWarning[] {
  const wanted = steps.at(-1) ?? cluster;
  const grows = podsOf(wanted) > podsOf(cluster);
  const [first] = shardPods(cluster, entry, false, view);
  const nodes = first?.eligible.length ?? 0;
  const due: [ClickHouseWarning, boolean][] = [
    ["replicated-tables", Math.max(wanted.replicas, cluster.replicas) > 1 && wanted.replicas !== cluster.replicas],
    ["database-sync-off", grows && !cluster.databaseSync],
    ["shards-not-rebalanced", (wanted.shards ?? 1) > cluster.shards],
    ["shared-nodes", grows && !entry.sharedNodes && wanted.replicas > nodes && view.index.nodes.length > 0],
  ];
  return due.filter(([, isDue]) => isDue).map(([warning]) => warning);
}
