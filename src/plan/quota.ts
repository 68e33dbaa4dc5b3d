/** What the ResourceQuotas of a namespace leave room for (admission plugin ResourceQuota). docs/semantics.md, "Room". */
import type { Container, Deployment, PodAffinityTerm, ResourceQuota, Resources } from "../cluster/snapshot.ts";
import type { AdmittedPod } from "./admitted-pod.ts";
import type { ClusterIndex } from "./cluster-index.ts";
import { effectiveRequests, hasPodResources, podLimits } from "./resources.ts";

/** Current replicas and those that every quota still admits; Infinity where no quota concerns the pods. */
export function quota(pod: AdmittedPod, deployment: Deployment, index: ClusterIndex): number {
  const quotas = (index.resourceQuotas.get(pod.namespace) ?? []).filter((one) => concerns(one, pod));
  return deployment.replicas + Math.min(...quotas.map((one) => admits(one, pod)));
}

/** Whether the quota counts such pods at all: some key of it does, and every scope holds for them. */
function concerns({ hard, scopes }: ResourceQuota, pod: AdmittedPod): boolean {
  return Object.keys(hard).some(isOfPods) && scopes.every((scope) => isInScope(pod, scope));
}

/** How many more such pods the quota admits. */
function admits({ hard, used }: ResourceQuota, pod: AdmittedPod): number {
  const keys = Object.keys(hard).filter(isOfPods);
  if (keys.some((key) => isUnspecified(key, pod))) return 0;
  const usage = usageOf(pod.requests, podLimits(pod.claims));
  const left = keys.map((key) => {
    const amount = usage[key] ?? 0;
    const [limit = 0, taken] = [hard[key], used[key]];
    // While a quota's use is not known, the API server refuses every pod ("status unknown for quota").
    if (taken === undefined) return 0;
    return amount === 0 ? Number.POSITIVE_INFINITY : Math.max(0, Math.floor((limit - taken) / amount));
  });
  return Math.min(...left);
}

/** Keys that quotas count pods by; others (services, storage) are of other objects. */
function isOfPods(key: string): boolean {
  const resource = key.replace(/^(requests|limits)\./, "");
  return (
    key === "pods" ||
    key === "count/pods" ||
    COMPUTE.includes(resource) ||
    resource.startsWith("hugepages-") ||
    (key.startsWith("requests.") && key.includes("/") && !key.includes(".storageclass.storage.k8s.io/"))
  );
}

const COMPUTE = ["cpu", "memory", "ephemeral-storage"];

/** What one pod uses, by quota key (podComputeUsageHelper). */
function usageOf(requests: Resources, limits: Resources): Resources {
  const usage: Resources = { pods: 1, "count/pods": 1 };
  for (const [name, amount] of Object.entries(requests)) {
    usage[`requests.${name}`] = amount;
    if (COMPUTE.includes(name) || name.startsWith("hugepages-")) usage[name] = amount;
  }
  for (const [name, amount] of Object.entries(limits)) usage[`limits.${name}`] = amount;
  return usage;
}

/** A quota on cpu or memory asks every container for a figure, unless the pod as a whole has one. */
function isUnspecified(key: string, { claims }: AdmittedPod): boolean {
  const [, kind = "requests", resource = ""] = /^(?:(requests|limits)\.)?(cpu|memory)$/.exec(key) ?? [];
  if (resource === "" || hasPodResources(claims)) return false;
  const figures = (container: Container) => (kind === "limits" ? container.limits : effectiveRequests(container));
  return [...claims.containers, ...claims.initContainers].some(
    (container) => !Object.hasOwn(figures(container), resource),
  );
}

function isInScope(pod: AdmittedPod, { scope, operator, values }: ResourceQuota["scopes"][number]): boolean {
  const { claims, template } = pod;
  switch (scope) {
    case "BestEffort":
      return isBestEffort(pod);
    case "NotBestEffort":
      return !isBestEffort(pod);
    case "Terminating":
      return claims.hasDeadline;
    case "NotTerminating":
      return !claims.hasDeadline;
    case "CrossNamespacePodAffinity":
      return [...template.podAffinity, ...claims.podAntiAffinity].some(isCrossNamespace);
    case "PriorityClass":
      return isOfPriorityClass(claims.priorityClassName, operator, values);
    default:
      return false;
  }
}

/** No cpu and no memory anywhere (QoS class BestEffort). */
function isBestEffort({ claims }: AdmittedPod): boolean {
  const lists = hasPodResources(claims)
    ? [claims.podRequests ?? {}, claims.podLimits ?? {}]
    : [...claims.containers, ...claims.initContainers].flatMap(({ requests, limits }) => [requests, limits]);
  return lists.every(({ cpu = 0, memory = 0 }) => cpu === 0 && memory === 0);
}

function isCrossNamespace(term: PodAffinityTerm): boolean {
  return term.namespaces.length > 0 || term.namespaceSelector !== null;
}

function isOfPriorityClass(name: string, operator: string, values: readonly string[]): boolean {
  switch (operator) {
    case "In":
      return name !== "" && values.includes(name);
    case "NotIn":
      return name === "" || !values.includes(name);
    case "DoesNotExist":
      return name === "";
    default:
      return name !== "";
  }
}
