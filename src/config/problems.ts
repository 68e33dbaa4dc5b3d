/**
 * What is wrong with a configuration, told all at once: where (the key path as it was written), what stands there and
 * what is allowed.
 */
import type * as z from "zod";
import { looksSecret } from "./secret-values.ts";

/** A configuration that can't be used. `problems` has one line for each mistake, `message` all of them. */
export class ConfigError extends Error {
  readonly problems: string[];

  /** @param where what was read, as the heading of the message: a file name, or `The policy`. */
  constructor(where: string, problems: string[]) {
    const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
    super(`${where}: ${count}\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/**
 * The issues of a parse as lines for people. The schema's messages complete the sentence "must be …"; for an unknown
 * key the message is the list of allowed ones (see `keys` in schema.ts).
 */
export function describeIssues(issues: z.core.$ZodIssue[]): string[] {
  return issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => `${keyPath([...issue.path, key])}: ${unknownKey(key, issue.message.split(", "))}`);
    }
    const problem = mustBe(issue.message, issue.input);
    return [issue.path.length === 0 ? problem : `${keyPath(issue.path)}: ${problem}`];
  });
}

/** `["workloads", 2, "max"]` as people write it: `workloads[2].max`. */
function keyPath(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
}

export function mustBe(allowed: string, value: unknown): string {
  if (value === undefined) return `is missing; must be ${allowed}`;
  if (value === null) return `has no value; must be ${allowed}`;
  if (typeof value === "string" && isPlaceholder(value))
    return `is still the placeholder ${shown(value)}; must be ${allowed}`;
  if (typeof value === "string" && placeholderIn(value) !== undefined)
    return `still has the placeholder ${placeholderIn(value)} in it: ${shown(value)}; must be ${allowed}`;
  return `must be ${allowed}, not ${shown(value)}`;
}

function unknownKey(key: string, allowed: readonly string[]): string {
  const guess = nearest(key, allowed);
  return `unknown key${guess === undefined ? "" : ` (did you mean ${guess}?)`}; allowed: ${allowed.join(", ")}`;
}

/** `a, b or c`. */
export function orList(choices: readonly string[]): string {
  return choices.join(", ").replace(/, ([^,]*)$/, " or $1");
}

/** Text that stands for a value to be filled in: `<namespace>`, `${NAME}`, `{{ name }}`, `CHANGEME`, `TODO`. */
export function isPlaceholder(text: string): boolean {
  return /^\s*(<.*>|\$\{.*\}|\{\{.*\}\}|change[-_ ]?me|replace[-_ ]?me|todo|tbd|xxx+)\s*$/i.test(text);
}

/** The first part of a text that stands for a value to be filled in: `${TAG}` in `registry.example/app:${TAG}`. */
export function placeholderIn(text: string): string | undefined {
  return /<[A-Za-z][\w .-]*>|\$\{[^}]*\}|\{\{[^}]*\}\}|\bchange[-_ ]?me\b|\breplace[-_ ]?me\b/i.exec(text)?.[0];
}

/** A value as it would be written in YAML's flow style, cut where it is long; never a secret. */
export function shown(value: unknown): string {
  const text = typeof value === "number" ? String(value) : (JSON.stringify(value) ?? String(value));
  if (looksSecret(text)) return "what looks like a secret (not shown)";
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

/** The allowed key most like the written one, if any is like it: one contains the other, or a third of it is mistyped. */
function nearest(key: string, allowed: readonly string[]): string | undefined {
  const written = key.toLowerCase();
  const distances = allowed.map((candidate) => {
    const right = candidate.toLowerCase();
    const contained = written.startsWith(right) || right.startsWith(written);
    return { candidate, distance: contained ? 1 : editDistance(written, right) };
  });
  const best = distances.sort((a, b) => a.distance - b.distance)[0];
  return best !== undefined && best.distance <= Math.max(1, key.length / 3) ? best.candidate : undefined;
}

/** Levenshtein distance, row by row. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
