import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Plan } from "../plan/plan.ts";
import { assertUnmoved } from "../report/moved.ts";
import { PlanFileError, parsePlanFile } from "../report/plan-file.ts";

/** The variable of the environment that names the file of a reviewed plan, beside which nothing else may be done. */
export const REVIEWED_PLAN = "CLUSTER_SCALE_PLAN";

/**
 * Where a reviewed plan is named, lets only that one through. Called before any resource is declared, so that either all of
 * what was reviewed is done or nothing, whoever runs the program.
 *
 * @throws MovedError, PlanFileError
 */
export async function assertReviewed(plan: Plan, clusterId: string | null, env = process.env): Promise<void> {
  const file = env[REVIEWED_PLAN] ?? "";
  if (file === "") return;
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new PlanFileError(path.resolve(file), `(${REVIEWED_PLAN}) can't be read: ${error.message}`);
  });
  assertUnmoved(parsePlanFile(text, file), plan, clusterId);
}
