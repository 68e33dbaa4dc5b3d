/**
 * The pods of a ClickHouse or Keeper cluster as the planner of workloads sees pods: each shard, and a Keeper's members, like one
 * Deployment. What the resource says of its pods is known, so nodes, placement, room and quota are those of any workload.
 * docs/semantics.md, "ClickHouse and Keeper".
 */
import type { ClickHouseCluster, Deployment, KeeperCluster, PodAffinityTerm } from "../cluster/snapshot.ts";
import type { ClickHousePolicy } from "../config/clickhouse.ts";
import type { LabelSelector, WorkloadPolicy } from "../config/policy.ts";
import { type AdmittedPod, admit } from "./admitted-pod.ts";
import { type IndexedNode, ownPods } from "./cluster-index.ts";
import { eligibleNodes } from "./eligibility.ts";
import { type NodeSets, nodeSetsOf } from "./node-sets.ts";
import type { ClusterView } from "./view.ts";

/** The labels that the operator gives its pods. */
const APP = "app";
const ROLE = "clickhouse.com/role";
const SHARD = "clickhouse.com/shard-id";

const HOSTNAME = "kubernetes.io/hostname";

/** Pods that are alike: a Keeper's members, or the replicas of one shard. */
export interface PodSet {
  deployment: Deployment;
  pod: AdmittedPod;
  /** Of its own pods those that have a node; all that there should be where no own pod is known. */
  placed: number;
  sets: NodeSets;
  /** Nodes that the pods may use, in whatever health. */
  eligible: readonly IndexedNode[];
}

/** Which pods a set is of. */
export interface PodSetOptions {
  cluster: KeeperCluster;
  entry: ClickHousePolicy;
  /** Undefined for a Keeper. */
  shard?: number;
  /** Pods that there are now. */
  replicas: number;
  /** Count on no two of them on one node, whatever the resource says. */
  apart: boolean;
}

export function keeperPods(cluster: KeeperCluster, entry: ClickHousePolicy, apart: boolean, view: ClusterView): PodSet {
  return podSet({ cluster, entry, replicas: cluster.replicas, apart }, view);
}

/** A set for each shard that there is. */
export function shardPods(
  cluster: ClickHouseCluster,
  entry: ClickHousePolicy,
  apart: boolean,
  view: ClusterView,
): PodSet[] {
  return Array.from({ length: cluster.shards }, (_, shard) =>
    podSet({ cluster, entry, shard, replicas: cluster.replicas, apart }, view),
  );
}

export function podSet(options: PodSetOptions, view: ClusterView): PodSet {
  const { entry, replicas } = options;
  const deployment = asDeployment(options);
  const workload = asWorkload(entry, deployment);
  const pod = admit(deployment, workload, view.index);
  const own = ownPods(deployment, view.index);
  const isKnown = view.index.podsKnown && own.length > 0;
  return {
    deployment,
    pod,
    placed: isKnown ? own.filter(({ nodeName }) => nodeName !== "").length : replicas,
    sets: nodeSetsOf(pod, view),
    eligible: eligibleNodes(pod, view.candidates, view.index),
  };
}

function asDeployment({ cluster, shard, replicas, apart }: PodSetOptions): Deployment {
  const isKeeper = shard === undefined;
  const labels = {
    [APP]: `${cluster.name}-${isKeeper ? "keeper" : "clickhouse"}`,
    [ROLE]: isKeeper ? "clickhouse-keeper" : "clickhouse-server",
    ...(isKeeper ? {} : { [SHARD]: `${shard}` }),
  };
  const selector = selecting(isKeeper ? [APP] : [APP, SHARD], labels);
  const { claims } = cluster.template;
  const podAntiAffinity = [
    ...claims.podAntiAffinity,
    ...(cluster.hostnameKey === "" ? [] : [termOf(cluster.hostnameKey, selecting([APP, ROLE], labels))]),
    ...(apart ? [termOf(HOSTNAME, selector)] : []),
  ];
  const zones = {
    maxSkew: 1,
    topologyKey: cluster.zoneKey,
    selector,
    minDomains: 1,
    nodeAffinityPolicy: "Honor" as const,
    nodeTaintsPolicy: "Ignore" as const,
    matchLabelKeys: [],
  };
  return {
    ...cluster,
    replicas,
    paused: false,
    strategy: { type: "RollingUpdate", maxSurge: 0, maxUnavailable: 1 },
    selector,
    template: {
      ...cluster.template,
      labels,
      claims: { ...claims, podAntiAffinity },
      topologySpread: [...cluster.template.topologySpread, ...(cluster.zoneKey === "" ? [] : [zones])],
    },
    replicaFailure: null,
  };
}

/** The settings under which nodes are counted for it, as for a workload. */
export function asWorkload(
  entry: ClickHousePolicy,
  { namespace, name }: { namespace: string; name: string },
): WorkloadPolicy {
  const { max, min, formula, spare } = entry;
  return {
    namespace,
    name,
    kind: "Deployment",
    max,
    min,
    formula,
    spare,
    capacity: entry.capacity,
    gitops: entry.gitops,
    hpa: "defer",
    os: "linux",
    allowUnsafe: [],
  };
}

function selecting(keys: string[], labels: Record<string, string>): LabelSelector {
  return keys.map((key) => ({ key, operator: "In", values: [labels[key] ?? ""] }));
}

function termOf(topologyKey: string, selector: LabelSelector): PodAffinityTerm {
  return {
    selector,
    topologyKey,
    namespaces: [],
    namespaceSelector: null,
    matchLabelKeys: [],
    mismatchLabelKeys: [],
  };
}
