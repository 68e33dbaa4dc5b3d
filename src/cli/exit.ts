import { ReadError } from "../cluster/errors.ts";
import { ConfigError } from "../config/problems.ts";

/** Exit codes; 0 is success. docs/cli.md lists them. */
export const ERROR = 1;
export const USAGE_ERROR = 2;

/** A command line that makes no sense as a whole. */
export class UsageError extends Error {}

/** An error whose message is for whoever ran the command, and says all that they need. */
export function isForPeople(error: unknown): error is Error {
  return error instanceof UsageError || error instanceof ConfigError || error instanceof ReadError;
}

export function exitCodeOf(error: unknown): number {
  return error instanceof UsageError || error instanceof ConfigError ? USAGE_ERROR : ERROR;
}
