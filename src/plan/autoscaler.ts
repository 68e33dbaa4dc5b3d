/** Planning an autoscaler's maximum instead of the count. docs/semantics.md, "Autoscalers". */
import type { HorizontalPodAutoscaler } from "../cluster/snapshot.ts";
import { FIELD_MANAGER } from "./field-managers.ts";

/**
 * The lowest maximum that cuts nothing: below its current replicas the autoscaler would cut at once, around its
 * stabilization window (normalizeDesiredReplicas in the HPA controller).
 */
export function lowestMaximum(autoscaler: HorizontalPodAutoscaler): number {
  return Math.max(1, Math.min(autoscaler.currentReplicas, autoscaler.maxReplicas));
}

/**
 * The minimum to write with a maximum; null to leave it alone. It is lowered with the maximum, never raised. Once it
 * is ours it stays in the patch: giving the field up would let the API server put it back to its default of 1.
 */
export function minimumBelow(maxReplicas: number, autoscaler: HorizontalPodAutoscaler): number | null {
  const { minReplicas, minReplicasManagers } = autoscaler;
  return minReplicas > maxReplicas || minReplicasManagers.includes(FIELD_MANAGER)
    ? Math.min(minReplicas, maxReplicas)
    : null;
}
