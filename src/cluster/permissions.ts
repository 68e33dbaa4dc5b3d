/** What a stack has to be allowed, each asked of the API server itself. deploy/rbac.yaml grants it. */
import type { Policy } from "../config/policy.ts";
import { needsOf } from "./needs.ts";
import { queuePermissions } from "./queue-permissions.ts";
import type { Send } from "./send.ts";

export interface Permission {
  verb: "list" | "get" | "patch" | "create" | "delete";
  group: string;
  resource: string;
  /** Absent: in the whole cluster. */
  namespace?: string;
  /** Without it there is no plan or no apply; otherwise plans are more careful. */
  required: boolean;
  why: string;
}

/** The reads of a plan, the patches of an apply, and what queues need. */
export function permissionsOf(policy: Policy): Permission[] {
  const reads = needsOf(policy).map(({ kind, namespace }) => ({
    verb: "list" as const,
    group: kind.group,
    resource: kind.resource,
    ...(namespace === undefined ? {} : { namespace }),
    required: kind.need === "safety",
    why: kind.why,
  }));
  return [...reads, ...writesOf(policy), ...queuePermissions(policy.queues)];
}

/** The provider reads a patched object first, to see what a refresh has to mend. */
function writesOf({ workloads, clickhouse }: Policy): Permission[] {
  const target = (hpa: string) =>
    hpa === "bounds"
      ? { group: "autoscaling", resource: "horizontalpodautoscalers" }
      : { group: "apps", resource: "deployments" };
  const targets = new Map<string, { namespace: string; group: string; resource: string }>(
    workloads.map(({ namespace, hpa }) => [`${namespace} ${hpa}`, { namespace, ...target(hpa) }] as const),
  );
  for (const { namespace, name, keeper } of clickhouse) {
    const group = "clickhouse.com";
    const patched = [
      ...(name === null ? [] : [{ namespace, group, resource: "clickhouseclusters" }]),
      ...(keeper === null ? [] : [{ namespace: keeper.namespace ?? namespace, group, resource: "keeperclusters" }]),
    ];
    for (const where of patched) targets.set(`${where.namespace} ${where.resource}`, where);
  }
  return [...targets.values()].flatMap((where) =>
    (["get", "patch"] as const).map((verb) => ({ ...where, verb, required: true, why: "the patches of an apply" })),
  );
}

/** Asks the API server whether whoever asks may do it. */
export async function isAllowed(send: Send, { verb, group, resource, namespace }: Permission): Promise<boolean> {
  const { status } = await send<{ status?: { allowed?: boolean } }>({
    method: "POST",
    path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    body: {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: { resourceAttributes: { verb, group, resource, ...(namespace === undefined ? {} : { namespace }) } },
    },
  });
  return status?.allowed === true;
}

/** `list deployments.apps in dev`. */
export function permissionText({ verb, group, resource, namespace }: Permission): string {
  const full = group === "" ? resource : `${resource}.${group}`;
  return `${verb} ${full}${namespace === undefined ? "" : ` in ${namespace}`}`;
}
