import type { Plan } from "../plan/plan.ts";
import { planDigest } from "./digest.ts";

/** The plan for machines, as `cluster-scale plan --output json` prints it. */
export function planJson(plan: Plan, clusterId: string | null) {
  return {
    workloads: plan.workloads.map(
      ({ workload, decision, current, target, grow, keep, reasons, warnings, message }) => ({
        workload,
        decision,
        current,
        target,
        grow,
        keep,
        reasons,
        warnings,
        message,
      }),
    ),
    workers: plan.workers,
    notes: plan.notes,
    digest: planDigest(plan, clusterId),
  };
}
