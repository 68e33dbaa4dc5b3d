/**
 * `DoNotSchedule` topology spread constraints, as the kube-scheduler counts them (plugin PodTopologySpread,
 * filtering.go). docs/semantics.md, "Room".
 */
import type { TopologySpreadConstraint } from "../cluster/snapshot.ts";
import type { LabelSelector } from "../config/policy.ts";
import type { AdmittedPod } from "./admitted-pod.ts";
import type { ClusterIndex, IndexedNode, NodeMask } from "./cluster-index.ts";
import { affinityKey, nodesOfAffinity, nodesTolerated } from "./eligibility.ts";
import { allOf, domainsOf, maskOf, nodesMatching } from "./node-masks.ts";
import type { Rule, RuleStart } from "./rules.ts";
import { matchesSelector } from "./selectors.ts";
import type { Standing } from "./standing.ts";

/** The rules of the pod's constraints on nodes that it may go to. */
export function spreadRules(
  pod: AdmittedPod,
  nodes: readonly IndexedNode[],
  standing: Standing,
  index: ClusterIndex,
): RuleStart[] {
  return pod.topologySpread.filter(binds).map((constraint) => {
    const { of, count } = domainsOf(index, constraint.topologyKey);
    const exists = new Uint8Array(count);
    const matching = new Int32Array(count);
    const counted = countedNodes(pod, constraint, nodes, index);
    const domainOf = (position: number): number => (counted[position] === 1 ? (of[position] ?? -1) : -1);
    for (const { position } of index.nodes) {
      const domain = domainOf(position);
      if (domain >= 0) exists[domain] = 1;
    }
    for (const group of standing.pods.get(pod.namespace)?.matching(constraint.selector) ?? []) {
      // Pods that are being deleted are passed over (kubernetes/kubernetes#87621).
      for (const position of group.staying) {
        const domain = domainOf(position);
        if (domain >= 0) matching[domain] = (matching[domain] ?? 0) + 1;
      }
    }
    const counts = { of, exists, matching, self: matchesSelector(constraint.selector, pod.labels) ? 1 : 0 };
    const first = leastOf(constraint, counts);
    return () => spreadRule(constraint, { ...counts, matching: matching.slice() }, { ...first });
  });
}

/** Topology keys of the constraints that count the pod's own like. */
export function selfSpreadingKeys(pod: AdmittedPod): string[] {
  return pod.topologySpread
    .filter(binds)
    .filter((constraint) => matchesSelector(constraint.selector, pod.labels))
    .map((constraint) => constraint.topologyKey);
}

interface BindingConstraint extends TopologySpreadConstraint {
  selector: LabelSelector;
}

/**
 * Null selects no pod. The empty selector would select every pod, but the scheduler counts none for it
 * (countPodsMatchSelector), so neither ever exceeds a skew.
 */
function binds(constraint: TopologySpreadConstraint): constraint is BindingConstraint {
  return constraint.selector !== null && constraint.selector.length > 0;
}

/**
 * The nodes whose domains and pods a constraint counts: those with the labels of all constraints that its two policies
 * leave in. Health taints count, but for the nodes that the pod may go to, which are taken as healthy.
 */
function countedNodes(
  pod: AdmittedPod,
  { nodeAffinityPolicy, nodeTaintsPolicy }: BindingConstraint,
  nodes: readonly IndexedNode[],
  index: ClusterIndex,
): NodeMask {
  const topologyKeys = pod.topologySpread.map(({ topologyKey }) => topologyKey);
  const honorsAffinity = nodeAffinityPolicy === "Honor";
  const key = `counted ${JSON.stringify(topologyKeys)} ${honorsAffinity ? affinityKey(pod) : ""}`;
  const labelled = maskOf(index, key, () => {
    const masks = topologyKeys.map((topologyKey) =>
      nodesMatching(index, { key: topologyKey, operator: "Exists", values: [] }),
    );
    return allOf(index, honorsAffinity ? [...masks, nodesOfAffinity(pod, index)] : masks);
  });
  if (nodeTaintsPolicy === "Ignore") return labelled;
  const tolerated = nodesTolerated(pod, index, "all").slice();
  // Their other taints are tolerated, or the pod could not go there.
  for (const { position } of nodes) tolerated[position] = 1;
  return allOf(index, [labelled, tolerated]);
}

interface Counts {
  /** Domain of each node. */
  of: Int32Array;
  /** Domains with a counted node. */
  exists: Uint8Array;
  /** Matching pods by domain; changed in place. */
  matching: Int32Array;
  /** 1 where the constraint counts the pod itself, else 0. */
  self: number;
}

/** The least number of pods in a domain, and how many domains hold it. */
interface Least {
  pods: number;
  /** Infinity where the number stays whatever happens. */
  domains: number;
}

function leastOf({ minDomains }: TopologySpreadConstraint, { exists, matching }: Counts): Least {
  const least = { pods: Number.POSITIVE_INFINITY, domains: 0 };
  let present = 0;
  for (let domain = 0; domain < matching.length; domain++) {
    if (exists[domain] !== 1) continue;
    present += 1;
    const pods = matching[domain] ?? 0;
    if (pods > least.pods) continue;
    least.domains = pods === least.pods ? least.domains + 1 : 1;
    least.pods = pods;
  }
  // With fewer domains than minDomains the least number is taken as 0.
  return present < minDomains ? { pods: 0, domains: Number.POSITIVE_INFINITY } : least;
}

function spreadRule(constraint: TopologySpreadConstraint, counts: Counts, first: Least): Rule {
  const { of, matching, self } = counts;
  let least = first;
  return {
    allows: (position) => (matching[of[position] ?? -1] ?? 0) + self - least.pods <= constraint.maxSkew,
    place: (position) => {
      const domain = of[position] ?? -1;
      const before = matching[domain] ?? 0;
      matching[domain] = before + self;
      if (self === 0 || before !== least.pods) return;
      least.domains -= 1;
      if (least.domains === 0) least = leastOf(constraint, counts);
    },
  };
}
