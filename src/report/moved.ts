/** What moved between a reviewed plan and the one that the cluster calls for now. */
import { isDeepStrictEqual } from "node:util";
import type { ClickHouseEntry } from "../plan/clickhouse-plan.ts";
import type { Plan, PlanEntry, QueueEntry } from "../plan/plan.ts";
import { replicasCell } from "./cells.ts";
import { clusterCell, decidedOfCluster, sizesCell } from "./clickhouse.ts";
import { planDigest } from "./digest.ts";
import type { PlanJson } from "./json.ts";
import { workersLine } from "./workers.ts";

/** The heading of a MovedError, by which its message is known wherever it shows up. */
export const MOVED = "the cluster or the policy moved since the plan was reviewed";

/** The plan that was reviewed is not the plan of now. Nothing was changed. */
export class MovedError extends Error {
  /** What moved, a line each. */
  readonly moved: string[];

  constructor(moved: string[]) {
    super(
      `${MOVED}; nothing was changed:\n${moved.map((line) => `  - ${line}`).join("\n")}\n` +
        "Make a new plan and have it reviewed: cluster-scale plan --out plan.json",
    );
    this.name = "MovedError";
    this.moved = moved;
  }
}

/** @throws MovedError unless both plans have the same digest. */
export function assertUnmoved(reviewed: PlanJson, now: Plan, clusterId: string | null): void {
  if (reviewed.digest !== planDigest(now, clusterId)) throw new MovedError(whatMoved(reviewed, now, clusterId));
}

/** Lines for people; at least one where the digests differ. */
export function whatMoved(reviewed: PlanJson, now: Plan, clusterId: string | null): string[] {
  if (reviewed.clusterId !== clusterId) {
    return [
      `the plan is for the cluster ${reviewed.clusterId ?? "(unknown)"}, and this is ${clusterId ?? "(unknown)"} (UID of its namespace kube-system)`,
    ];
  }
  const lines = [
    ...workersMoved(reviewed, now),
    ...entriesMoved(reviewed.workloads, now.workloads, "on the allowlist"),
    ...clustersMoved(reviewed.clickhouse ?? [], now.clickhouse ?? []),
    ...entriesMoved(reviewed.queues ?? [], now.queues ?? [], "among the queues"),
  ];
  return lines.length > 0 ? lines : ["the order of the allowlist, in which room is given out, is another one"];
}

function workersMoved(reviewed: PlanJson, now: Plan): string[] {
  const [before, after] = [workersLine(reviewed.workers), workersLine(now.workers)];
  return before === after ? [] : [`the nodes. ${before} Now: ${after}`];
}

type Entry = PlanEntry | QueueEntry;

/** A list of a plan: what its entries are called, where they are listed, how one is said, and what of one has changed. */
interface Listed<E> {
  keyOf: (entry: E) => string;
  where: string;
  said: (entry: E) => string;
  changed: (then: E, now: E) => string[];
}

function listMoved<E>(reviewed: readonly E[], now: readonly E[], { keyOf, where, said, changed }: Listed<E>): string[] {
  const then = new Map(reviewed.map((entry) => [keyOf(entry), entry]));
  const still = new Set(now.map(keyOf));
  return [
    ...now.flatMap((entry) => {
      const before = then.get(keyOf(entry));
      return before === undefined ? [`${keyOf(entry)} is new ${where}: ${said(entry)}`] : changed(before, entry);
    }),
    ...[...then.keys()].filter((key) => !still.has(key)).map((key) => `${key} is no longer ${where}`),
  ];
}

function entriesMoved(reviewed: readonly Entry[], now: readonly Entry[], where: string): string[] {
  return listMoved(reviewed, now, { keyOf: ({ workload }) => workload, where, said, changed: entryChanged });
}

function entryChanged(then: Entry, now: Entry): string[] {
  if (said(then) !== said(now)) {
    return [`${now.workload}: reviewed was ${said(then)}, now it is ${said(now)}: ${now.message}`];
  }
  const [before, after] = [codes(then), codes(now)];
  if (before !== after) return [`${now.workload}: still ${said(now)}, but the reasons were ${before} and are ${after}`];
  return isDeepStrictEqual(then.action, now.action) ? [] : [`${now.workload}: what would be written is something else`];
}

/** `1 → 3 (scale-up)`. */
const said = (entry: Entry) => `${replicasCell(entry)} (${entry.decision})`;

const codes = ({ reasons, warnings }: Entry) => [...reasons.toSorted(), ...warnings.toSorted()].join(", ") || "none";

function clustersMoved(reviewed: readonly ClickHouseEntry[], now: readonly ClickHouseEntry[]): string[] {
  const said = (entry: ClickHouseEntry) => `${sizesCell(entry)} (${entry.decision})`;
  const changed = (then: ClickHouseEntry, entry: ClickHouseEntry) =>
    isDeepStrictEqual(decidedOfCluster(then), decidedOfCluster(entry))
      ? []
      : [`${clusterCell(entry)}: reviewed was ${said(then)}, now it is ${said(entry)}: ${entry.message}`];
  return listMoved(reviewed, now, { keyOf: clusterCell, where: "in the policy", said, changed });
}
