import type { Plan } from "../plan/plan.ts";
import { decisionsLine } from "./cells.ts";
import { planDigest } from "./digest.ts";
import { type EngineChanges, engineLine } from "./engine.ts";
import { clusterRow, type Row, rowOf } from "./rows.ts";
import { workersLine } from "./workers.ts";

/** Of the rows: a comment of GitHub holds 65,536 characters in all, and one's own pipeline may put something around the plan. */
const MOST_CHARACTERS = 55_000;

/**
 * The plan as GitHub-flavoured Markdown, for a comment of a pull request or a job summary: what changes at a glance, and
 * each workload where a reader unfolds it. Of a plan that is too long for a comment those that change come first. Ends with a newline.
 *
 * @param engine what Pulumi would do, where it was asked.
 */
export function planMarkdown(plan: Plan, clusterId: string | null, engine?: EngineChanges): string {
  const workloads = linesOf([...plan.workloads.map(rowOf), ...(plan.clickhouse ?? []).map(clusterRow)]);
  const queues = linesOf((plan.queues ?? []).map(rowOf));
  const lines = [...workloads, ...queues];
  const shown = fitting(lines);
  return [
    `**cluster-scale plan:** ${literal(decisionsLine(plan))} ${literal(workersLine(plan.workers))}`,
    "",
    "<details><summary>Each workload, and why</summary>",
    "",
    ...tableOf("Workload | Replicas", workloads, shown),
    ...(plan.queues === undefined ? [] : tableOf("Queue's worker | Maximum", queues, shown)),
    ...leftOut(lines.filter((line) => !shown.has(line))),
    ...(engine === undefined ? [] : [literal(engineLine(engine)), ""]),
    "</details>",
    ...plan.notes.flatMap((note) => ["", `> ${literal(note)}`]),
    "",
    `Digest: ${code(planDigest(plan, clusterId))}`,
    "",
  ].join("\n");
}

/** A row of a table, as it is written. */
interface Line {
  text: string;
  changes: boolean;
}

function linesOf(rows: Row[]): Line[] {
  return rows.map(({ name, numbers, changes, decision, why }) => {
    const cells = [code(name), numbers, changes ? `**${decision}**` : decision, literal(why)];
    return { text: `| ${cells.join(" | ")} |`, changes };
  });
}

/** The lines for which there is room, first those that change something. */
function fitting(lines: Line[]): Set<Line> {
  let room = MOST_CHARACTERS;
  const byWeight = [...lines.filter(({ changes }) => changes), ...lines.filter(({ changes }) => !changes)];
  return new Set(
    byWeight.filter(({ text }) => {
      room -= text.length + 1;
      return room >= 0;
    }),
  );
}

/** A table, with an empty line after it. */
function tableOf(titles: string, lines: Line[], shown: Set<Line>): string[] {
  const rows = lines.filter((line) => shown.has(line)).map(({ text }) => text);
  return [`| ${titles} | Decision | Why |`, "| --- | --- | --- | --- |", ...rows, ""];
}

function leftOut(lines: Line[]): string[] {
  if (lines.length === 0) return [];
  const changing = lines.filter(({ changes }) => changes).length;
  const which = changing === 0 ? "none of which changes" : `${changing} of which change`;
  return [
    `A comment holds no more: ${lines.length} are left out, ${which}. The plan's file (\`--out\`) and its table have them all.`,
    "",
  ];
}

const code = (text: string) => `\`${text}\``;

/** Text that stays text: no cell border, no markup, no line break. */
const literal = (text: string) => text.replaceAll(/[\\`*_[\]<>|]/g, "\\$&").replaceAll(/\s*\n\s*/g, " ");
