/** How many replicas a set of nodes calls for. docs/semantics.md, "Formulas". */
import type { Node } from "../cluster/snapshot.ts";
import type { Formula, WorkloadPolicy } from "../config/policy.ts";

/** Replicas of the `ha` formula: one more than the two that survive the loss of one. */
const HA_REPLICAS = 3;

/**
 * F(nodes): 0 for no node, else within [1, min(nodes, max)], so never more replicas than workers.
 *
 * @param nodes a workload's nodes; only their number and allocatable cores matter
 */
export function replicasFor(nodes: readonly Node[], policy: WorkloadPolicy): number {
  if (nodes.length === 0) return 0;
  const counted = Math.max(1, nodes.length - policy.spare);
  return Math.min(counted, policy.max, Math.max(policy.min, evaluate(policy.formula, counted, nodes)));
}

function evaluate(formula: Formula, counted: number, nodes: readonly Node[]): number {
  if (formula === "linear") return counted;
  if (formula === "ha") return HA_REPLICAS;
  if ("ladder" in formula) {
    return formula.ladder.findLast(([step]) => step <= counted)?.[1] ?? 1;
  }
  const byNodes = formula.nodesPerReplica === undefined ? 0 : ceilDiv(counted, formula.nodesPerReplica);
  // Cores of spare nodes count too: `spare` leaves nodes out, not the load that their cores stand for.
  const byCores = formula.coresPerReplica === undefined ? 0 : ceilDiv(cores(nodes), formula.coresPerReplica);
  return Math.max(byNodes, byCores);
}

function cores(nodes: readonly Node[]): number {
  return nodes.reduce((millicores, node) => millicores + (node.allocatable?.cpu ?? 0), 0) / 1000;
}

/** Division rounded up, where 5.7 by 0.57 is 10 although binary fractions make it a hair more. */
function ceilDiv(dividend: number, divisor: number): number {
  return Math.ceil(dividend / divisor - 1e-9);
}
