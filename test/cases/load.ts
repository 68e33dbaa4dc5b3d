/** Reads the regression cases; their format is in README.md beside them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

/** An entry of `expect`: the parts of a plan entry that machines read. */
export interface ExpectedEntry {
  workload: string;
  decision: string;
  current: number | null;
  target: number | null;
  grow: number | null;
  keep: number | null;
  reasons: string[];
  warnings: string[];
}

/** An entry of `clickhouse`, likewise. */
export interface ExpectedCluster {
  kind: string;
  workload: string;
  decision: string;
  current: object | null;
  target: object | null;
  next: object[];
  reasons: string[];
  warnings: string[];
}

interface Generator {
  count: number;
  template: Record<string, unknown>;
  variations?: { every: number; merge: Record<string, unknown> }[];
}

interface CaseFile {
  title: string;
  observedAt: string;
  policy: unknown;
  objects: unknown[];
  generate?: Generator[];
  expect?: ExpectedEntry[];
  clickhouse?: ExpectedCluster[];
  error?: { contains: string };
}

/** A case, its generated objects among the others: either entries or an error are expected. */
export interface RegressionCase extends Pick<CaseFile, "title" | "observedAt" | "policy" | "objects"> {
  file: string;
  expect: ExpectedEntry[] | null;
  /** Undefined where the policy lists no such cluster. */
  clickhouse?: ExpectedCluster[];
  error: string | null;
}

export function loadCases(folder = import.meta.dirname): RegressionCase[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".yaml"));
  return files.sort().map((file) => {
    const read: CaseFile = parse(readFileSync(join(folder, file), "utf8"));
    const objects = [...read.objects, ...(read.generate ?? []).flatMap(generated)];
    return { ...read, file, objects, expect: read.expect ?? null, error: read.error?.contains ?? null };
  });
}

/** Copies of the template numbered from 1, each with the variations whose `every` divides its number. */
function generated({ count, template, variations = [] }: Generator): unknown[] {
  return Array.from({ length: count }, (_, index) => {
    const number = index + 1;
    const due = variations.filter(({ every }) => number % every === 0);
    return numbered(
      due.reduce<unknown>((object, { merge }) => merged(object, merge), template),
      number,
    );
  });
}

function merged(base: unknown, patch: unknown): unknown {
  if (!isMap(base) || !isMap(patch)) return patch;
  const keys = [...new Set([...Object.keys(base), ...Object.keys(patch)])];
  return Object.fromEntries(keys.map((key) => [key, key in patch ? merged(base[key], patch[key]) : base[key]]));
}

function numbered(value: unknown, number: number): unknown {
  if (typeof value === "string") return value.replaceAll("{i}", String(number));
  if (Array.isArray(value)) return value.map((item) => numbered(item, number));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, numbered(item, number)]));
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
