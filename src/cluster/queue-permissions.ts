/** What queues need to be allowed beside what every plan does: to look at their metric, and to declare what they are made of. */
import type { QueuePolicy } from "../config/queue.ts";
import { EXTERNAL_METRICS } from "./external-metrics.ts";
import type { Permission } from "./permissions.ts";

interface Declared {
  group: string;
  resource: string;
}

const AUTOSCALER: Declared = { group: "autoscaling", resource: "horizontalpodautoscalers" };
const POLICY: Declared = { group: "networking.k8s.io", resource: "networkpolicies" };
const DEPLOYMENT: Declared = { group: "apps", resource: "deployments" };
const CLAIM: Declared = { group: "", resource: "persistentvolumeclaims" };
const SECRET: Declared = { group: "external-secrets.io", resource: "externalsecrets" };

/** Each once; none where there is no queue. */
export function queuePermissions(queues: QueuePolicy[]): Permission[] {
  if (queues.length === 0) return [];
  const permissions = [...clusterWide(queues), ...queues.flatMap(ofQueue)];
  return [...new Map(permissions.map((permission) => [JSON.stringify(permission), permission])).values()];
}

function clusterWide(queues: QueuePolicy[]): Permission[] {
  const look = { required: false, why: "the preflight of queues" };
  return [
    { verb: "get", group: "apiregistration.k8s.io", resource: "apiservices", ...look },
    ...(queues.some(({ workload }) => workload !== undefined)
      ? [{ verb: "list" as const, group: "apps", resource: "daemonsets", ...look }]
      : []),
  ];
}

function ofQueue({ namespace, metric, age, workload, deleteHpaOnRemoval }: QueuePolicy): Permission[] {
  const asked = [metric, age.metric].map((resource) => ({
    verb: "list" as const,
    group: EXTERNAL_METRICS,
    resource,
    namespace,
    required: false,
    why: "the preflight of queues",
  }));
  const around = workload === undefined ? [] : [DEPLOYMENT, POLICY];
  const claim = workload?.volume?.size === undefined ? [] : [CLAIM];
  const secret = (workload?.secrets ?? []).some(({ external }) => external !== undefined) ? [SECRET] : [];
  const declared = [AUTOSCALER, ...around, ...claim, ...secret];
  const write = { namespace, required: true, why: "what queues declare" };
  return [
    ...asked,
    ...declared.flatMap((kind) => (["get", "create", "patch"] as const).map((verb) => ({ verb, ...kind, ...write }))),
    ...(deleteHpaOnRemoval ? [{ verb: "delete" as const, ...AUTOSCALER, ...write }] : []),
  ];
}
