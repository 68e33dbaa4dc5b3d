import type { Plan, QueueDecision } from "../plan/plan.ts";
import { decisionsLine } from "./cells.ts";
import { cell, columns } from "./columns.ts";
import type { Paint, Style } from "./paint.ts";
import { clusterRow, type Row, rowOf } from "./rows.ts";
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
  const rows = [...workloads.map(rowOf), ...clickhouse.map(clusterRow)];
  const tables = [
    ...(rows.length === 0 && queues !== undefined ? [] : [cellsOf(["WORKLOAD", "REPLICAS"], rows, paint)]),
    ...(queues === undefined ? [] : [cellsOf(["QUEUE'S WORKER", "MAXIMUM"], queues.map(rowOf), paint)]),
  ];
  const summary = [decisionsLine(plan), workersLine(plan.workers), ...plan.notes.map((note) => `Note: ${note}`)];
  return [...tables.flatMap((table) => [columns(table, width), ""]), ...summary].join("\n");
}

function cellsOf(titles: [name: string, numbers: string], rows: Row[], paint: Paint) {
  const head = [...titles, "DECISION", "WHY"].map((title) => cell(title, paint("bold", title)));
  return [
    head,
    ...rows.map(({ name, numbers, changes, decision, why }) => [
      cell(name),
      cell(numbers, changes ? paint(STYLES[decision], numbers) : numbers),
      cell(decision, paint(STYLES[decision], decision)),
      cell(why),
    ]),
  ];
}
