/** The sentences about ClickHouse and Keeper clusters: machines read the codes, people read these. */

import type { LeftAlone } from "./clickhouse-ownership.ts";
import type {
  ClickHouseEntry,
  ClickHouseReason,
  ClickHouseWarning,
  RefusalReason,
  Size,
  WaitingReason,
} from "./clickhouse-plan.ts";
import { OWNERSHIP } from "./sentences.ts";
import { counted } from "./words.ts";

/** A reason, and a clause of its own. */
export interface Because {
  reason: ClickHouseReason;
  text: string;
}

const WAITING: Record<WaitingReason, string> = {
  "in-progress": "its last change is not finished",
  "replica-has-pending-changes": "a member has yet to take over a changed configuration (ReplicaHasPendingChanges)",
  "replica-not-ready": "not every member is ready (ReplicaNotReady)",
  "no-quorum": "there is no quorum to agree on another member (NoQuorum)",
  "waiting-followers": "the leader waits for members to join or to leave (WaitingFollowers)",
  "scale-not-allowed": "the operator allows no other size now",
  "keeper-first": "its Keeper goes first",
  "keeper-unfinished": "its Keeper is not whole",
  "clickhouse-unfinished":
    "a change of the Keeper restarts the ClickHouse clusters that use it, and one of them is not finished",
};

const REFUSED: Record<RefusalReason, string> = {
  "data-loss": "the data of the shards that go would be lost",
  "keeper-missing": "its Keeper can't be seen",
  "keeper-mismatch": "it uses another Keeper than the policy names",
  "keeper-conflict": "two entries of the policy want different sizes of it",
  "pdb-breaks-quorum": "a drain could take the quorum",
};

/** @param detail what of this cluster says so. */
export function waiting(reason: WaitingReason, detail: string): Because {
  return { reason, text: withDetail(WAITING[reason], detail) };
}

/** @param detail what of this cluster says so, and what to do. */
export function refused(reason: RefusalReason, detail: string): Because {
  return { reason, text: withDetail(REFUSED[reason], detail) };
}

function withDetail(text: string, detail: string): string {
  return detail === "" ? text : `${text}: ${detail}`;
}

const LEFT: Record<LeftAlone["decision"], string> = { refuse: "refused", defer: "left alone", skip: "skipped" };

export function leftAloneMessage({ decision, reason, by }: LeftAlone): string {
  const why =
    reason === "argocd" || reason === "flux"
      ? `its size is up to ${by}; \`gitops: override\` would plan it all the same`
      : reason === "scaled-to-zero"
        ? "somebody switched it off; it is raised from 0 by hand"
        : OWNERSHIP[reason](by);
  return `${LEFT[decision]}: ${why}`;
}

/** `3 members`, `2 replicas of 1 shard`. */
export function sizeText({ replicas, shards }: Size): string {
  return shards === undefined
    ? counted(replicas, "member")
    : `${counted(replicas, "replica")} of ${counted(shards, "shard")}`;
}

/** `then 5 members`; nothing where no step follows. */
function nextText(next: readonly Size[]): string {
  return next.length === 0 ? "" : `; then ${next.map(sizeText).join(", then ")}`;
}

export function stepMessage(current: Size, target: Size, next: readonly Size[], why: string): string {
  const verb = podsOf(target) > podsOf(current) ? "raising" : "lowering";
  return `${verb} from ${sizeText(current)} to ${sizeText(target)}: ${why}${nextText(next)}`;
}

export function keepMessage(current: Size, why: readonly string[]): string {
  return `keeping ${sizeText(current)}: ${why.join("; ")}`;
}

export function refuseMessage(current: Size, wanted: Size, why: readonly string[]): string {
  return `refused to go from ${sizeText(current)} to ${sizeText(wanted)}: ${why.join("; ")}`;
}

export function holdMessage(current: Size, next: readonly Size[], why: readonly string[]): string {
  return `keeping ${sizeText(current)} for now: ${why.join("; ")}${nextText(next)}`;
}

export function podsOf({ replicas, shards = 1 }: Size): number {
  return replicas * shards;
}

const WARNINGS: Record<ClickHouseWarning, string> = {
  "replicated-tables":
    "More than one replica serves the same rows only from tables of the engine ReplicatedMergeTree, which is presumed",
  "database-sync-off":
    "settings.enableDatabaseSync is false: new replicas come without databases, which somebody has to create there",
  "shards-not-rebalanced":
    "No row moves to a new shard: what is there stays where it is, and only what is written from then on is spread over all of them",
  "pdb-breaks-quorum": "PodDisruptionBudgets let a drain take the quorum",
  "shared-nodes": "There are fewer nodes for them than pods, so some share one, and are lost together with it",
  "capacity-unknown": "The free room is not known, so new pods may stay Pending",
  "gitops-override": "Its GitOps tool may set the size back",
};

/** @param details what of this cluster says so, for the warnings that name something. */
export function warningsText(
  warnings: readonly ClickHouseWarning[],
  details: Partial<Record<ClickHouseWarning, string>>,
): string {
  return warnings.map((warning) => `. ${WARNINGS[warning]}${details[warning] ?? ""}`).join("");
}

export function missingMessage(kind: ClickHouseEntry["kind"], key: string): string {
  return `missing: there is no ${kind} ${key}; it is created by whoever installs it, and scaled once it is there`;
}
