import type { Plan } from "../plan/plan.ts";
import { planDigest } from "./digest.ts";

/**
 * The plan for machines, as `cluster-scale plan --output json` prints it and `--out` writes it.
 *
 * @param clusterId UID of the kube-system namespace, null where it isn't known.
 */
export function planJson(plan: Plan, clusterId: string | null) {
  return {
    clusterId,
    workloads: plan.workloads.map(
      ({ workload, kind, decision, current, target, grow, keep, reasons, warnings, message, action }) => ({
        workload,
        kind,
        decision,
        current,
        target,
        grow,
        keep,
        reasons,
        warnings,
        message,
        action,
      }),
    ),
    ...(plan.clickhouse === undefined ? {} : { clickhouse: plan.clickhouse }),
    ...(plan.queues === undefined ? {} : { queues: plan.queues }),
    workers: plan.workers,
    notes: plan.notes,
    digest: planDigest(plan, clusterId),
  };
}

export type PlanJson = ReturnType<typeof planJson>;
