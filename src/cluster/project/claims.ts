/** What a pod spec claims and forbids on a node, of standing pods and of templates alike. */
import type { Container, HostPort, PodAffinityTerm, PodClaims, Resources } from "../snapshot.ts";
import type { Field } from "./field.ts";
import { labelSelector, tolerations } from "./selectors.ts";

/** @param status the pod's; of a template there is none. */
export function podClaims(spec: Field, status?: Field): PodClaims {
  const containers = spec.get("containers").items();
  const initContainers = spec.get("initContainers").items();
  const statuses = containerStatuses(status);
  const podRequests = spec.get("resources").get("requests").resources();
  const podLimits = spec.get("resources").get("limits").resources();
  return {
    containers: containers.map((container) => projectContainer(container, statuses)),
    initContainers: initContainers.map((container) => projectContainer(container, statuses)),
    overhead: spec.get("overhead").resources(),
    ...(Object.keys(podRequests).length === 0 ? {} : { podRequests }),
    ...(Object.keys(podLimits).length === 0 ? {} : { podLimits }),
    hostPorts: hostPorts([...initContainers.filter(isSidecar), ...containers], spec.get("hostNetwork").flag()),
    podAntiAffinity: podAffinityTerms(spec.get("affinity").get("podAntiAffinity")),
    tolerations: tolerations(spec.get("tolerations")),
    priorityClassName: spec.get("priorityClassName").text(""),
    hasDeadline: spec.get("activeDeadlineSeconds").exists,
  };
}

/** The required terms of pod affinity or anti-affinity. */
export function podAffinityTerms(affinity: Field): PodAffinityTerm[] {
  return affinity
    .get("requiredDuringSchedulingIgnoredDuringExecution")
    .items()
    .map((term) => ({
      selector: labelSelector(term.get("labelSelector")),
      topologyKey: term.get("topologyKey").text(),
      namespaces: term.get("namespaces").texts(),
      namespaceSelector: labelSelector(term.get("namespaceSelector")),
      matchLabelKeys: term.get("matchLabelKeys").texts(),
      mismatchLabelKeys: term.get("mismatchLabelKeys").texts(),
    }));
}

function isSidecar(container: Field): boolean {
  return container.get("restartPolicy").text("") === "Always";
}

function projectContainer(container: Field, statuses: Map<string, Field>): Container {
  const name = container.get("name").text();
  const requests = container.get("resources").get("requests").resources();
  const status = statuses.get(name);
  const allocated = status?.get("allocatedResources").resources();
  const actual = status?.get("resources").get("requests").resources();
  return {
    name,
    requests,
    limits: container.get("resources").get("limits").resources(),
    sidecar: isSidecar(container),
    ...(differs(allocated, requests) ? { allocated } : {}),
    ...(differs(actual, requests) ? { actual } : {}),
  };
}

/** The kubelet reports these always; they matter only while they differ from the spec. */
function differs(reported: Resources | undefined, requests: Resources): reported is Resources {
  return reported !== undefined && Object.entries(reported).some(([name, amount]) => amount !== requests[name]);
}

function containerStatuses(status: Field | undefined): Map<string, Field> {
  if (status === undefined) return new Map();
  const all = [...status.get("initContainerStatuses").items(), ...status.get("containerStatuses").items()];
  return new Map(all.map((item) => [item.get("name").text(), item]));
}

/**
 * As the scheduler's NodePorts plugin sees them: of containers that run as long as the pod. Under hostNetwork the API
 * makes every container port a host port (SetDefaults_Pod), in templates too only once there are pods.
 */
function hostPorts(containers: Field[], hostNetwork: boolean): HostPort[] {
  const ports = containers.flatMap((container) => container.get("ports").items());
  return ports
    .map((port) => ({
      port: port.get("hostPort").whole(0) || (hostNetwork ? port.get("containerPort").whole() : 0),
      protocol: port.get("protocol").text("") || "TCP",
      ip: port.get("hostIP").text("") || "0.0.0.0",
    }))
    .filter(({ port }) => port > 0);
}
