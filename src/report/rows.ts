import type { ClickHouseEntry } from "../plan/clickhouse-plan.ts";
import type { PlanEntry, QueueDecision, QueueEntry } from "../plan/plan.ts";
import { replicasCell, whyCell } from "./cells.ts";
import { changesSize, clusterCell, sizesCell } from "./clickhouse.ts";

/** An entry of a plan as people read it, whatever it is about. */
export interface Row {
  name: string;
  /** `1 → 3`. */
  numbers: string;
  /** Whether these are two. */
  changes: boolean;
  decision: QueueDecision;
  why: string;
}

export function rowOf(entry: PlanEntry | QueueEntry): Row {
  const { workload: name, decision, current, target } = entry;
  return { name, numbers: replicasCell(entry), changes: current !== target, decision, why: whyCell(entry) };
}

export function clusterRow(entry: ClickHouseEntry): Row {
  return {
    name: clusterCell(entry),
    numbers: sizesCell(entry),
    changes: changesSize(entry),
    decision: entry.decision,
    why: whyCell(entry),
  };
}
