/** Which nodes are candidates at all. docs/semantics.md, "Candidates". */
import type { Node, Taint } from "../cluster/snapshot.ts";
import type { LabelSelector, WorkersPolicy } from "../config/policy.ts";
import type { NonCandidate } from "./plan.ts";
import { matchesSelector } from "./selectors.ts";

/** Nodes that are no machines: a kubelet without a node behind it, which takes any pod or one pod. */
const VIRTUAL: LabelSelector[] = [
  [{ key: "type", operator: "In", values: ["virtual-kubelet"] }],
  [{ key: "eks.amazonaws.com/compute-type", operator: "In", values: ["fargate"] }],
];

/** Whether a taint keeps pods away; `PreferNoSchedule` only asks. */
export function isHard(taint: Taint): boolean {
  return taint.effect === "NoSchedule" || taint.effect === "NoExecute";
}

/** Why a node is no candidate for any workload, whatever the workload tolerates; null for a candidate. */
export function whyNoCandidate(node: Node, workers: WorkersPolicy): NonCandidate | null {
  if (isDedicatedControlPlane(node, workers)) return "control-plane";
  if (VIRTUAL.some((selector) => matchesSelector(selector, node.labels))) return "virtual";
  if (workers.exclude.some((selector) => matchesSelector(selector, node.labels))) return "excluded";
  if (!matchesSelector(workers.selector, node.labels)) return "not-selected";
  return null;
}

function isDedicatedControlPlane(node: Node, workers: WorkersPolicy): boolean {
  if (workers.controlPlane === "always") return false;
  // Distributions write "", "true" or anything else into the label: its presence counts.
  if (!workers.controlPlaneLabels.some((key) => Object.hasOwn(node.labels, key))) return false;
  if (workers.controlPlane === "never") return true;
  return node.taints.some((taint) => isHard(taint) && workers.controlPlaneLabels.includes(taint.key));
}
