/**
 * Which nodes one workload can use: the kube-scheduler's rules on the pod, node by node, with health left aside.
 * docs/semantics.md, "Eligibility".
 */
import type { Taint } from "../cluster/snapshot.ts";
import { type AdmittedPod, OS_LABELS } from "./admitted-pod.ts";
import { isHard } from "./candidates.ts";
import type { ClusterIndex, IndexedNode, NodeMask } from "./cluster-index.ts";
import { getOrAdd } from "./get-or-add.ts";
import { isHealthTaint } from "./health.ts";
import { allOf, maskOf, nodesMatching, nodesMatchingTerms, nodesWhere } from "./node-masks.ts";
import { isTolerated } from "./tolerations.ts";

/** One condition that a node has to meet. */
interface Condition {
  /** Pods with conditions of the same keys can use the same nodes. */
  key: string;
  met: () => NodeMask;
  /** Why a node that does not meet it can't be used, as a clause. */
  otherwise: (node: IndexedNode) => string;
}

/** Why the pod can't use the node, as a clause for people; null where it can. */
export function rejects(pod: AdmittedPod, node: IndexedNode, index: ClusterIndex): string | null {
  const failed = conditionsOf(pod, index).find((condition) => condition.met()[node.position] !== 1);
  return failed?.otherwise(node) ?? null;
}

/** Those of the candidates that the pod can use, in their order. Pods that can use the same share one list. */
export function eligibleNodes(
  pod: AdmittedPod,
  candidates: readonly IndexedNode[],
  index: ClusterIndex,
): readonly IndexedNode[] {
  const conditions = conditionsOf(pod, index);
  const shape = conditions.map((condition) => condition.key).join("\n");
  const lists = getOrAdd(index.memo.eligible, candidates, () => new Map());
  return getOrAdd(lists, shape, () => {
    const usable = allOf(
      index,
      conditions.map((condition) => condition.met()),
    );
    return candidates.filter((node) => usable[node.position] === 1);
  });
}

/** Whether anything asks for particular nodes, so that a tainted pool is meant and not merely tolerated. */
export function selectsNodes({ template, addedNodeSelectors }: AdmittedPod): boolean {
  const selectors = [template.nodeSelector, ...addedNodeSelectors.map(({ labels }) => labels)];
  return (
    template.nodeName !== "" ||
    template.nodeAffinity !== null ||
    selectors.some((labels) => Object.keys(labels).length > 0)
  );
}

/** Nodes that the pod's node selectors and required node affinity match. */
export function nodesOfAffinity(pod: AdmittedPod, index: ClusterIndex): NodeMask {
  const conditions = affinityConditions(pod, index);
  return maskOf(index, affinityKey(pod), () =>
    allOf(
      index,
      conditions.map(({ met }) => met()),
    ),
  );
}

/** Pods with the same key match the same nodes by selector and affinity. */
export function affinityKey({ template, addedNodeSelectors }: AdmittedPod): string {
  const selectors = [template.nodeSelector, ...addedNodeSelectors.map(({ labels }) => labels)];
  return `affinity ${JSON.stringify([selectors, template.nodeAffinity])}`;
}

/** Nodes without a hard taint that the pod does not tolerate; taints of health among them or not. */
export function nodesTolerated(pod: AdmittedPod, index: ClusterIndex, taints: "all" | "but health"): NodeMask {
  return maskOf(index, `${taints} ${JSON.stringify(pod.tolerations)}`, () =>
    nodesWhere(index, (node) => untolerated(pod, node, index, taints) === undefined),
  );
}

function conditionsOf(pod: AdmittedPod, index: ClusterIndex): Condition[] {
  const { template, refusal, volumeAffinities, topologySpread, os } = pod;
  const conditions = affinityConditions(pod, index);
  if (refusal !== null) {
    conditions.push({ key: "refused", met: () => new Uint8Array(index.nodes.length), otherwise: () => refusal });
  }
  if (template.nodeName !== "") {
    conditions.push({
      key: `name ${template.nodeName}`,
      met: () => nodesWhere(index, (node) => node.name === template.nodeName),
      otherwise: () => `is not ${template.nodeName}, which spec.nodeName asks for`,
    });
  }
  conditions.push({
    key: `tolerations ${JSON.stringify(pod.tolerations)}`,
    met: () => nodesTolerated(pod, index, "but health"),
    otherwise: (node) => `taint ${written(untolerated(pod, node, index, "but health"))} is not tolerated`,
  });
  for (const { claimName, terms } of volumeAffinities) {
    conditions.push({
      key: JSON.stringify(terms),
      met: () => nodesMatchingTerms(index, terms),
      otherwise: () => `the volume of claim ${claimName} can't be mounted there`,
    });
  }
  for (const { topologyKey } of topologySpread) {
    conditions.push({
      key: `has ${topologyKey}`,
      met: () => nodesMatching(index, { key: topologyKey, operator: "Exists", values: [] }),
      otherwise: () => `has no label ${topologyKey}, over which the pods must spread`,
    });
  }
  if (os !== null) {
    conditions.push({
      key: `os ${os}`,
      met: () => maskOf(index, `os ${os}`, () => nodesWhere(index, (node) => osOf(node) === os)),
      otherwise: (node) => `runs ${osOf(node)}, and the pods are for ${os}`,
    });
  }
  return conditions;
}

function affinityConditions(pod: AdmittedPod, index: ClusterIndex): Condition[] {
  const { nodeSelector, nodeAffinity } = pod.template;
  const selectors = [{ of: "", labels: nodeSelector }, ...pod.addedNodeSelectors];
  const conditions = selectors.flatMap(({ of, labels }) =>
    Object.entries(labels).map(([key, value]): Condition => {
      const requirement = { key, operator: "In" as const, values: [value] };
      return {
        key: `${key}=${value}`,
        met: () => nodesMatching(index, requirement),
        otherwise: () => `does not match nodeSelector ${key}=${value}${of === "" ? "" : ` of ${of}`}`,
      };
    }),
  );
  if (nodeAffinity !== null) {
    conditions.push({
      key: JSON.stringify(nodeAffinity),
      met: () => nodesMatchingTerms(index, nodeAffinity),
      otherwise: () => "does not match the required node affinity",
    });
  }
  return conditions;
}

function untolerated(
  pod: AdmittedPod,
  node: IndexedNode,
  index: ClusterIndex,
  taints: "all" | "but health",
): Taint | undefined {
  return node.taints.find(
    (taint) =>
      isHard(taint) &&
      !(taints === "but health" && isHealthTaint(taint, index.workers)) &&
      !isTolerated(taint, pod.tolerations),
  );
}

function written(taint: Taint | undefined): string {
  if (taint === undefined) return "";
  return `${taint.key}${taint.value === "" ? "" : `=${taint.value}`}:${taint.effect}`;
}

function osOf(node: IndexedNode): string {
  const label = OS_LABELS.map((key) => node.labels[key]).find((value) => value !== undefined);
  return label ?? (node.operatingSystem === "" ? "linux" : node.operatingSystem);
}
