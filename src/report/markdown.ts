import type { Plan, PlanEntry, QueueEntry } from "../plan/plan.ts";
import { decisionsLine, replicasCell, whyCell } from "./cells.ts";
import { changesSize, clusterCell, sizesCell } from "./clickhouse.ts";
import { planDigest } from "./digest.ts";
import { type EngineChanges, engineLine } from "./engine.ts";
import { workersLine } from "./workers.ts";

/**
 * The plan as GitHub-flavoured Markdown, for a comment of a pull request or a job summary: what changes at a glance, and
 * each workload where a reader unfolds it. Ends with a newline.
 *
 * @param engine what Pulumi would do, where it was asked.
 */
export function planMarkdown(plan: Plan, clusterId: string | null, engine?: EngineChanges): string {
  const clusters = (plan.clickhouse ?? []).map((entry) => {
    const decision = changesSize(entry) ? `**${entry.decision}**` : entry.decision;
    return `| ${[code(clusterCell(entry)), sizesCell(entry), decision, literal(whyCell(entry))].join(" | ")} |`;
  });
  return [
    `**cluster-scale plan:** ${literal(decisionsLine(plan))} ${literal(workersLine(plan.workers))}`,
    "",
    "<details><summary>Each workload, and why</summary>",
    "",
    ...rowsOf("Workload | Replicas", plan.workloads, clusters),
    ...(plan.queues === undefined ? [] : rowsOf("Queue's worker | Maximum", plan.queues)),
    ...(engine === undefined ? [] : [literal(engineLine(engine)), ""]),
    "</details>",
    ...plan.notes.flatMap((note) => ["", `> ${literal(note)}`]),
    "",
    `Digest: ${code(planDigest(plan, clusterId))}`,
    "",
  ].join("\n");
}

/**
 * A table, with an empty line after it.
 *
 * @param more further rows, as they are
 */
function rowsOf(columns: string, entries: readonly (PlanEntry | QueueEntry)[], more: string[] = []): string[] {
  const rows = entries.map((entry) => {
    const decision = entry.current === entry.target ? entry.decision : `**${entry.decision}**`;
    return `| ${[code(entry.workload), replicasCell(entry), decision, literal(whyCell(entry))].join(" | ")} |`;
  });
  return [`| ${columns} | Decision | Why |`, "| --- | --- | --- | --- |", ...rows, ...more, ""];
}

const code = (text: string) => `\`${text}\``;

/** Text that stays text: no cell border, no markup, no line break. */
const literal = (text: string) => text.replaceAll(/[\\`*_[\]<>|]/g, "\\$&").replaceAll(/\s*\n\s*/g, " ");
