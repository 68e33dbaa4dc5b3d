import { ReadError } from "../cluster/errors.ts";
import { ConfigError } from "../config/problems.ts";
import { MovedError } from "../report/moved.ts";
import { PlanFileError } from "../report/plan-file.ts";
import { PreflightError } from "../report/preflight-error.ts";
import { Interrupted } from "./ask.ts";
import { NotConvergedError, StalledError } from "./converge-errors.ts";
import { EngineError } from "./engine-error.ts";
import { UsageError } from "./usage-error.ts";

/** Exit codes; 0 is success. docs/cli.md lists them. */
export const ERROR = 1;
export const USAGE_ERROR = 2;
/** With --detailed-exitcode, where every error is 1. */
export const CHANGES = 2;
export const MOVED = 3;
/** As a shell shows a process that Ctrl-C ended. */
export const CANCELLED = 130;

/** What went wrong, for machines: docs/cli.md lists the codes. */
export interface Failure {
  code: string;
  exitCode: number;
  message: string;
}

/** An error whose message is for whoever ran the command and says all that they need, or undefined: a bug. */
export function failureOf(error: unknown): Failure | undefined {
  const failure = (code: string, exitCode: number) => ({ code, exitCode, message: (error as Error).message });
  if (error instanceof UsageError) return failure("usage", USAGE_ERROR);
  if (error instanceof PlanFileError) return failure("plan-file", USAGE_ERROR);
  if (error instanceof ConfigError) return failure("policy", USAGE_ERROR);
  if (error instanceof ReadError) return failure(error.code, ERROR);
  if (error instanceof MovedError) return failure("moved", MOVED);
  if (error instanceof PreflightError) return failure("preflight", ERROR);
  if (error instanceof Interrupted) return failure("cancelled", CANCELLED);
  if (error instanceof StalledError) return failure("stalled", ERROR);
  if (error instanceof NotConvergedError) return failure("not-converged", ERROR);
  if (!(error instanceof EngineError)) return undefined;
  return failure(error.code, { moved: MOVED, cancelled: CANCELLED }[error.code as string] ?? ERROR);
}
