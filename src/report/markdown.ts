import type { Plan } from "../plan/plan.ts";
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
  const rows = plan.workloads.map((entry) => {
    const decision = entry.current === entry.target ? entry.decision : `**${entry.decision}**`;
    return `| ${[code(entry.workload), replicasCell(entry), decision, literal(whyCell(entry))].join(" | ")} |`;
  });
  const clusters = (plan.clickhouse ?? []).map((entry) => {
    const decision = changesSize(entry) ? `**${entry.decision}**` : entry.decision;
    return `| ${[code(clusterCell(entry)), sizesCell(entry), decision, literal(whyCell(entry))].join(" | ")} |`;
  });
  return [
    `**cluster-scale plan:** ${literal(decisionsLine(plan))} ${literal(workersLine(plan.workers))}`,
    "",
    "<details><summary>Each workload, and why</summary>",
    "",
    "| Workload | Replicas | Decision | Why |",
    "| --- | --- | --- | --- |",
    ...rows,
    ...clusters,
    "",
    ...(engine === undefined ? [] : [literal(engineLine(engine)), ""]),
    "</details>",
    ...plan.notes.flatMap((note) => ["", `> ${literal(note)}`]),
    "",
    `Digest: ${code(planDigest(plan, clusterId))}`,
    "",
  ].join("\n");
}

const code = (text: string) => `\`${text}\``;

/** Text that stays text: no cell border, no markup, no line break. */
const literal = (text: string) => text.replaceAll(/[\\`*_[\]<>|]/g, "\\$&").replaceAll(/\s*\n\s*/g, " ");
