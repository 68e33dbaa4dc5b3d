/**
 * The snapshot, arranged once per plan for look-ups by name. Everything is sorted by name where order could show, so the
 * order in which the objects came never does.
 */
import type {
  Deployment,
  LimitRange,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  ResourceName,
  ResourceQuota,
  RuntimeClass,
  Snapshot,
} from "../cluster/snapshot.ts";
import type { Policy, WorkersPolicy } from "../config/policy.ts";
import { ByLabel } from "./by-label.ts";
import { getOrAdd } from "./get-or-add.ts";

/** A node with its position in `ClusterIndex.nodes`, by which everything about nodes is looked up. */
export interface IndexedNode extends Node {
  readonly position: number;
}

/** A set of nodes: one byte for each of `ClusterIndex.nodes`, 1 for those in it. */
export type NodeMask = Uint8Array;

/** The topology domains of a label: the nodes that share a value. */
export interface Domains {
  /** Number of the domain of each of `ClusterIndex.nodes`, -1 for a node without the label. */
  of: Int32Array;
  count: number;
}

/** What has been found out from an index, which never changes while it lives. */
interface Memo {
  masks: Map<string, NodeMask>;
  /** Positions of nodes by the value of a label (null: without it), by its key. */
  positions: Map<string, ReadonlyMap<string | null, readonly number[]>>;
  domains: Map<string, Domains>;
  /** Eligible nodes by the shape of the pod, for each list of candidates. */
  eligible: Map<readonly IndexedNode[], Map<string, readonly IndexedNode[]>>;
  ownPods: Map<Deployment, Pod[]>;
}

/** Pods that selectors can't tell apart: of one namespace, with the same labels. Finished pods are in none. */
export interface PodGroup {
  namespace: string;
  labels: Record<string, string>;
  pods: Pod[];
}

export interface ClusterIndex {
  /** All nodes, by name. */
  readonly nodes: readonly IndexedNode[];
  readonly nodesByName: ReadonlyMap<string, IndexedNode>;
  readonly workers: WorkersPolicy;
  readonly unread: Partial<Record<ResourceName, string>>;
  /** False where the pods could not be read or are more than `capacityPodLimit`: then no pod is in the index at all. */
  readonly podsKnown: boolean;
  readonly podGroups: readonly PodGroup[];
  /** By namespace. */
  readonly podsByLabel: ReadonlyMap<string, ByLabel<PodGroup>>;
  readonly namespaces: ReadonlyMap<string, Namespace>;
  readonly runtimeClasses: ReadonlyMap<string, RuntimeClass>;
  /** By `namespace/name`. */
  readonly claims: ReadonlyMap<string, PersistentVolumeClaim>;
  readonly volumes: ReadonlyMap<string, PersistentVolume>;
  /** By namespace. */
  readonly limitRanges: ReadonlyMap<string, readonly LimitRange[]>;
  readonly resourceQuotas: ReadonlyMap<string, readonly ResourceQuota[]>;
  readonly podDisruptionBudgets: ReadonlyMap<string, readonly PodDisruptionBudget[]>;
  readonly memo: Memo;
}

export function indexSnapshot(snapshot: Snapshot, policy: Policy): ClusterIndex {
  const nodes = [...snapshot.nodes].sort(byName).map((node, position) => ({ ...node, position }));
  const podsKnown = snapshot.unread.pods === undefined && snapshot.pods.length <= policy.capacityPodLimit;
  const podGroups = groupPods(podsKnown ? snapshot.pods : []);
  return {
    nodes,
    nodesByName: keyed(nodes, (node) => node.name),
    workers: policy.workers,
    unread: snapshot.unread,
    podsKnown,
    podGroups,
    podsByLabel: byLabel(podGroups),
    namespaces: keyed(snapshot.namespaces, (namespace) => namespace.name),
    runtimeClasses: keyed(snapshot.runtimeClasses, (runtimeClass) => runtimeClass.name),
    claims: keyed(snapshot.persistentVolumeClaims, (claim) => `${claim.namespace}/${claim.name}`),
    volumes: keyed(snapshot.persistentVolumes, (volume) => volume.name),
    limitRanges: byNamespace(snapshot.limitRanges),
    resourceQuotas: byNamespace(snapshot.resourceQuotas),
    podDisruptionBudgets: byNamespace(snapshot.podDisruptionBudgets),
    memo: { masks: new Map(), positions: new Map(), domains: new Map(), eligible: new Map(), ownPods: new Map() },
  };
}

/** The Deployment's pods: in its namespace, matched by its selector, neither finished nor terminating. */
export function ownPods(deployment: Deployment, index: ClusterIndex): Pod[] {
  return getOrAdd(index.memo.ownPods, deployment, () => {
    const groups = index.podsByLabel.get(deployment.namespace)?.matching(deployment.selector) ?? [];
    return groups.flatMap((group) => group.pods.filter((pod) => !pod.terminating));
  });
}

function groupPods(pods: readonly Pod[]): PodGroup[] {
  const groups = new Map<string, PodGroup>();
  for (const pod of pods) {
    if (pod.finished) continue;
    const { namespace, labels } = pod;
    const identity = `${namespace} ${JSON.stringify(labels)}`;
    getOrAdd(groups, identity, () => ({ namespace, labels, pods: [] })).pods.push(pod);
  }
  return [...groups.values()];
}

function byLabel(groups: readonly PodGroup[]): Map<string, ByLabel<PodGroup>> {
  const map = new Map<string, ByLabel<PodGroup>>();
  for (const group of groups) getOrAdd(map, group.namespace, () => new ByLabel<PodGroup>()).add(group);
  return map;
}

function keyed<T>(items: readonly T[], key: (item: T) => string): Map<string, T> {
  return new Map(items.map((item) => [key(item), item]));
}

function byNamespace<T extends { namespace: string; name: string }>(items: readonly T[]): Map<string, T[]> {
  const map = new Map<string, T[]>();
  for (const item of [...items].sort(byName)) getOrAdd(map, item.namespace, () => []).push(item);
  return map;
}

/** By code unit, which is the same everywhere, unlike a locale's order. */
function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
