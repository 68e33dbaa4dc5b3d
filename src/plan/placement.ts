/** How many pods of a template can stand on a set of nodes by its own rules, with no other pod there. docs/semantics.md, "Room". */
import { type AdmittedPod, ofRevision, REVISION_LABEL } from "./admitted-pod.ts";
import type { ClusterIndex, IndexedNode } from "./cluster-index.ts";
import { type Board, fill, playInTurn } from "./fill.ts";
import { antiAffinityRules, hostPortRules, selfExcludingKeys } from "./rules.ts";
import { selfSpreadingKeys, spreadRules } from "./spread.ts";
import { addStanding, nothingStanding, type Standing } from "./standing.ts";

/**
 * placement(S): the pods of the template that can stand on the nodes together.
 *
 * @param nodes nodes that the pod can use
 * @param enough counted no further than this
 * @returns Infinity where the template has no rule that bounds the number
 */
export function placement(
  pod: AdmittedPod,
  nodes: readonly IndexedNode[],
  index: ClusterIndex,
  enough = nodes.length,
): number {
  if (nodes.length === 0) return 0;
  if (!isSelfExcluding(pod, index) && selfSpreadingKeys(pod).length === 0) return Number.POSITIVE_INFINITY;
  return fill(boardOf(pod, nodes, nothingStanding(), index), enough, index);
}

/** Whether the pod keeps its own like away: by required anti-affinity that matches its own labels, or by a host port. */
export function isSelfExcluding(pod: AdmittedPod, index: ClusterIndex): boolean {
  return pod.claims.hostPorts.length > 0 || selfExcludingKeys(pod, index).length > 0;
}

/**
 * Whether a rollout finds a place for one new pod while all replicas still stand. The new pod is of another revision, which
 * rules with `matchLabelKeys: [pod-template-hash]` tell apart.
 *
 * @param nodes G, nodes for new replicas
 */
export function surgeFits(
  pod: AdmittedPod,
  nodes: readonly IndexedNode[],
  index: ClusterIndex,
  replicas: number,
): boolean {
  const old = nothingStanding();
  addStanding(old, pod, playInTurn(boardOf(pod, nodes, old, index), replicas));
  const surge = ofRevision(pod, `after ${pod.labels[REVISION_LABEL]}`);
  return playInTurn(boardOf(surge, nodes, old, index), 1).length === 1;
}

/** The pod's rules on the nodes beside the standing pods. */
export function boardOf(
  pod: AdmittedPod,
  nodes: readonly IndexedNode[],
  standing: Standing,
  index: ClusterIndex,
): Board {
  return {
    nodes,
    rules: [
      ...hostPortRules(pod, standing),
      ...antiAffinityRules(pod, standing, index),
      ...spreadRules(pod, nodes, standing, index),
    ],
    spreadKeys: selfSpreadingKeys(pod),
    excludingKeys: selfExcludingKeys(pod, index),
  };
}
