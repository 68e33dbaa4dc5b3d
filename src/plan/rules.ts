/**
 * The kube-scheduler's rules on where one more pod of a template may stand beside others, in the form in which a plan
 * plays them through: plugins InterPodAffinity and NodePorts here, PodTopologySpread in spread.ts. docs/semantics.md, "Room".
 */
import type { HostPort } from "../cluster/snapshot.ts";
import type { AdmittedPod } from "./admitted-pod.ts";
import { termMatchesSelf } from "./affinity.ts";
import type { ClusterIndex } from "./cluster-index.ts";
import { domainsOf } from "./node-masks.ts";
import { podsMeantBy, type Standing, termsMeaning } from "./standing.ts";

/** One rule while pods of one template are put down. Nodes are given by position. */
export interface Rule {
  /** Whether the rule lets one more pod onto the node. */
  allows(position: number): boolean;
  /** Takes note of a pod that was put there. */
  place(position: number): void;
}

/** Begins a rule afresh, with only the standing pods there. */
export type RuleStart = () => Rule;

/** Required anti-affinity, both ways: the pod's own terms against standing pods, and theirs against the pod. */
export function antiAffinityRules(pod: AdmittedPod, standing: Standing, index: ClusterIndex): RuleStart[] {
  const shut = new Map<string, Uint8Array>();
  const shutDomains = (topologyKey: string, positions: readonly number[]): void => {
    const { of, count } = domainsOf(index, topologyKey);
    const domains = shut.get(topologyKey) ?? new Uint8Array(count);
    for (const position of positions) {
      const domain = of[position] ?? -1;
      // A pod on a node without the label is in no domain and shuts none.
      if (domain >= 0) domains[domain] = 1;
    }
    shut.set(topologyKey, domains);
  };
  for (const { term, positions } of termsMeaning(pod, standing, index)) shutDomains(term.topologyKey, positions);
  for (const term of pod.antiAffinity) {
    for (const { staying, terminating } of podsMeantBy(term, pod, standing, index)) {
      shutDomains(term.topologyKey, staying);
      shutDomains(term.topologyKey, terminating);
    }
  }
  const ownKeys = new Set(selfExcludingKeys(pod, index));
  for (const topologyKey of ownKeys) shutDomains(topologyKey, []);
  return [...shut].map(([topologyKey, domains]) => {
    const { of } = domainsOf(index, topologyKey);
    return () => {
      const now = ownKeys.has(topologyKey) ? domains.slice() : domains;
      return {
        allows: (position) => now[of[position] ?? -1] !== 1,
        place: (position) => {
          const domain = of[position] ?? -1;
          if (domain >= 0 && ownKeys.has(topologyKey)) now[domain] = 1;
        },
      };
    };
  });
}

/** Topology keys of the required anti-affinity terms by which the pod keeps its own like away. */
export function selfExcludingKeys(pod: AdmittedPod, index: ClusterIndex): string[] {
  return pod.antiAffinity.filter((term) => termMatchesSelf(term, pod, index)).map((term) => term.topologyKey);
}

/** Host ports: free of standing pods' ports, and one pod of the template a node. */
export function hostPortRules({ claims }: AdmittedPod, standing: Standing): RuleStart[] {
  if (claims.hostPorts.length === 0) return [];
  const taken = new Set<number>();
  for (const [position, ports] of standing.ports) if (conflicts(claims.hostPorts, ports)) taken.add(position);
  return [
    () => {
      const now = new Set(taken);
      return { allows: (position) => !now.has(position), place: (position) => now.add(position) };
    },
  ];
}

function conflicts(wanted: readonly HostPort[], used: readonly HostPort[]): boolean {
  return wanted.some((a) =>
    used.some((b) => a.port === b.port && a.protocol === b.protocol && (isAny(a) || isAny(b) || a.ip === b.ip)),
  );
}

/** Bound to every address, which conflicts with the same port on any. */
function isAny({ ip }: HostPort): boolean {
  return ip === "0.0.0.0" || ip === "";
}
