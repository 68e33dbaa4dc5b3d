/** Which lists a policy needs: a kind, in the namespaces of the allowlist and of queues, or in the whole cluster. */
import type { ClickHousePolicy } from "../config/clickhouse.ts";
import type { Policy } from "../config/policy.ts";
import { KINDS, type Kind } from "./kinds.ts";

export interface Need {
  kind: Kind;
  /** Absent: the whole cluster. */
  namespace?: string;
}

export function needsOf(policy: Policy): Need[] {
  return KINDS.flatMap((kind): Need[] => {
    if (kind.scope === "cluster") return [{ kind }];
    return [...namespacesFor(kind, policy)].map((namespace) => ({ kind, namespace }));
  });
}

/** What any Deployment of the cluster may depend on, in all namespaces at once. */
export function needsEverywhere(): Need[] {
  return KINDS.filter(({ need, scope }) => need !== "shown" && scope !== "clickhouse").map((kind) => ({ kind }));
}

function namespacesFor(kind: Kind, { workloads, queues, clickhouse }: Policy): Set<string> {
  const ofAllowlist =
    kind.need === "shown" ? workloads.filter(({ kind: of }) => of === kind.kind) : [...workloads, ...queues];
  const wanted = kind.scope === "clickhouse" ? [] : ofAllowlist;
  const clusters = kind.scope === "clickhouse" || kind.clickHouseToo ? clickhouse.flatMap(namespacesOf) : [];
  return new Set([...wanted.map(({ namespace }) => namespace), ...clusters]);
}

/** The namespace of the ClickHouseCluster, and that of its Keeper where the policy names another one. */
export function namespacesOf({ namespace, keeper }: ClickHousePolicy): string[] {
  return keeper?.namespace == null ? [namespace] : [namespace, keeper.namespace];
}
