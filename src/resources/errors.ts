import { RunError } from "@pulumi/pulumi";
import { ReadError } from "../cluster/errors.ts";
import { ConfigError } from "../config/problems.ts";

/**
 * Runs a program so that an error which says all there is to say ends it with its message alone. The SDK shows a stack
 * trace of everything else, which is what a bug needs.
 */
export async function withoutStackTraces<Result>(program: () => Promise<Result>): Promise<Result> {
  try {
    return await program();
  } catch (error) {
    if (error instanceof ConfigError || error instanceof ReadError) throw new RunError(error.message);
    throw error;
  }
}
