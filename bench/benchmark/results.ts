import { readFileSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import path from "node:path";

const file = path.join(import.meta.dirname, "..", "RESULTS.md");

/** A figure beside what it should be at most. */
export interface Check {
  what: string;
  value: number;
  atMost: number;
}

/** What one benchmark found: a section of bench/RESULTS.md. */
export interface Result {
  /** The section's heading. */
  title: string;
  command: string;
  /** Markdown below the line that says when and where. */
  body: string;
  checks?: Check[];
}

/** A GitHub table. */
export function table(head: string[], rows: (string | number)[][]): string {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** The goals of a result, each with what was measured. */
export function goals(checks: Check[]): string {
  return table(
    ["", "measured", "goal", ""],
    checks.map((check) => [check.what, check.value, `≤ ${check.atMost}`, isMet(check) ? "met" : "**missed**"]),
  );
}

export function isMet({ value, atMost }: Check): boolean {
  return value <= atMost;
}

/** Puts a result in the place of the section with its title, or at the end. */
export function record({ title, command, body, checks = [] }: Result): void {
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}, Node ${process.versions.node}`;
  const parts = [
    `## ${title}`,
    `\`${command}\`, ${new Date().toISOString().slice(0, 10)}, ${machine}`,
    body.trim(),
    ...(checks.length === 0 ? [] : [goals(checks)]),
  ];
  const sections = readFileSync(file, "utf8").split(/^(?=## )/m);
  const place = sections.findIndex((text) => text.startsWith(`## ${title}\n`));
  if (place === -1) sections.push(parts.join("\n\n"));
  else sections[place] = parts.join("\n\n");
  writeFileSync(file, `${sections.map((text) => text.trim()).join("\n\n")}\n`);
}
