/**
 * The kinds that a snapshot reads: where they are, how they are projected, and what follows where one can't be read.
 * The one source of the reader, of dumps and of the documented role.
 */
import { application } from "./project/application.ts";
import { clickHouseCluster, keeperCluster } from "./project/clickhouse.ts";
import { deployment } from "./project/deployment.ts";
import type { Field } from "./project/field.ts";
import { limitRange, namespace, podDisruptionBudget, resourceQuota } from "./project/namespace.ts";
import { node } from "./project/node.ts";
import { otherWorkload } from "./project/other-workload.ts";
import { pod } from "./project/pod.ts";
import type { Pool } from "./project/pool.ts";
import { runtimeClass } from "./project/runtime-class.ts";
import { horizontalPodAutoscaler, rollout, scaledObject } from "./project/scalers.ts";
import { persistentVolume, persistentVolumeClaim } from "./project/storage.ts";
import type { ResourceName, Snapshot } from "./snapshot.ts";

/** The lists of a snapshot. */
export type Lists = Omit<Snapshot, "observedAt" | "clusterId" | "unread">;

interface KindOf<List extends keyof Lists> {
  list: List;
  resource: string;
  kind: string;
  group: string;
  /** The version that the reader asks for; a dump may hold any. */
  version: string;
  /**
   * `allowlist`: read in the namespaces of the allowlist only; `clickhouse`: in those of the policy's ClickHouse clusters, and so
   * not at all for most; `cluster`: all of them.
   */
  scope: "cluster" | "allowlist" | "clickhouse";
  /** Of scope allowlist, and wanted in the namespaces of ClickHouse clusters too. */
  clickHouseToo?: true;
  /**
   * `safety`: without it there is no plan. `optional`: a plan without it is safe, and says so. `shown`: decides nothing,
   * read only where the allowlist has a workload of this kind, and left out without a word where it can't be.
   */
  need: "safety" | "optional" | "shown";
  /** A custom resource, which a cluster may not have. */
  custom?: true;
  why: string;
  /** Undefined for an object that says nothing for planning. */
  project: (object: Field, pool: Pool) => Lists[List][number] | undefined;
}

interface Other extends KindOf<"otherWorkloads"> {
  need: "shown";
}

interface Planned<List extends keyof Lists> extends KindOf<List> {
  resource: ResourceName;
  need: "safety" | "optional";
}

export type Kind = Other | { [List in keyof Lists]: Planned<List> }[Exclude<keyof Lists, "otherWorkloads">];

const core = { group: "", version: "v1" } as const;

function other(kind: string, resource: string): Other {
  return {
    list: "otherWorkloads",
    resource,
    kind,
    group: "apps",
    version: "v1",
    scope: "allowlist",
    need: "shown",
    why: `the count of a ${kind} on the allowlist, which is always refused`,
    project: (object) => otherWorkload(object, kind),
  };
}

export const KINDS: readonly Kind[] = [
  {
    ...core,
    list: "nodes",
    resource: "nodes",
    kind: "Node",
    scope: "cluster",
    need: "safety",
    why: "the Ready workers are what is counted",
    project: node,
  },
  {
    list: "deployments",
    resource: "deployments",
    kind: "Deployment",
    group: "apps",
    version: "v1",
    scope: "allowlist",
    need: "safety",
    why: "their replicas, templates and owners",
    project: deployment,
  },
  {
    list: "horizontalPodAutoscalers",
    resource: "horizontalpodautoscalers",
    kind: "HorizontalPodAutoscaler",
    group: "autoscaling",
    version: "v2",
    scope: "allowlist",
    need: "safety",
    why: "a count that an autoscaler owns is left to it",
    project: horizontalPodAutoscaler,
  },
  {
    list: "scaledObjects",
    resource: "scaledobjects",
    kind: "ScaledObject",
    group: "keda.sh",
    version: "v1alpha1",
    custom: true,
    scope: "allowlist",
    need: "safety",
    why: "a count that KEDA owns is left to it",
    project: scaledObject,
  },
  {
    list: "rollouts",
    resource: "rollouts",
    kind: "Rollout",
    group: "argoproj.io",
    version: "v1alpha1",
    custom: true,
    scope: "allowlist",
    need: "safety",
    why: "a count that an Argo Rollout owns is left to it",
    project: rollout,
  },
  {
    list: "applications",
    resource: "applications",
    kind: "Application",
    group: "argoproj.io",
    version: "v1alpha1",
    custom: true,
    scope: "cluster",
    need: "safety",
    why: "a count that Argo CD resets is left to it",
    project: application,
  },
  {
    ...core,
    list: "pods",
    resource: "pods",
    kind: "Pod",
    scope: "cluster",
    need: "optional",
    why: "the room that is left on the nodes",
    project: pod,
  },
  {
    ...core,
    list: "namespaces",
    resource: "namespaces",
    kind: "Namespace",
    scope: "cluster",
    need: "optional",
    why: "node selectors and tolerations that admission adds, and which cluster this is",
    project: namespace,
  },
  {
    ...core,
    list: "limitRanges",
    resource: "limitranges",
    kind: "LimitRange",
    scope: "allowlist",
    clickHouseToo: true,
    need: "optional",
    why: "requests that admission adds",
    project: limitRange,
  },
  {
    ...core,
    list: "resourceQuotas",
    resource: "resourcequotas",
    kind: "ResourceQuota",
    scope: "allowlist",
    clickHouseToo: true,
    need: "optional",
    why: "how many more pods a namespace may have",
    project: resourceQuota,
  },
  {
    list: "podDisruptionBudgets",
    resource: "poddisruptionbudgets",
    kind: "PodDisruptionBudget",
    group: "policy",
    version: "v1",
    scope: "allowlist",
    clickHouseToo: true,
    need: "optional",
    why: "the warning that a budget blocks a drain",
    project: podDisruptionBudget,
  },
  {
    list: "runtimeClasses",
    resource: "runtimeclasses",
    kind: "RuntimeClass",
    group: "node.k8s.io",
    version: "v1",
    scope: "cluster",
    need: "optional",
    why: "nodes and overhead that a RuntimeClass prescribes",
    project: runtimeClass,
  },
  {
    ...core,
    list: "persistentVolumeClaims",
    resource: "persistentvolumeclaims",
    kind: "PersistentVolumeClaim",
    scope: "allowlist",
    need: "optional",
    why: "whether several pods may share a volume; a claim that can't be read counts as one they may not",
    project: persistentVolumeClaim,
  },
  {
    ...core,
    list: "persistentVolumes",
    resource: "persistentvolumes",
    kind: "PersistentVolume",
    scope: "cluster",
    need: "optional",
    why: "the nodes to which a bound volume ties its pods",
    project: persistentVolume,
  },
  {
    list: "clickHouseClusters",
    resource: "clickhouseclusters",
    kind: "ClickHouseCluster",
    group: "clickhouse.com",
    version: "v1alpha1",
    custom: true,
    scope: "clickhouse",
    need: "safety",
    why: "no step may be taken while another is under way",
    project: clickHouseCluster,
  },
  {
    list: "keeperClusters",
    resource: "keeperclusters",
    kind: "KeeperCluster",
    group: "clickhouse.com",
    version: "v1alpha1",
    custom: true,
    scope: "clickhouse",
    need: "safety",
    why: "a quorum may only be changed while it is whole",
    project: keeperCluster,
  },
  other("StatefulSet", "statefulsets"),
  other("ReplicaSet", "replicasets"),
  other("DaemonSet", "daemonsets"),
];

/** `horizontalpodautoscalers.autoscaling`, `nodes`: as kubectl and RBAC messages write a resource. */
export function fullResource(kind: Kind): string {
  return kind.group === "" ? kind.resource : `${kind.resource}.${kind.group}`;
}

/** `Deployment shop/web`, as far as the object has a name. */
export function objectTitle(kind: Kind, object: unknown): string {
  const { metadata } = (object ?? {}) as { metadata?: { namespace?: unknown; name?: unknown } | null };
  const { namespace, name } = metadata ?? {};
  if (typeof name !== "string" || name === "") return kind.kind;
  return typeof namespace === "string" ? `${kind.kind} ${namespace}/${name}` : `${kind.kind} ${name}`;
}
