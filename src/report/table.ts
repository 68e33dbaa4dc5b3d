import type { Plan, PlanEntry, QueueDecision, QueueEntry } from "../plan/plan.ts";
import { decisionsLine, replicasCell, whyCell } from "./cells.ts";
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
  const tables = [
    ...(plan.workloads.length === 0 && plan.queues !== undefined
      ? []
      : [entriesTable(["WORKLOAD", "REPLICAS"], plan.workloads, paint, width)]),
    ...(plan.queues === undefined ? [] : [entriesTable(["QUEUE'S WORKER", "MAXIMUM"], plan.queues, paint, width)]),
  ];
  const summary = [decisionsLine(plan), workersLine(plan.workers), ...plan.notes.map((note) => `Note: ${note}`)];
  return [...tables.flatMap((table) => [table, ""]), ...summary].join("\n");
}

function entriesTable(
  titles: [what: string, number: string],
  entries: readonly (PlanEntry | QueueEntry)[],
  paint: Paint,
  width: number,
): string {
  const head = [...titles, "DECISION", "WHY"].map((title) => cell(title, paint("bold", title)));
  return columns([head, ...entries.map((entry) => rowOf(entry, paint))], width);
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
