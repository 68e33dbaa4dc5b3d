import type { Plan } from "../plan/plan.ts";
import { decisionsLine } from "./cells.ts";
import { planDigest } from "./digest.ts";
import { type EngineChanges, engineLine } from "./engine.ts";
import { clusterRow, type Row, rowOf } from "./rows.ts";
import { workersLine } from "./workers.ts";

/**
 * The plan as GitHub-flavoured Markdown, for a comment of a pull request or a job summary: what changes at a glance, and
 * each workload where a reader unfolds it. Ends with a newline.
 *
 * @param engine what Pulumi would do, where it was asked.
 */
export function planMarkdown(plan: Plan, clusterId: string | null, engine?: EngineChanges): string {
  return [
    `**cluster-scale plan:** ${literal(decisionsLine(plan))} ${literal(workersLine(plan.workers))}`,
    "",
    "<details><summary>Each workload, and why</summary>",
    "",
    ...linesOf("Workload | Replicas", [...plan.workloads.map(rowOf), ...(plan.clickhouse ?? []).map(clusterRow)]),
    ...(plan.queues === undefined ? [] : linesOf("Queue's worker | Maximum", plan.queues.map(rowOf))),
    ...(engine === undefined ? [] : [literal(engineLine(engine)), ""]),
    "</details>",
    ...plan.notes.flatMap((note) => ["", `> ${literal(note)}`]),
    "",
    `Digest: ${code(planDigest(plan, clusterId))}`,
    "",
  ].join("\n");
}

/** A table, with an empty line after it. */
function linesOf(titles: string, rows: Row[]): string[] {
  const lines = rows.map(({ name, numbers, changes, decision, why }) => {
    const cells = [code(name), numbers, changes ? `**${decision}**` : decision, literal(why)];
    return `| ${cells.join(" | ")} |`;
  });
  return [`| ${titles} | Decision | Why |`, "| --- | --- | --- | --- |", ...lines, ""];
}

const code = (text: string) => `\`${text}\``;

/** Text that stays text: no cell border, no markup, no line break. */
const literal = (text: string) => text.replaceAll(/[\\`*_[\]<>|]/g, "\\$&").replaceAll(/\s*\n\s*/g, " ");
