import type { Plan, QueueDecision, QueueReason } from "../plan/plan.ts";
import { type ClusterOutput, clusterOutputs } from "./clickhouse.ts";

/**
 * What a stack says of itself. Nothing in it changes while the targets don't: no clock, and no live number of a workload
 * that somebody else sizes. So a second `pulumi up` on an unchanged cluster has nothing to report.
 */
export interface ReplicasOutputs {
  /** Replicas of each workload that this stack patches (an autoscaler's maxReplicas), by `namespace/name`. */
  targets: Record<string, number>;
  /** Replicas of each workload whose count belongs into its git repository. */
  git: Record<string, number>;
  /** The decision on each workload of the allowlist that is left as it is. */
  untouched: Record<string, QueueDecision>;
  /** Codes that explain a target or a decision, where there are any. */
  reasons: Record<string, QueueReason[]>;
  /** The bounds of each queue's autoscaler, by `namespace/name`; only where there are queues. */
  queues?: Record<string, { minReplicas: number; maxReplicas: number }>;
  /** Nodes that are workers by the policy, in whatever health. */
  workers: number;
  /** ClickHouse and Keeper clusters that this stack patches, by kind and `namespace/name`; absent without a list of them. */
  clickhouse?: Record<string, ClusterOutput>;
}

export function outputsOf(plan: Plan): ReplicasOutputs {
  const outputs: ReplicasOutputs = {
    targets: {},
    git: {},
    untouched: {},
    reasons: {},
    workers: plan.workers.candidates,
  };
  for (const { workload, decision, reasons, action } of plan.workloads) {
    if (action === null) outputs.untouched[workload] = decision;
    else if (action.kind === "hpa") outputs.targets[workload] = action.maxReplicas;
    else outputs[action.kind === "git" ? "git" : "targets"][workload] = action.replicas;
    if (reasons.length > 0) outputs.reasons[workload] = reasons;
  }
  for (const { workload, decision, reasons, action } of plan.queues ?? []) {
    outputs.queues ??= {};
    if (action === null) outputs.untouched[workload] = decision;
    else outputs.queues[workload] = { minReplicas: action.minReplicas, maxReplicas: action.maxReplicas };
    if (reasons.length > 0) outputs.reasons[workload] = reasons;
  }
  const clickhouse = clusterOutputs(plan.clickhouse);
  return clickhouse === undefined ? outputs : { ...outputs, clickhouse };
}
