/** What is decided, and the reasons for it. docs/semantics.md, "Decisions". */
import { mayKeep, type NodeSets } from "./node-sets.ts";
import type { Numbers } from "./numbers.ts";
import type { Bound, Decision, Reason } from "./plan.ts";
import type { ClusterView } from "./view.ts";

/** Why the target differs from the plain formula F(|G|), or why there is none; empty where nothing is to explain. */
export function reasonsOf(numbers: Numbers, sets: NodeSets, view: ClusterView): Reason[] {
  if (sets.keep.length === 0) {
    const healthy = view.statuses.some(({ health }) => health !== null && mayKeep(health, view.policy.workers));
    return [healthy ? "no-matching-node" : "no-ready-worker"];
  }
  if (numbers.target > numbers.formulaGrow) return [...sets.notReady.keys(), ...numbers.raisedBy];
  if (numbers.target < numbers.formulaGrow) return boundsOf(numbers);
  return numbers.raisedBy;
}

/** The bounds that made grow what it is. Those by use, capacity and quota, explain only what placement does not. */
function boundsOf({ grow, formulaGrow, placementGrow, capacity, quota }: Numbers): Bound[] {
  const byNodes = Math.min(formulaGrow, placementGrow);
  const bounds: Bound[] = [];
  if (placementGrow === grow) bounds.push("placement");
  if (capacity === grow && capacity < byNodes) bounds.push("capacity");
  if (quota === grow && quota < byNodes) bounds.push("quota");
  return bounds;
}

/** The decision for a workload that nobody else owns and that is safe. */
export function decisionOf({ current, target }: Numbers, reasons: Reason[]): Decision {
  if (target > current) return "scale-up";
  if (target < current) return "scale-down";
  return reasons.length === 0 ? "keep" : "hold";
}
