import type { ClickHouseEntry } from "../plan/clickhouse-plan.ts";
import type { Plan, PlanEntry, QueueDecision, QueueEntry } from "../plan/plan.ts";
import { decisionsLine, replicasCell, whyCell } from "./cells.ts";
import { changesSize, clusterCell, sizesCell } from "./clickhouse.ts";
import { cell, columns } from "./columns.ts";
import type { Paint, Style } from "./paint.ts";
import { workersLine } from "./workers.ts";

const STYLES: Record<QueueDecision, Style> = {
  create: "green",
  "scale-up": "green",
  "scale-down": "yellow",
  keep: "dim",
  hold: "cyan",
  refuse: "red",
  defer: "blue",
  skip: "dim",
  missing: "red",
};

/**
 * The plan for a person: one aligned row a workload and a queue, then the nodes and what holds for the plan as a whole.
 *
 * @param width columns to fill.
 * @returns Lines without a final newline.
 */
export function planTable(plan: Plan, paint: Paint, width: number): string {
  const { workloads, clickhouse = [], queues } = plan;
  const rows = [
    ...workloads.map((entry) => rowOf(entry, paint)),
    ...clickhouse.map((entry) => clusterRow(entry, paint)),
  ];
  const titled = (titles: string[]) => [...titles, "DECISION", "WHY"].map((title) => cell(title, paint("bold", title)));
  const tables = [
    ...(rows.length === 0 && queues !== undefined ? [] : [[titled(["WORKLOAD", "REPLICAS"]), ...rows]]),
    ...(queues === undefined
      ? []
      : [[titled(["QUEUE'S WORKER", "MAXIMUM"]), ...queues.map((entry) => rowOf(entry, paint))]]),
  ];
  const summary = [decisionsLine(plan), workersLine(plan.workers), ...plan.notes.map((note) => `Note: ${note}`)];
  return [...tables.flatMap((table) => [columns(table, width), ""]), ...summary].join("\n");
}

function rowOf(entry: PlanEntry | QueueEntry, paint: Paint) {
  const { workload, decision, current, target } = entry;
  const style = STYLES[decision];
  const replicas = replicasCell(entry);
  return [
    cell(workload),
    cell(replicas, current === target ? replicas : paint(style, replicas)),
    cell(decision, paint(style, decision)),
    cell(whyCell(entry)),
  ];
}

function clusterRow(entry: ClickHouseEntry, paint: Paint) {
  const { decision } = entry;
  const style = STYLES[decision];
  const sizes = sizesCell(entry);
  return [
    cell(clusterCell(entry)),
    cell(sizes, changesSize(entry) ? paint(style, sizes) : sizes),
    cell(decision, paint(style, decision)),
    cell(whyCell(entry)),
  ];
}
