/** PodDisruptionBudgets that would let a drain take a Keeper's quorum. docs/semantics.md, "ClickHouse and Keeper". */
import type { KeeperCluster, PodDisruptionBudget } from "../cluster/snapshot.ts";
import type { AdmittedPod } from "./admitted-pod.ts";
import { matchesSelector } from "./selectors.ts";
import type { ClusterView } from "./view.ts";
import { evictions } from "./warnings.ts";

/**
 * Names of the budgets that allow more evictions than members may be lost, sorted.
 *
 * @param target members after the step. The operator's own budget follows the size, and is judged by the present one.
 */
export function quorumBreakers(cluster: KeeperCluster, pod: AdmittedPod, target: number, view: ClusterView): string[] {
  const { namespace, name, replicas } = cluster;
  const breaks = (budget: PodDisruptionBudget) => {
    const members = budget.name === `${name}-keeper` ? replicas : target;
    return evictions(budget, members) > losable(members);
  };
  return (view.index.podDisruptionBudgets.get(namespace) ?? [])
    .filter(({ selector }) => selector !== null && matchesSelector(selector, pod.labels))
    .filter(breaks)
    .map((budget) => budget.name);
}

/** Members that a quorum survives the loss of. */
function losable(members: number): number {
  return Math.floor((members - 1) / 2);
}
