import type { NodeVerdict } from "../plan/explain.ts";
import { cell, columns } from "./columns.ts";
import type { Paint, Style } from "./paint.ts";

/** Node by node, what it is to one workload, as aligned columns. */
export function verdictsTable(verdicts: NodeVerdict[], paint: Paint, width: number): string {
  const head = ["NODE", "HEALTH", "COUNTS", "WHY"].map((title) => cell(title, paint("bold", title)));
  const rows = verdicts.map((verdict) => {
    const [counts, style] = countsFor(verdict);
    return [cell(verdict.node), cell(verdict.health ?? "–"), cell(counts, paint(style, counts)), cell(verdict.why)];
  });
  return columns([head, ...rows], width);
}

function countsFor({ grow, keep }: NodeVerdict): [counts: string, style: Style] {
  if (grow) return ["yes", "green"];
  return keep ? ["to keep", "cyan"] : ["no", "red"];
}
