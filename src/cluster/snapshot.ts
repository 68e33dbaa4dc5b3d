/**
 * The snapshot: what the cluster shows now. Second of the three contracts (Policy, Snapshot, Plan).
 *
 * A plain, serialisable value that holds the few fields planning needs, read from the API or from a dump by the same
 * projections (`project/`). Names follow the Kubernetes API; quantities are already numbers, label selectors already
 * requirements, and absent lists are empty. Lists are in the order in which the API gave them: the planner sorts.
 */
import type { LabelSelector } from "../config/policy.ts";

/**
 * Amounts by resource name, whole numbers rounded up as the scheduler rounds them: `cpu` in millicores, `memory` and
 * `ephemeral-storage` in bytes, everything else (`pods`, extended resources) in pieces.
 */
export type Resources = Record<string, number>;

/** The kinds a snapshot reads, by their plural resource names. */
export type ResourceName =
  | "nodes"
  | "deployments"
  | "pods"
  | "horizontalpodautoscalers"
  | "scaledobjects"
  | "rollouts"
  | "applications"
  | "namespaces"
  | "limitranges"
  | "resourcequotas"
  | "poddisruptionbudgets"
  | "runtimeclasses"
  | "persistentvolumeclaims"
  | "persistentvolumes"
  | "clickhouseclusters"
  | "keeperclusters";

export interface Snapshot {
  /** When the read began by the clock of the API server, RFC 3339: the planner's only clock. */
  observedAt: string;
  /** UID of the kube-system namespace, which tells clusters apart; null where it isn't known (a dump without it, RBAC). */
  clusterId: string | null;
  /**
   * Kinds that could not be read although the cluster has them, each with why and what would help, as one clause
   * (`forbidden: grant list on resourcequotas`). Only kinds without which a plan is still safe are ever listed here;
   * for the others the read fails as a whole. A kind that the cluster does not have is simply an empty list.
   */
  unread: Partial<Record<ResourceName, string>>;
  nodes: Node[];
  deployments: Deployment[];
  otherWorkloads: OtherWorkload[];
  pods: Pod[];
  horizontalPodAutoscalers: HorizontalPodAutoscaler[];
  scaledObjects: ScaledObject[];
  rollouts: Rollout[];
  applications: Application[];
  namespaces: Namespace[];
  limitRanges: LimitRange[];
  resourceQuotas: ResourceQuota[];
  podDisruptionBudgets: PodDisruptionBudget[];
  runtimeClasses: RuntimeClass[];
  persistentVolumeClaims: PersistentVolumeClaim[];
  persistentVolumes: PersistentVolume[];
  clickHouseClusters: ClickHouseCluster[];
  keeperClusters: KeeperCluster[];
}

export interface Taint {
  key: string;
  value: string;
  effect: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
  /** RFC 3339. */
  timeAdded?: string;
}

export interface Toleration {
  /** Empty with operator Exists: every taint. */
  key: string;
  operator: "Exists" | "Equal" | "Lt" | "Gt";
  value: string;
  /** Empty: every effect. */
  effect: string;
}

export interface Node {
  name: string;
  labels: Record<string, string>;
  unschedulable: boolean;
  deleting: boolean;
  taints: Taint[];
  /** The condition Ready; null where the node has none. */
  ready: { status: string; since: string | null } | null;
  /** The condition NetworkUnavailable is True. */
  networkUnavailable: boolean;
  /** Null where the node states none: it bounds nothing. */
  allocatable: Resources | null;
  /** `status.nodeInfo.operatingSystem`; empty where unknown. */
  operatingSystem: string;
}

/** A term of node affinity: both lists must match. A term with two empty lists matches no node. */
export interface NodeSelectorTerm {
  matchExpressions: LabelSelector;
  /** Requirements on fields; the only field Kubernetes knows is metadata.name. */
  matchFields: LabelSelector;
}

/** A required (anti-)affinity term towards other pods. */
export interface PodAffinityTerm {
  /** Null selects no pod. */
  selector: LabelSelector | null;
  topologyKey: string;
  /** Namespaces by name; with namespaceSelector null and this empty: the pod's own. */
  namespaces: string[];
  /** Null: none; the empty selector: every namespace. */
  namespaceSelector: LabelSelector | null;
  matchLabelKeys: string[];
  mismatchLabelKeys: string[];
}

/** A topology spread constraint with `whenUnsatisfiable: DoNotSchedule`; the other kind binds nobody and is left out. */
export interface TopologySpreadConstraint {
  maxSkew: number;
  topologyKey: string;
  /** Null selects no pod. */
  selector: LabelSelector | null;
  /** 1 where unset. */
  minDomains: number;
  nodeAffinityPolicy: "Honor" | "Ignore";
  nodeTaintsPolicy: "Honor" | "Ignore";
  matchLabelKeys: string[];
}

export interface HostPort {
  port: number;
  protocol: string;
  /** `0.0.0.0` where unset. */
  ip: string;
}

export interface Container {
  name: string;
  requests: Resources;
  limits: Resources;
  /** An init container with restartPolicy Always. */
  sidecar: boolean;
  /** While a resize in place is under way: what the kubelet has allocated, and what is in force. */
  allocated?: Resources;
  actual?: Resources;
}

/** What any pod, standing or to come, claims and forbids on a node. */
export interface PodClaims {
  containers: Container[];
  initContainers: Container[];
  overhead: Resources;
  /** `spec.resources` of the pod itself; absent where it has none. */
  podRequests?: Resources;
  podLimits?: Resources;
  /** Of all its containers, sidecars among them; under hostNetwork every container port. */
  hostPorts: HostPort[];
  /** Required only. */
  podAntiAffinity: PodAffinityTerm[];
  tolerations: Toleration[];
  priorityClassName: string;
  /** A terminating scope of quotas: `spec.activeDeadlineSeconds` is set. */
  hasDeadline: boolean;
}

export interface Pod {
  namespace: string;
  name: string;
  labels: Record<string, string>;
  /** Empty while unscheduled. */
  nodeName: string;
  /** Phase Succeeded or Failed. */
  finished: boolean;
  /** Has a deletionTimestamp. */
  terminating: boolean;
  /** Condition PodScheduled is False with reason Unschedulable. */
  unschedulable: boolean;
  claims: PodClaims;
}

/** A volume of a template, as far as it matters for multiplying or placing pods. Other kinds are left out. */
export type Volume =
  | { type: "claim"; name: string; claimName: string; readOnly: boolean }
  | { type: "ephemeral"; name: string }
  | { type: "hostPath"; name: string; writable: boolean }
  /** iscsi, rbd, awsElasticBlockStore, gcePersistentDisk, azureDisk, vsphereVolume, cinder, fc named in the template. */
  | { type: "singleAttach"; name: string; source: string; readOnly: boolean };

/** A Deployment's pod template. */
export interface PodTemplate {
  labels: Record<string, string>;
  claims: PodClaims;
  nodeName: string;
  nodeSelector: Record<string, string>;
  /** The terms of required node affinity, of which one must match; null: none required. An empty list matches nothing. */
  nodeAffinity: NodeSelectorTerm[] | null;
  /** Required only. */
  podAffinity: PodAffinityTerm[];
  topologySpread: TopologySpreadConstraint[];
  runtimeClassName: string;
  /** `spec.os.name`; empty where unset. */
  os: string;
  volumes: Volume[];
}

/** An entry of managedFields, reduced to whose it is and whether it holds the count (`spec.replicas`, or an autoscaler's `spec.maxReplicas`). */
export interface FieldManager {
  manager: string;
  operation: "Apply" | "Update";
  ownsCount: boolean;
}

/** What ownership is told by; the same for a Deployment and an autoscaler. */
export interface OwnedObject {
  namespace: string;
  name: string;
  labels: Record<string, string>;
  /** Only the annotations that tell of an owner. */
  annotations: Record<string, string>;
  deleting: boolean;
  ownerReferences: { kind: string; name: string }[];
  fieldManagers: FieldManager[];
}

export interface Deployment extends OwnedObject {
  /** `spec.replicas`; 1 where the field is missing, which is the API's default. */
  replicas: number;
  paused: boolean;
  strategy: {
    type: "RollingUpdate" | "Recreate";
    /** A number or a percentage, as written; 25% where unset. */
    maxSurge: number | string;
    maxUnavailable: number | string;
  };
  selector: LabelSelector;
  template: PodTemplate;
  /** The message of condition ReplicaFailure=True; null where it is not set. */
  replicaFailure: string | null;
}

/** A workload of another kind (StatefulSet, DaemonSet, …): it is always refused, and only its count is shown. */
export interface OtherWorkload {
  kind: string;
  namespace: string;
  name: string;
  /** `spec.replicas`, 1 where unset; null for a kind without a count. */
  replicas: number | null;
}

/** The object an autoscaler scales. Group is that of apiVersion (`apps`), empty for the core group. */
export interface ScaleTarget {
  group: string;
  kind: string;
  name: string;
}

export interface HorizontalPodAutoscaler extends OwnedObject {
  target: ScaleTarget;
  /** 1 where unset. */
  minReplicas: number;
  /** Field managers that hold `spec.minReplicas`. */
  minReplicasManagers: string[];
  maxReplicas: number;
  /** `status.currentReplicas`; 0 where unset. */
  currentReplicas: number;
}

/** KEDA. */
export interface ScaledObject {
  namespace: string;
  name: string;
  target: ScaleTarget;
}

/** Argo Rollouts; only those with a workloadRef are kept. */
export interface Rollout {
  namespace: string;
  name: string;
  workloadRef: ScaleTarget;
}

/** An Argo CD Application. */
export interface Application {
  namespace: string;
  name: string;
  /** Objects it manages, from `status.resources`, reduced to those whose count we could plan. */
  resources: { group: string; kind: string; namespace: string; name: string }[];
  ignoreDifferences: {
    group: string;
    kind: string;
    name: string;
    namespace: string;
    jsonPointers: string[];
    jqPathExpressions: string[];
    managedFieldsManagers: string[];
  }[];
  /** syncOptions has RespectIgnoreDifferences=true. */
  respectsIgnoreDifferences: boolean;
}

export interface Namespace {
  name: string;
  labels: Record<string, string>;
  /** Annotation `scheduler.alpha.kubernetes.io/node-selector`; null where absent. */
  nodeSelector: string | null;
  /** Annotation `scheduler.alpha.kubernetes.io/defaultTolerations`, parsed; null where absent. */
  defaultTolerations: Toleration[] | null;
  /** Annotation `openshift.io/node-selector`; null where absent. */
  openshiftNodeSelector: string | null;
}

export interface LimitRange {
  namespace: string;
  name: string;
  /** The items of type Container. */
  containers: { default: Resources; defaultRequest: Resources }[];
}

export interface ResourceQuota {
  namespace: string;
  name: string;
  /** `status.hard` and `status.used` by quota key (`requests.cpu`, `limits.memory`, `pods`, `count/pods`), in the units of Resources. */
  hard: Resources;
  used: Resources;
  /** scopes and scopeSelector together. */
  scopes: { scope: string; operator: "In" | "NotIn" | "Exists" | "DoesNotExist"; values: string[] }[];
}

export interface PodDisruptionBudget {
  namespace: string;
  name: string;
  /** Null selects no pod; the empty selector every pod of the namespace. */
  selector: LabelSelector | null;
  /** A number or a percentage, as written; null where unset. */
  minAvailable: number | string | null;
  maxUnavailable: number | string | null;
}

export interface RuntimeClass {
  name: string;
  nodeSelector: Record<string, string>;
  tolerations: Toleration[];
  overhead: Resources;
}

export interface PersistentVolumeClaim {
  namespace: string;
  name: string;
  accessModes: string[];
  /** Empty while unbound. */
  volumeName: string;
}

export interface PersistentVolume {
  name: string;
  /** `spec.nodeAffinity.required`; null: mountable anywhere. */
  nodeAffinity: NodeSelectorTerm[] | null;
}

/** A condition in the status of a custom resource. */
export interface Condition {
  type: string;
  status: string;
  reason: string;
  message: string;
  /** The generation of the resource that it is about; null where it doesn't say. */
  observedGeneration: number | null;
  /** `lastTransitionTime`, RFC 3339. */
  since: string | null;
}

/** What the ClickHouse operator says of a resource of its own. */
export interface OperatorStatus {
  /** Null: it has never looked at it. */
  observedGeneration: number | null;
  /** Revisions of the spec: the one that runs, and the one that is to run. */
  currentRevision: string;
  updateRevision: string;
  readyReplicas: number;
  conditions: Condition[];
}

/** A Keeper of the ClickHouse operator. */
export interface KeeperCluster extends OwnedObject {
  /** With it the resource is patched. */
  apiVersion: string;
  /** Empty where it isn't known (a dump without it). */
  uid: string;
  generation: number;
  /** `spec.replicas`; the API's default, 3, where the field is missing. */
  replicas: number;
  /** Of its pods, without labels. */
  template: PodTemplate;
  /** `nodeHostnameKey`: the operator lets no two pods share a value of this node label; empty where unset. */
  hostnameKey: string;
  /** `topologyZoneKey`: the operator spreads the pods evenly over its values; empty where unset. */
  zoneKey: string;
  status: OperatorStatus;
}

export interface ClickHouseCluster extends KeeperCluster {
  /** `spec.shards`; 1 where the field is missing. `replicas` is that of each shard. */
  shards: number;
  /** Field managers that hold `spec.shards`. */
  shardsManagers: string[];
  /** The Keeper that it refers to; null where it names none. */
  keeper: { namespace: string; name: string } | null;
  /** `settings.enableDatabaseSync`. */
  databaseSync: boolean;
}
