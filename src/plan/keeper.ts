/**
 * The next step of one Keeper: to the next size in the direction of the one that is wanted, and only while its quorum is whole.
 * docs/semantics.md, "ClickHouse and Keeper".
 */
import type { ClickHouseCluster, KeeperCluster } from "../cluster/snapshot.ts";
import type { ClickHousePolicy, KeeperPolicy } from "../config/clickhouse.ts";
import { type Unfinished, unfinishedClause, unfinishedOfClickHouse, unfinishedOfKeeper } from "./clickhouse-done.ts";
import { type Draft, finished, leftAlone, missing } from "./clickhouse-entry.ts";
import { ownerOf } from "./clickhouse-ownership.ts";
import type { ClickHouseEntry, ClickHouseWarning, WaitingReason } from "./clickhouse-plan.ts";
import { keeperPods, type PodSet } from "./clickhouse-pods.ts";
import { type Followed, followed, roomFor } from "./clickhouse-room.ts";
import { type Because, refused, waiting } from "./clickhouse-sentences.ts";
import { quorumBreakers } from "./keeper-budgets.ts";
import type { ClusterView } from "./view.ts";
import { counted, listed } from "./words.ts";

/** A Keeper that the policy wants to have a size, and who uses it. */
export interface KeeperUnit {
  namespace: string;
  name: string;
  /** Undefined: it does not exist. */
  cluster: KeeperCluster | undefined;
  entry: ClickHousePolicy;
  wanted: KeeperPolicy;
  /** Another entry wants another size of it. */
  isContested: boolean;
  /** The ClickHouse clusters that refer to it. */
  users: readonly ClickHouseCluster[];
}

/** The odd sizes on the way from one size to another, the last of them the wanted one: one step each. */
export function keeperSteps(current: number, wanted: number): number[] {
  const up = wanted > current;
  const first = up ? oddUpTo(current) + 2 : oddUpTo(current - 1);
  const count = Math.max(0, (up ? wanted - first : first - wanted) / 2 + 1);
  return wanted === current ? [] : Array.from({ length: count }, (_, step) => first + (up ? 2 : -2) * step);
}

/** The largest odd number up to one; -1 for 0. */
function oddUpTo(number: number): number {
  return number % 2 === 0 ? number - 1 : number;
}

export function planKeeper(unit: KeeperUnit, view: ClusterView): ClickHouseEntry {
  const { cluster, entry } = unit;
  if (cluster === undefined) return missing("KeeperCluster", unit);
  const owner = ownerOf("KeeperCluster", cluster, entry, view);
  if (owner.decision !== null) return leftAlone("KeeperCluster", cluster, owner);
  const pods = keeperPods(cluster, entry, unit.wanted.replicas === "follow", view);
  const { size, follow } = wantedSize(unit, cluster, pods, view);
  const steps = keeperSteps(cluster.replicas, size).map((replicas) => ({ replicas }));
  const [target] = steps;
  const breakers = quorumBreakers(cluster, pods.pod, target?.replicas ?? cluster.replicas, view);
  const grows = target !== undefined && target.replicas > cluster.replicas;
  const nodes = pods.eligible.length;
  const due: [ClickHouseWarning, boolean][] = [
    ["pdb-breaks-quorum", breakers.length > 0],
    ["shared-nodes", grows && size > nodes && view.index.nodes.length > 0],
    ["gitops-override", owner.overridden.length > 0],
  ];
  const draft: Draft = {
    kind: "KeeperCluster",
    cluster,
    current: { replicas: cluster.replicas },
    steps,
    manages: { replicas: true, shards: false },
    because: [],
    refused: false,
    why: "",
    explains: [],
    warnings: due.filter(([, isDue]) => isDue).map(([warning]) => warning),
    details: { "pdb-breaks-quorum": ` (${listed(breakers)})` },
  };
  if (unit.isContested) return finished({ ...draft, because: [refused("keeper-conflict", CONTESTED)], refused: true });

  const unfinished = unfinishedOfKeeper(cluster);
  if (unfinished.length > 0) return finished({ ...draft, because: [whyNotNow(cluster, unfinished)] });
  if (target === undefined) return finished({ ...draft, ...resting(unit, follow) });
  const user = unit.users.find((candidate) => isUnderWay(candidate));
  if (user !== undefined) {
    const [first] = unfinishedOfClickHouse(user);
    const detail = `ClickHouseCluster ${user.namespace}/${user.name}${first === undefined ? "" : `, ${unfinishedClause(first)}`}`;
    return finished({ ...draft, because: [waiting("clickhouse-unfinished", detail)] });
  }
  if (!grows && breakers.length > 0) {
    const because = refused(
      "pdb-breaks-quorum",
      `with ${target.replicas} members PodDisruptionBudget ${listed(breakers)} would allow it; change that first`,
    );
    return finished({ ...draft, because: [because], refused: true });
  }
  if (grows && follow === null) {
    const room = roomFor(target.replicas, [pods], 1, view);
    if (room.replicas < target.replicas && entry.capacity === "enforce") {
      const text = `the nodes hold ${room.replicas} (${room.bounds.join(", ")}), and a member without a node would leave the quorum short`;
      return finished({ ...draft, because: room.bounds.map((reason) => ({ reason, text })) });
    }
    if (!room.known) draft.warnings.push("capacity-unknown");
  }
  const whole = `${cluster.replicas === 1 ? "the member is" : `all ${cluster.replicas} members are`} ready and ScaleAllowed is ReadyToScale`;
  return finished({ ...draft, why: `${wantedText(unit, follow, size)}; ${whole}` });
}

const CONTESTED = "give its size in one of them only";

/** The size that is wanted: never below the present one where it follows, since fewer members survive no more. */
function wantedSize(unit: KeeperUnit, cluster: KeeperCluster, pods: PodSet, view: ClusterView) {
  const { wanted, entry } = unit;
  if (wanted.replicas !== "follow") return { size: wanted.replicas, follow: null };
  const like = { ...entry, max: wanted.max, min: 1, formula: "linear" as const, spare: 0 };
  const follow = followed(like, [pods], 1, view);
  return { size: Math.max(cluster.replicas, oddUpTo(follow.replicas)), follow };
}

function wantedText({ wanted }: KeeperUnit, follow: Followed | null, size: number): string {
  return follow === null
    ? `the policy wants ${wanted.replicas}`
    : `${follow.why}, of whom ${size} make the largest odd number up to ${wanted.max}`;
}

/** At the wanted size; where it follows and the nodes call for another, that is said. */
function resting(unit: KeeperUnit, follow: Followed | null): { because: Because[]; why: string } {
  if (follow === null) return { because: [], why: "as the policy wants it" };
  return {
    because: follow.reasons.map((reason) => ({ reason, text: follow.why })),
    why: wantedText(unit, follow, unit.cluster?.replicas ?? 1),
  };
}

/** A user's pods must not be in the middle of a change of their own while the Keeper's change restarts them. */
function isUnderWay(user: ClickHouseCluster): boolean {
  return user.replicas * user.shards > 0 && unfinishedOfClickHouse(user).length > 0;
}

const SCALE_ALLOWED: Record<string, WaitingReason> = {
  ReplicaHasPendingChanges: "replica-has-pending-changes",
  ReplicaNotReady: "replica-not-ready",
  NoQuorum: "no-quorum",
  WaitingFollowers: "waiting-followers",
};

/** What the operator itself says against another size, if it has looked at the present spec; else what is missing. */
function whyNotNow(cluster: KeeperCluster, unfinished: readonly Unfinished[]): Because {
  const blocked = unfinished.find((item) => item.what === "condition" && item.type === "ScaleAllowed");
  if (blocked?.what === "condition" && blocked.condition !== null && !blocked.stale) {
    const { reason, message, status } = blocked.condition;
    const known = Object.hasOwn(SCALE_ALLOWED, reason) ? SCALE_ALLOWED[reason] : undefined;
    if (known !== undefined) return waiting(known, message);
    return waiting(
      "scale-not-allowed",
      `ScaleAllowed is ${status} for ${reason === "" ? "no reason" : reason}${message === "" ? "" : ` (${message})`}`,
    );
  }
  const ready = `${cluster.status.readyReplicas} of ${counted(cluster.replicas, "member")} ready`;
  return waiting(
    "in-progress",
    [ready, ...unfinished.filter(({ what }) => what !== "replicas").map(unfinishedClause)].join(", "),
  );
}
