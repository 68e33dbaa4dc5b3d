import { planDigest } from "./digest.ts";
import type { PlanJson } from "./json.ts";

/** A file that was to be a reviewed plan, and can't be used as one. */
export class PlanFileError extends Error {
  constructor(file: string, problem: string) {
    super(`${file} ${problem}. Write a plan with \`cluster-scale plan --out ${file}\`, and leave it as it is`);
    this.name = "PlanFileError";
  }
}

/**
 * A plan as `plan --out` wrote it.
 *
 * Its digest is computed again from what stands there: so what a reviewer read is what the digest means, and a file that was
 * edited by hand or cut off is none.
 *
 * @param file its name, for errors.
 * @throws PlanFileError
 */
export function parsePlanFile(text: string, file: string): PlanJson {
  let value: Partial<PlanJson>;
  try {
    value = JSON.parse(text);
  } catch {
    throw new PlanFileError(file, "is no JSON");
  }
  if (!isPlan(value)) throw new PlanFileError(file, "is no plan");
  if (planDigest(value, value.clusterId) === value.digest) return value;
  throw new PlanFileError(file, `was changed after it was written: its digest is not that of its workloads`);
}

/** Enough of a plan to compute its digest and to show it. */
function isPlan(value: Partial<PlanJson> | null): value is PlanJson {
  return (
    typeof value?.digest === "string" &&
    value.clusterId !== undefined &&
    Array.isArray(value.notes) &&
    typeof value.workers?.byState === "object" &&
    typeof value.workers.names === "object" &&
    typeof value.workers.nonCandidates === "object" &&
    Array.isArray(value.workloads) &&
    [value.workloads, value.clickhouse ?? [], value.queues ?? []].every(areEntries)
  );
}

function areEntries(entries: unknown): boolean {
  return (
    Array.isArray(entries) && entries.every((entry) => Array.isArray(entry?.reasons) && Array.isArray(entry.warnings))
  );
}
