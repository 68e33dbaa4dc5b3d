/** The pods that stand on nodes, as far as they bear on where others may go. docs/semantics.md, "Room". */
import type { HostPort, PodAffinityTerm } from "../cluster/snapshot.ts";
import type { AdmittedPod } from "./admitted-pod.ts";
import { coversNamespace, type PodIdentity, withTermLabelKeys } from "./affinity.ts";
import { ByLabel, BySelector } from "./by-label.ts";
import type { ClusterIndex } from "./cluster-index.ts";
import { getOrAdd } from "./get-or-add.ts";

/** Pods that selectors can't tell apart, by the positions of their nodes (one entry a pod). */
export interface StandingPods extends PodIdentity {
  staying: number[];
  /** Of pods that are being deleted. */
  terminating: number[];
}

/** A required anti-affinity term of pods that stand, by the positions of their nodes. */
export interface StandingTerm {
  owner: PodIdentity;
  term: PodAffinityTerm;
  positions: number[];
}

export interface Standing {
  /** By namespace. */
  readonly pods: Map<string, ByLabel<StandingPods>>;
  readonly terms: BySelector<StandingTerm>;
  /** Host ports in use, by position of the node. */
  readonly ports: Map<number, HostPort[]>;
}

/** No pod at all. */
export function nothingStanding(): Standing {
  return { pods: new Map(), terms: new BySelector(), ports: new Map() };
}

/** The pods of the snapshot that have a node. */
export function standingPods(index: ClusterIndex): Standing {
  const standing = nothingStanding();
  for (const { namespace, labels, pods } of index.podGroups) {
    const group: StandingPods = { namespace, labels, staying: [], terminating: [] };
    const terms = new Map<string, StandingTerm>();
    for (const { nodeName, terminating, claims } of pods) {
      const position = index.nodesByName.get(nodeName)?.position;
      if (position === undefined) continue;
      (terminating ? group.terminating : group.staying).push(position);
      occupy(standing, position, claims.hostPorts);
      for (const written of claims.podAntiAffinity) {
        const term = withTermLabelKeys(written, labels);
        getOrAdd(terms, JSON.stringify(term), () => ({ owner: group, term, positions: [] })).positions.push(position);
      }
    }
    addGroup(standing, group, [...terms.values()]);
  }
  return standing;
}

/** Adds pods that a plan puts down, one for each position. */
export function addStanding(standing: Standing, pod: AdmittedPod, positions: readonly number[]): void {
  const { namespace, labels, antiAffinity, claims } = pod;
  const group = { namespace, labels, staying: [...positions], terminating: [] };
  addGroup(
    standing,
    group,
    antiAffinity.map((term) => ({ owner: group, term, positions: group.staying })),
  );
  for (const position of positions) occupy(standing, position, claims.hostPorts);
}

/** Standing pods that a required term in the pod's spec means. */
export function podsMeantBy(
  term: PodAffinityTerm,
  pod: AdmittedPod,
  standing: Standing,
  index: ClusterIndex,
): StandingPods[] {
  const { selector } = term;
  if (selector === null) return [];
  return [...standing.pods]
    .filter(([namespace]) => coversNamespace(term, pod.namespace, namespace, index))
    .flatMap(([, groups]) => groups.matching(selector));
}

/** Required anti-affinity terms of standing pods that mean the pod. */
export function termsMeaning(pod: AdmittedPod, standing: Standing, index: ClusterIndex): StandingTerm[] {
  return standing.terms
    .matching(pod.labels)
    .filter(({ term, owner }) => coversNamespace(term, owner.namespace, pod.namespace, index));
}

function addGroup(standing: Standing, group: StandingPods, terms: readonly StandingTerm[]): void {
  getOrAdd(standing.pods, group.namespace, () => new ByLabel<StandingPods>()).add(group);
  for (const item of terms) if (item.term.selector !== null) standing.terms.add(item.term.selector, item);
}

function occupy(standing: Standing, position: number, ports: readonly HostPort[]): void {
  if (ports.length > 0) getOrAdd(standing.ports, position, () => []).push(...ports);
}
