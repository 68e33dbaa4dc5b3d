import { readFileSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import path from "node:path";

const file = path.join(import.meta.dirname, "..", "RESULTS.md");

/** What one benchmark found: a section of bench/RESULTS.md. */
export interface Result {
  /** The section's heading. */
  title: string;
  command: string;
  /** Markdown below the line that says when and where. */
  body: string;
}

/** A GitHub table. */
export function table(head: string[], rows: (string | number)[][]): string {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** Puts a result in the place of the section with its title, or at the end. */
export function record({ title, command, body }: Result): void {
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}, Node ${process.versions.node}`;
  const section = `## ${title}\n\n\`${command}\`, ${new Date().toISOString().slice(0, 10)}, ${machine}\n\n${body.trim()}\n`;
  const sections = readFileSync(file, "utf8").split(/^(?=## )/m);
  const place = sections.findIndex((text) => text.startsWith(`## ${title}\n`));
  if (place === -1) sections.push(section);
  else sections[place] = section;
  writeFileSync(file, `${sections.map((text) => text.trim()).join("\n\n")}\n`);
}
