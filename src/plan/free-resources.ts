/** What nodes have left, resource by resource (kube-scheduler, plugin NodeResourcesFit). docs/semantics.md, "Room". */
import type { Resources } from "../cluster/snapshot.ts";
import type { ClusterIndex } from "./cluster-index.ts";
import { getOrAdd } from "./get-or-add.ts";
import { isScheduled, podRequests } from "./resources.ts";

export interface FreeResources {
  /** Positions of all nodes: the most free CPU first, then by name. */
  readonly byFreeCpu: Int32Array;
  /** What pods with these requests find and take. */
  forPods(requests: Resources): PodResources;
}

export interface PodResources {
  /** Whether so many more pods fit on a node: their requests, and places among its pods. */
  fit(position: number, pods: number): boolean;
  /** Takes from a node what one pod requests. */
  take(position: number): void;
}

/** What the pods of the snapshot leave. */
export function freeResources(index: ClusterIndex): FreeResources {
  const columns = new Map<string, Float64Array>();
  /** What is left of a resource on each node, by position; Infinity where the node does not state what it holds. */
  const left = (resource: string): Float64Array =>
    getOrAdd(columns, resource, () =>
      Float64Array.from(index.nodes, ({ allocatable }) =>
        // A resource that a node does not name it does not have.
        allocatable === null ? Number.POSITIVE_INFINITY : (allocatable[resource] ?? 0),
      ),
    );
  const neededBy = (requests: Resources): Need[] => {
    // A request of 0 fits even where a node is overcommitted.
    const requested = Object.entries(requests).filter(([resource, amount]) => isScheduled(resource) && amount > 0);
    return [["pods", 1] as const, ...requested].map(([resource, amount]) => ({ column: left(resource), amount }));
  };
  for (const group of index.podGroups) {
    for (const pod of group.pods) {
      const position = index.nodesByName.get(pod.nodeName)?.position;
      if (position !== undefined) subtract(position, neededBy(podRequests(pod.claims)));
    }
  }
  const cpu = left("cpu");
  const isBefore = (a: number, b: number): boolean => {
    const [cpuA = 0, cpuB = 0] = [cpu[a], cpu[b]];
    return cpuA === cpuB ? a < b : cpuA > cpuB;
  };
  const byFreeCpu = Int32Array.from(index.nodes, (node) => node.position).sort((a, b) => (isBefore(a, b) ? -1 : 1));
  return {
    byFreeCpu,
    forPods(requests) {
      const needs = neededBy(requests);
      return {
        fit: (position, pods) => needs.every(({ column, amount }) => (column[position] ?? 0) >= amount * pods),
        take(position) {
          const before = placeOf(byFreeCpu, 0, position, isBefore);
          subtract(position, needs);
          // With less CPU left it moves back, and those between move up.
          const after = placeOf(byFreeCpu, before + 1, position, isBefore) - 1;
          byFreeCpu.copyWithin(before, before + 1, after + 1);
          byFreeCpu[after] = position;
        },
      };
    },
  };
}

/** An amount of what a resource's column tells is left, node by node. */
interface Need {
  column: Float64Array;
  amount: number;
}

function subtract(position: number, needs: readonly Need[]): void {
  for (const { column, amount } of needs) column[position] = (column[position] ?? 0) - amount;
}

/** How many items of an ordered list, from one on, come before an item: where it stands or belongs. */
function placeOf(list: Int32Array, from: number, item: number, isBefore: (a: number, b: number) => boolean): number {
  let to = list.length;
  let at = from;
  while (at < to) {
    const middle = (at + to) >> 1;
    if (isBefore(list[middle] ?? 0, item)) at = middle + 1;
    else to = middle;
  }
  return at;
}
