/** Which objects of the cluster a queue has declared, and which are in its way. docs/semantics.md, "Autoscalers". */
import type { HorizontalPodAutoscaler, OwnedObject } from "../cluster/snapshot.ts";
import type { QueuePolicy } from "../config/queue.ts";
import { QUEUE_FIELD_MANAGER } from "./field-managers.ts";
import { keyOf } from "./owner-index.ts";
import type { ClusterView } from "./view.ts";

/** Labels of what a queue declares: who did, and whether an autoscaler goes with its queue. */
export const MANAGED_BY = "app.kubernetes.io/managed-by";
export const MANAGED_BY_US = "cluster-scale";
export const ON_REMOVAL = "cluster-scale/on-removal";

/** Whether a queue has declared the object: by its field manager, or where none is known, by its label. */
export function isDeclaredByQueue({ fieldManagers, labels }: OwnedObject): boolean {
  if (fieldManagers.length === 0) return labels[MANAGED_BY] === MANAGED_BY_US;
  return fieldManagers.some(({ manager }) => manager === QUEUE_FIELD_MANAGER);
}

export interface QueueAutoscalers {
  /** The one that the queue has declared already, or may take over. */
  own: HorizontalPodAutoscaler | undefined;
  /** Others on the same Deployment, or under the same name. */
  rivals: HorizontalPodAutoscaler[];
}

/** The autoscalers that have to do with a queue. */
export function autoscalersOf(queue: QueuePolicy, view: ClusterView): QueueAutoscalers {
  const named = view.snapshot.horizontalPodAutoscalers.find((item) => keyOf(item) === keyOf(queue));
  const own = named !== undefined && isOursToDeclare(named, view.policy.owners.takeOver) ? named : undefined;
  // The autoscaler that KEDA makes is told of as KEDA's.
  const ofKeda = (item: HorizontalPodAutoscaler) => item.ownerReferences.some(({ kind }) => kind === "ScaledObject");
  const targeting = view.owners.autoscalers.get(keyOf(queue)) ?? [];
  const rivals = [...new Set([...(named === undefined ? [] : [named]), ...targeting])];
  return { own, rivals: rivals.filter((item) => item !== own && !ofKeda(item)) };
}

function isOursToDeclare(autoscaler: HorizontalPodAutoscaler, takeOver: readonly string[]): boolean {
  if (isDeclaredByQueue(autoscaler)) return true;
  const holders = autoscaler.fieldManagers.filter(({ ownsCount }) => ownsCount);
  return holders.length > 0 && holders.every(({ manager }) => takeOver.includes(manager));
}
