import type { Plan } from "../plan/plan.ts";
import { decisionsLine, replicasCell, whyCell } from "./cells.ts";
import { planDigest } from "./digest.ts";
import { workersLine } from "./workers.ts";

/** The plan as GitHub-flavoured Markdown, for a pull request or a job summary. Ends with a newline. */
export function planMarkdown(plan: Plan, clusterId: string | null): string {
  const rows = plan.workloads.map((entry) => {
    const decision = entry.current === entry.target ? entry.decision : `**${entry.decision}**`;
    return `| ${[code(entry.workload), replicasCell(entry), decision, literal(whyCell(entry))].join(" | ")} |`;
  });
  return [
    "| Workload | Replicas | Decision | Why |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
    literal(decisionsLine(plan)),
    "",
    literal(workersLine(plan.workers)),
    ...plan.notes.flatMap((note) => ["", `> ${literal(note)}`]),
    "",
    `Digest: ${code(planDigest(plan, clusterId))}`,
    "",
  ].join("\n");
}

const code = (text: string) => `\`${text}\``;

/** Text that stays text: no cell border, no markup, no line break. */
const literal = (text: string) => text.replaceAll(/[\\`*_[\]<>|]/g, "\\$&").replaceAll(/\s*\n\s*/g, " ");
