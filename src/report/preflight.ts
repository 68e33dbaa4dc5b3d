/** What people and machines read of a preflight. */
import type { Finding } from "../plan/preflight.ts";
import { type Level, levelsText } from "../plan/preflight-findings.ts";
import { cell, columns } from "./columns.ts";
import type { Paint, Style } from "./paint.ts";
import { findingText } from "./preflight-error.ts";

const STYLES: Record<Level, Style> = { error: "red", warning: "yellow", note: "dim", ok: "green" };

/** One aligned row a finding, and a line that sums up. Lines without a final newline. */
export function preflightTable(findings: Finding[], paint: Paint, width: number): string {
  if (findings.length === 0) return "The policy has no queues: there is nothing to look at.";
  const rows = findings.map((finding) => [
    cell(finding.level, paint(STYLES[finding.level], finding.level)),
    cell(finding.queue ?? "all queues"),
    cell(findingText(finding)),
  ]);
  const summary = levelsText(findings.map(({ level }) => level));
  return [columns(rows, width), "", `Preflight: ${summary}.`].join("\n");
}
