/** Objects of a snapshot by the workload they are or point at, so that a workload finds its owners at once. */
import type { Application, Deployment, HorizontalPodAutoscaler, ScaleTarget, Snapshot } from "../cluster/snapshot.ts";
import { getOrAdd } from "./get-or-add.ts";

export interface OwnerIndex {
  /** By `namespace/name`, as the maps below. */
  deployments: Map<string, Deployment>;
  /** Counts of other kinds, by `kind namespace/name`. */
  others: Map<string, number | null>;
  /** By the Deployment they target, sorted by name. */
  autoscalers: Map<string, HorizontalPodAutoscaler[]>;
  scaledObjects: Map<string, Targeting[]>;
  rollouts: Map<string, Targeting[]>;
  /** Sorted by namespace and name. */
  applications: Application[];
}

/** An object that scales another one. */
interface Targeting {
  namespace: string;
  name: string;
}

export function indexOwners(snapshot: Snapshot): OwnerIndex {
  return {
    deployments: new Map(snapshot.deployments.map((item) => [keyOf(item), item])),
    others: new Map(snapshot.otherWorkloads.map((item) => [`${item.kind} ${keyOf(item)}`, item.replicas])),
    autoscalers: byTarget(snapshot.horizontalPodAutoscalers, ({ target }) => target),
    scaledObjects: byTarget(snapshot.scaledObjects, ({ target }) => target),
    rollouts: byTarget(snapshot.rollouts, ({ workloadRef }) => workloadRef),
    applications: sorted(snapshot.applications),
  };
}

/** `namespace/name`. */
export function keyOf({ namespace, name }: { namespace: string; name: string }): string {
  return `${namespace}/${name}`;
}

/** Group, kind, namespace and name must all agree: an equal name alone scales nothing. */
function byTarget<Item extends Targeting>(items: Item[], targetOf: (item: Item) => ScaleTarget): Map<string, Item[]> {
  const map = new Map<string, Item[]>();
  for (const item of sorted(items)) {
    const { group, kind, name } = targetOf(item);
    if (group === "apps" && kind === "Deployment") getOrAdd(map, `${item.namespace}/${name}`, () => []).push(item);
  }
  return map;
}

function sorted<Item extends Targeting>(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
