import type { QueuePolicy } from "../../config/queue.ts";
import { QUEUE_FIELD_MANAGER } from "../../plan/field-managers.ts";
import { MANAGED_BY, MANAGED_BY_US } from "../../plan/queue-objects.ts";
import { patchAnnotations } from "../patches.ts";

/** The label by which the pods of a declared workload are chosen. */
const WORKER = "cluster-scale/worker";

/** Labels of a declared workload's pods, and the selector of whatever is about them. */
export function podLabels({ name }: QueuePolicy): Record<string, string> {
  return { [WORKER]: name };
}

/**
 * Metadata of what a queue declares. A stable field manager, so that a lost state file does not fight itself; forced, since the
 * planner has stood back already where something must not be overridden; not awaited, as patches are not
 * (docs/decisions/0004-who-waits-for-a-rollout.md).
 */
export function metadataOf({ namespace }: QueuePolicy, name: string, labels: Record<string, string> = {}) {
  return {
    namespace,
    name,
    labels: { [MANAGED_BY]: MANAGED_BY_US, ...labels },
    annotations: patchAnnotations(QUEUE_FIELD_MANAGER),
  };
}
