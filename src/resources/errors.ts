import { RunError } from "@pulumi/pulumi";
import { ReadError } from "../cluster/errors.ts";
import { ConfigError } from "../config/problems.ts";
import { MovedError } from "../report/moved.ts";
import { PlanFileError } from "../report/plan-file.ts";
import { PreflightError } from "../report/preflight-error.ts";

const FOR_PEOPLE = [ConfigError, ReadError, MovedError, PlanFileError, PreflightError];

/**
 * Runs a program so that an error which says all there is to say ends it with its message alone. The SDK shows a stack
 * trace of everything else, which is what a bug needs.
 */
export async function withoutStackTraces<Result>(program: () => Promise<Result>): Promise<Result> {
  try {
    return await program();
  } catch (error) {
    if (FOR_PEOPLE.some((kind) => error instanceof kind)) throw new RunError((error as Error).message);
    throw error;
  }
}
