/** What people and machines read of the planned ClickHouse and Keeper clusters. */
import type { ClickHouseEntry, Size } from "../plan/clickhouse-plan.ts";

const KINDS: Record<ClickHouseEntry["kind"], string> = { KeeperCluster: "keeper", ClickHouseCluster: "clickhouse" };

/** `keeper data/main`: a ClickHouseCluster and a KeeperCluster may have one name. */
export function clusterCell({ kind, workload }: Pick<ClickHouseEntry, "kind" | "workload">): string {
  return `${KINDS[kind]} ${workload}`;
}

/** `3`; with several shards `3×2`, replicas and shards. */
export function sizeText(size: Size | null): string {
  if (size === null) return "–";
  const { replicas, shards = 1 } = size;
  return shards > 1 ? `${replicas}×${shards}` : `${replicas}`;
}

/** `1 → 3, then 5`; with several shards `3×2`, replicas and shards. */
export function sizesCell({ current, target, next }: Pick<ClickHouseEntry, "current" | "target" | "next">): string {
  if (current === null || target === null) return "–";
  const inShards = [current, target, ...next].some(({ shards = 1 }) => shards > 1);
  const text = ({ replicas, shards = 1 }: Size) => (inShards ? `${replicas}×${shards}` : `${replicas}`);
  const now = text(current) === text(target) ? text(current) : `${text(current)} → ${text(target)}`;
  return [now, ...next.map((size) => `then ${text(size)}`)].join(", ");
}

/** Whether a step of it is taken now. */
export function changesSize({ current, target }: ClickHouseEntry): boolean {
  return current?.replicas !== target?.replicas || current?.shards !== target?.shards;
}

/** What of an entry is decided, for a digest: as for a workload, with the steps that follow. */
export function decidedOfCluster(entry: ClickHouseEntry) {
  const { workload, kind, decision, current, target, next, action } = entry;
  return {
    workload,
    kind,
    decision,
    current: sizePair(current),
    target: sizePair(target),
    next: next.map(sizePair),
    reasons: entry.reasons.toSorted(),
    warnings: entry.warnings.toSorted(),
    action:
      action === null
        ? null
        : [
            action.kind,
            action.apiVersion,
            action.namespace,
            action.name,
            action.uid ?? "",
            ...(sizePair(action.spec) ?? []),
          ],
  };
}

/** In one order, whatever that of the keys was. */
function sizePair(size: Partial<Size> | null): (number | null)[] | null {
  return size === null ? null : [size.replicas ?? null, size.shards ?? null];
}
