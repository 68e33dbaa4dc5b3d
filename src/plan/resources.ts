/**
 * What a pod asks of a node: the API's own formula (k8s.io/component-helpers/resource, PodRequests and PodLimits), with
 * the defaults that pods get when they are created (pkg/apis/core/v1/defaults.go). docs/semantics.md, "Room".
 */
import type { Container, PodClaims, Resources } from "../cluster/snapshot.ts";

/** The pod's requests as the scheduler counts them, overhead included. */
export function podRequests(claims: PodClaims): Resources {
  const requests = { ...aggregate(claims, effectiveRequests), ...podLevelRequests(claims) };
  addTo(requests, claims.overhead);
  return requests;
}

/**
 * The requests of the pod itself. Where it states limits they are filled up: with what its containers request together,
 * else with the limit (SetDefaults_Pod, defaultPodRequests); huge pages can't be overcommitted and take the limit.
 */
export function podLevelRequests(claims: PodClaims): Resources {
  const limits = podLevel(claims.podLimits);
  if (Object.keys(limits).length === 0) return podLevel(claims.podRequests);
  const { cpu, memory } = aggregate(claims, effectiveRequests);
  const ofContainers = { ...(cpu !== undefined && { cpu }), ...(memory !== undefined && { memory }) };
  return { ...limits, ...ofContainers, ...podLevel(claims.podRequests) };
}

/** The pod's limits as quotas count them; overhead is added only where there is a limit. */
export function podLimits(claims: PodClaims): Resources {
  const limits = { ...aggregate(claims, (container) => container.limits), ...podLevel(claims.podLimits) };
  addTo(limits, Object.fromEntries(Object.entries(claims.overhead).filter(([name]) => (limits[name] ?? 0) > 0)));
  return limits;
}

/** Whether the pod itself states a figure, and so answers for its containers. */
export function hasPodResources(claims: PodClaims): boolean {
  return Object.keys(podLevel({ ...claims.podRequests, ...claims.podLimits })).length > 0;
}

/** A container's requests: a limit implies its request, and one that is being resized counts with its largest figure. */
export function effectiveRequests(container: Container): Resources {
  const requests = { ...container.limits, ...container.requests };
  raiseTo(requests, container.allocated ?? {});
  raiseTo(requests, container.actual ?? {});
  return requests;
}

/**
 * What the scheduler compares with a node's allocatable: cpu, memory, ephemeral-storage and the scalar resources
 * (extended, huge pages, attachable volumes; pkg/scheduler/util IsScalarResourceName). Other names it passes over.
 */
export function isScheduled(resource: string): boolean {
  return (
    resource === "cpu" ||
    resource === "memory" ||
    resource === "ephemeral-storage" ||
    resource.includes("/") ||
    resource.startsWith("hugepages-") ||
    resource.startsWith("attachable-volumes-")
  );
}

/**
 * Containers and sidecars run together; an init container runs alone with the sidecars started before it, so it counts
 * only where that is more (KEP-753).
 */
function aggregate(claims: PodClaims, of: (container: Container) => Resources): Resources {
  const total: Resources = {};
  for (const container of claims.containers) addTo(total, of(container));
  const sidecars: Resources = {};
  const starting: Resources = {};
  for (const container of claims.initContainers) {
    if (container.sidecar) {
      addTo(total, of(container));
      addTo(sidecars, of(container));
      raiseTo(starting, sidecars);
    } else {
      const step = { ...sidecars };
      addTo(step, of(container));
      raiseTo(starting, step);
    }
  }
  raiseTo(total, starting);
  return total;
}

/** `spec.resources` of a pod knows cpu, memory and huge pages; anything else there is ignored. */
function podLevel(resources: Resources = {}): Resources {
  const known = ([name]: [string, number]) => name === "cpu" || name === "memory" || name.startsWith("hugepages-");
  return Object.fromEntries(Object.entries(resources).filter(known));
}

function addTo(target: Resources, resources: Resources): void {
  for (const [name, amount] of Object.entries(resources)) target[name] = (target[name] ?? 0) + amount;
}

function raiseTo(target: Resources, resources: Resources): void {
  for (const [name, amount] of Object.entries(resources)) target[name] = Math.max(target[name] ?? 0, amount);
}
