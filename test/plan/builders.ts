/**
 * Small helpers that build snapshots and policies by hand: every field has the value of an unremarkable cluster, and a
 * test names only what it is about.
 */
import type {
  Container,
  Deployment,
  HorizontalPodAutoscaler,
  Node,
  OwnedObject,
  Pod,
  PodAffinityTerm,
  PodClaims,
  PodTemplate,
  Resources,
  Snapshot,
  Taint,
  Toleration,
  TopologySpreadConstraint,
} from "../../src/cluster/snapshot.ts";
import type { LabelSelector, Policy, WorkersPolicy, WorkloadPolicy } from "../../src/config/policy.ts";
import type { QueuePolicy } from "../../src/config/queue.ts";

export const OBSERVED_AT = "2026-01-15T12:00:00Z";
export const GIB = 1024 ** 3;
export const CONTROL_PLANE = "node-role.kubernetes.io/control-plane";

/** A time so many seconds before the snapshot's. */
export function secondsAgo(seconds: number): string {
  return new Date(Date.parse(OBSERVED_AT) - seconds * 1000).toISOString();
}

/** A requirement that a label has one of the values, the form in which most selectors come. */
export function labelIn(key: string, ...values: string[]): LabelSelector[number] {
  return { key, operator: "In", values };
}

/** A Ready Linux worker of 4 cores and 16Gi whose hostname label is its name. */
export function node(name: string, fields: Partial<Node> = {}): Node {
  return {
    name,
    unschedulable: false,
    deleting: false,
    taints: [],
    ready: { status: "True", since: "2026-01-10T09:00:00Z" },
    networkUnavailable: false,
    allocatable: { cpu: 4000, memory: 16 * GIB, pods: 110 },
    operatingSystem: "linux",
    ...fields,
    labels: { "kubernetes.io/hostname": name, "kubernetes.io/os": "linux", ...fields.labels },
  };
}

/** Nodes `w-1` to `w-<count>` alike, or with another prefix. */
export function nodes(count: number, fields: Partial<Node> = {}, prefix = "w"): Node[] {
  return Array.from({ length: count }, (_, i) => node(`${prefix}-${i + 1}`, fields));
}

/** Nodes `lost-1` and on, whose kubelets have been silent for too long. */
export function lostNodes(count: number): Node[] {
  return nodes(count, { ready: { status: "Unknown", since: secondsAgo(900) } }, "lost");
}

export function taint(key: string, effect: Taint["effect"] = "NoSchedule", fields: Partial<Taint> = {}): Taint {
  return { key, value: "", effect, ...fields };
}

export function toleration(fields: Partial<Toleration> = {}): Toleration {
  return { key: "", operator: "Exists", value: "", effect: "", ...fields };
}

export function container(requests: Resources = {}, fields: Partial<Container> = {}): Container {
  return { name: "app", requests, limits: {}, sidecar: false, ...fields };
}

export function claims(fields: Partial<PodClaims> = {}): PodClaims {
  return {
    containers: [container()],
    initContainers: [],
    overhead: {},
    hostPorts: [],
    podAntiAffinity: [],
    tolerations: [],
    priorityClassName: "",
    hasDeadline: false,
    ...fields,
  };
}

/** Claims of one container with these requests. */
export function requesting(requests: Resources): PodClaims {
  return claims({ containers: [container(requests)] });
}

/** A required (anti-)affinity term by hostname towards pods with `app: <app>` of the same namespace. */
export function affinityTerm(app: string, fields: Partial<PodAffinityTerm> = {}): PodAffinityTerm {
  return {
    selector: [labelIn("app", app)],
    topologyKey: "kubernetes.io/hostname",
    namespaces: [],
    namespaceSelector: null,
    matchLabelKeys: [],
    mismatchLabelKeys: [],
    ...fields,
  };
}

/** A `DoNotSchedule` constraint over zones with skew 1 on pods with `app: <app>`. */
export function spread(app: string, fields: Partial<TopologySpreadConstraint> = {}): TopologySpreadConstraint {
  return {
    maxSkew: 1,
    topologyKey: "topology.kubernetes.io/zone",
    selector: [labelIn("app", app)],
    minDomains: 1,
    nodeAffinityPolicy: "Honor",
    nodeTaintsPolicy: "Ignore",
    matchLabelKeys: [],
    ...fields,
  };
}

/** A template that asks for nothing, labelled `app: <app>`. */
export function template(app: string, fields: Partial<PodTemplate> = {}): PodTemplate {
  return {
    labels: { app },
    claims: claims(),
    nodeName: "",
    nodeSelector: {},
    nodeAffinity: null,
    podAffinity: [],
    topologySpread: [],
    runtimeClassName: "",
    os: "",
    volumes: [],
    ...fields,
  };
}

/** An object of `shop` that nobody owns. */
function unowned(name: string): OwnedObject {
  return {
    namespace: "shop",
    name,
    labels: {},
    annotations: {},
    deleting: false,
    ownerReferences: [],
    fieldManagers: [],
  };
}

/** A Deployment `shop/<name>` of one replica with `app: <name>`; `template` fields are merged into the plain template. */
export function deployment(
  name: string,
  fields: Partial<Omit<Deployment, "template">> & { template?: Partial<PodTemplate> } = {},
): Deployment {
  return {
    ...unowned(name),
    replicas: 1,
    paused: false,
    strategy: { type: "RollingUpdate", maxSurge: "25%", maxUnavailable: "25%" },
    selector: [labelIn("app", name)],
    replicaFailure: null,
    ...fields,
    template: template(name, fields.template),
  };
}

/** A running pod `shop/<name>` of the app on a node (empty: still waiting). */
export function pod(app: string, name: string, nodeName: string, fields: Partial<Pod> = {}): Pod {
  return {
    namespace: "shop",
    name,
    labels: { app },
    nodeName,
    finished: false,
    terminating: false,
    unschedulable: false,
    claims: claims(),
    ...fields,
  };
}

/** An autoscaler `shop/<name>` of the Deployment of the same name. */
export function autoscaler(name: string, fields: Partial<HorizontalPodAutoscaler> = {}): HorizontalPodAutoscaler {
  return {
    ...unowned(name),
    target: { group: "apps", kind: "Deployment", name },
    minReplicas: 1,
    minReplicasManagers: [],
    maxReplicas: 10,
    currentReplicas: 1,
    ...fields,
  };
}

export function snapshot(fields: Partial<Snapshot> = {}): Snapshot {
  return {
    observedAt: OBSERVED_AT,
    clusterId: null,
    unread: {},
    nodes: [],
    deployments: [],
    otherWorkloads: [],
    pods: [],
    horizontalPodAutoscalers: [],
    scaledObjects: [],
    rollouts: [],
    applications: [],
    namespaces: [],
    limitRanges: [],
    resourceQuotas: [],
    podDisruptionBudgets: [],
    runtimeClasses: [],
    persistentVolumeClaims: [],
    persistentVolumes: [],
    clickHouseClusters: [],
    keeperClusters: [],
    ...fields,
  };
}

/** The policy's entry for Deployment `shop/<name>`, max 10, everything else at its default. */
export function workload(name: string, fields: Partial<WorkloadPolicy> = {}): WorkloadPolicy {
  return {
    namespace: "shop",
    name,
    kind: "Deployment",
    max: 10,
    min: 1,
    formula: "linear",
    spare: 0,
    capacity: "enforce",
    gitops: "defer",
    hpa: "defer",
    os: "linux",
    allowUnsafe: [],
    ...fields,
  };
}

/** A queue whose worker is Deployment `shop/<name>`, at most 10 pods, everything else at its default. */
export function queue(name: string, fields: Partial<QueuePolicy> = {}): QueuePolicy {
  return {
    namespace: "shop",
    name,
    metric: "oban_queue_depth",
    selector: { state: "available" },
    target: 5,
    min: 1,
    max: 10,
    formula: "linear",
    spare: 0,
    capacity: "enforce",
    os: "linux",
    allowUnsafe: [],
    scaleDown: { stabilizationWindowSeconds: 600 },
    preflight: "enforce",
    age: { metric: "oban_queue_depth_age_seconds", maxSeconds: 120 },
    deleteHpaOnRemoval: false,
    ...fields,
  };
}

export function workers(fields: Partial<WorkersPolicy> = {}): WorkersPolicy {
  return {
    selector: [],
    exclude: [],
    controlPlane: "auto",
    controlPlaneLabels: [
      CONTROL_PLANE,
      "node-role.kubernetes.io/master",
      "node-role.kubernetes.io/controlplane",
      "node-role.kubernetes.io/etcd",
      "node.kubernetes.io/microk8s-controlplane",
    ],
    startupTaints: [],
    minReadySeconds: 30,
    unreadyGraceSeconds: 300,
    maxUnreadyPercentage: 45,
    okUnreadyCount: 3,
    strict: false,
    ...fields,
  };
}

export function policy(
  workloads: WorkloadPolicy[],
  fields: Partial<Omit<Policy, "workers" | "workloads">> & { workers?: Partial<WorkersPolicy> } = {},
): Policy {
  return {
    owners: { takeOver: [] },
    capacityPodLimit: 20000,
    clickhouse: [],
    queues: [],
    ...fields,
    workers: workers(fields.workers),
    workloads,
  };
}
