import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { PlanJson } from "../report/json.ts";
import { jsonText } from "./output.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Writes a plan for review: whole, or not at all.
 *
 * @throws UsageError where it can't be written there.
 */
export async function writePlanFile(file: string, plan: PlanJson): Promise<void> {
  try {
    await writeFile(`${file}.new`, jsonText(plan));
    await rename(`${file}.new`, file);
  } catch (error) {
    throw new UsageError(`the plan can't be written to ${file}: ${(error as Error).message}`, { cause: error });
  }
}

/** A plan in a file of its own for as long as `use` runs, for a program that is to let only this one through. */
export async function withPlanFile<Result>(plan: PlanJson, use: (file: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(path.join(tmpdir(), "cluster-scale-plan-"));
  try {
    const file = path.join(folder, "plan.json");
    await writeFile(file, jsonText(plan));
    return await use(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
