import { createHash } from "node:crypto";
import type { Plan, PlanEntry, QueueEntry } from "../plan/plan.ts";
import { decidedOfCluster } from "./clickhouse.ts";

/**
 * A short name for what a plan decides: equal for two plans exactly if applying either means the same on the same
 * cluster, for the same stated reasons. So an approved plan can be told from a later, different one.
 *
 * In it: the cluster, and of every workload and queue in order its decision, current, target, action, reasons and warnings (as
 * sets); of every ClickHouse and Keeper cluster the same, and the steps that follow. Not in it: sentences, node names and counts, notes,
 * and the bounds grow and keep. They may change while what
 * is done, and why, stays the same.
 *
 * @param clusterId UID of the kube-system namespace, null where it isn't known.
 * @returns `sha256:` and 64 hexadecimal digits.
 */
export function planDigest(plan: Plan, clusterId: string | null): string {
  const decided = {
    clusterId,
    workloads: plan.workloads.map(decidedOf),
    // Left out where there are none, so that the digests of other plans are what they were.
    ...(plan.clickhouse === undefined ? {} : { clickhouse: plan.clickhouse.map(decidedOfCluster) }),
    ...(plan.queues === undefined ? {} : { queues: plan.queues.map(decidedOf) }),
  };
  return `sha256:${createHash("sha256").update(JSON.stringify(decided)).digest("hex")}`;
}

function decidedOf(entry: PlanEntry | QueueEntry) {
  const { workload, decision, current, target, action } = entry;
  return {
    workload,
    ...("kind" in entry ? { kind: entry.kind } : {}),
    decision,
    current,
    target,
    reasons: entry.reasons.toSorted(),
    warnings: entry.warnings.toSorted(),
    action: action === null ? null : Object.entries(action).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  };
}
