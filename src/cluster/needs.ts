/** Which lists a policy needs: a kind, in the namespaces of the allowlist or in the whole cluster. */
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

function namespacesFor(kind: Kind, { workloads, clickhouse }: Policy): Set<string> {
  const wanted =
    kind.scope === "clickhouse" ? [] : workloads.filter(({ kind: of }) => kind.need !== "shown" || of === kind.kind);
  const clusters = kind.scope === "clickhouse" || kind.clickHouseToo ? clickhouse.flatMap(namespacesOf) : [];
  return new Set([...wanted.map(({ namespace }) => namespace), ...clusters]);
}

/** The namespace of the ClickHouseCluster, and that of its Keeper where the policy names another one. */
export function namespacesOf({ namespace, keeper }: ClickHousePolicy): string[] {
  return keeper?.namespace == null ? [namespace] : [namespace, keeper.namespace];
}
