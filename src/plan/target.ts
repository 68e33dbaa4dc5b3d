/** The target of one workload, and when nothing may shrink. docs/semantics.md, "Target". */
import type { WorkersPolicy } from "../config/policy.ts";

/** What bounds a target; every number is in replicas. */
export interface TargetInputs {
  current: number;
  /** F(|G|) and F(|K|); K is not empty. */
  formulaGrow: number;
  formulaKeep: number;
  /** placement(G) and placement(K); Infinity where the template bounds nothing. */
  placementGrow: number;
  placementKeep: number;
  /** Infinity where they bound nothing. */
  capacity: number;
  quota: number;
  /** Own pods that have a node. */
  placed: number;
}

export interface Target {
  target: number;
  grow: number;
  keep: number;
}

/** Clamps current between the replicas that may be had with new ones and those that may go on running. */
export function targetOf(inputs: TargetInputs): Target {
  const { current, formulaGrow, formulaKeep, placementGrow, placementKeep, capacity, quota, placed } = inputs;
  // No node in G makes F(|G|) 0 and with it grow.
  const grow = Math.min(formulaGrow, placementGrow, capacity, quota);
  const keep = Math.max(grow, Math.min(formulaKeep, Math.max(placementKeep, placed)));
  // Never 0: with no replica placed and no place for one, both ends are 0.
  return { target: Math.max(1, Math.min(Math.max(current, grow), keep)), grow, keep };
}

/**
 * The Cluster Autoscaler's rule (--ok-total-unready-count, --max-total-unready-percentage): with more nodes gone than
 * both limits allow, the view of the cluster is more likely broken than its nodes, and nothing shrinks.
 *
 * @param gone number of candidates that are unready or lost
 */
export function isUnhealthyCluster(gone: number, candidates: number, workers: WorkersPolicy): boolean {
  return gone > workers.okUnreadyCount && gone * 100 > workers.maxUnreadyPercentage * candidates;
}
