/** Who already owns the sizes of a ClickHouse or Keeper cluster: the rows of docs/semantics.md, "Ownership", that can be of one. */
import type { ClickHouseCluster, KeeperCluster, OwnedObject } from "../cluster/snapshot.ts";
import type { ClickHousePolicy } from "../config/clickhouse.ts";
import type { ClickHouseEntry, ClickHouseReason } from "./clickhouse-plan.ts";
import { FIELD_MANAGER, foreignManagers } from "./field-managers.ts";
import { gitOpsOwners } from "./gitops.ts";
import { addOnManagerOf, operatorOf } from "./ownership.ts";
import type { ClusterView } from "./view.ts";

/** A cluster that is left alone. */
export interface LeftAlone {
  decision: "refuse" | "defer" | "skip";
  reason: Extract<
    ClickHouseReason,
    "being-deleted" | "operator-owned" | "scaled-to-zero" | "argocd" | "flux" | "addon-manager" | "field-owner"
  >;
  /** The owner or the evidence. */
  by: string;
}

/** A cluster whose sizes are ours to plan. */
export interface Ours {
  decision: null;
  /** GitOps tools that track it and were passed although the size is theirs. */
  overridden: string[];
}

export function ownerOf(
  kind: ClickHouseEntry["kind"],
  cluster: KeeperCluster | ClickHouseCluster,
  entry: ClickHousePolicy,
  view: ClusterView,
): LeftAlone | Ours {
  if (cluster.deleting) return { decision: "refuse", reason: "being-deleted", by: kind };
  const operator = operatorOf(cluster);
  if (operator !== null) return { decision: "refuse", reason: "operator-owned", by: operator };
  if (cluster.replicas === 0 || ("shards" in cluster && cluster.shards === 0)) {
    return { decision: "skip", reason: "scaled-to-zero", by: kind };
  }
  const object = withShards(cluster);
  const gitOps = gitOpsOwners(
    { object, group: "clickhouse.com", kind, field: "/spec/replicas" },
    view.owners.applications,
  );
  const holding = gitOps.filter(({ free }) => !free);
  const [first] = holding;
  if (entry.gitops === "defer" && first !== undefined) return { decision: "defer", reason: first.tool, by: first.by };
  const addOnManager = addOnManagerOf(object);
  if (addOnManager !== null) return { decision: "defer", reason: "addon-manager", by: addOnManager };
  const known = [...view.policy.owners.takeOver, ...gitOps.flatMap(({ managers }) => managers)];
  const foreign = foreignManagers(object, known);
  if (foreign.length > 0) return { decision: "defer", reason: "field-owner", by: foreign.join(", ") };
  return { decision: null, overridden: holding.map(({ by }) => by) };
}

/** Whether a field of the spec is ours: leaving it out of the patch would reset it to the API's default. */
export function ownsField(cluster: KeeperCluster | ClickHouseCluster, field: "replicas" | "shards"): boolean {
  if (field === "shards") return "shards" in cluster && cluster.shardsManagers.includes(FIELD_MANAGER);
  return cluster.fieldManagers.some(({ manager, ownsCount }) => manager === FIELD_MANAGER && ownsCount);
}

/** Whoever writes the shards owns the sizes as much as who writes the replicas. */
function withShards(cluster: KeeperCluster | ClickHouseCluster): OwnedObject {
  const managers = "shards" in cluster ? cluster.shardsManagers : [];
  const entries = managers.map((manager) => ({ manager, operation: "Apply" as const, ownsCount: true }));
  return { ...cluster, fieldManagers: [...cluster.fieldManagers, ...entries] };
}
