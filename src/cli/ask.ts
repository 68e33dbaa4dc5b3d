import { UsageError } from "./usage-error.ts";

export interface AskOptions {
  /** Answered beforehand. */
  yes: boolean;
}

/** Ended by Ctrl-C at the question. */
export class Interrupted extends Error {}

/** Somebody can be asked: a terminal on both sides, and no CI system that only looks like one. */
function isInteractive(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY && !isCI(process.env.CI);
}

/** CI systems set CI, most of them to `true`. */
function isCI(value = ""): boolean {
  return value !== "" && value !== "false" && value !== "0";
}

/** @throws UsageError where nobody can be asked and the answer wasn't given beforehand. */
export function assertCanAsk({ yes }: AskOptions, what: string): void {
  if (yes || isInteractive()) return;
  throw new UsageError(
    `nobody can be asked here: this is no terminal, or CI is set. Give --yes to ${what} without a question`,
  );
}

/** True with --yes, or where the question is answered so. */
export async function isConfirmed({ yes }: AskOptions, message: string): Promise<boolean> {
  if (yes) return true;
  const { confirm } = await import("@inquirer/prompts");
  // On stderr: the result of a command is on stdout.
  return confirm({ message, default: false }, { output: process.stderr }).catch((error: Error) => {
    throw error.name === "ExitPromptError" ? new Interrupted("nothing was changed", { cause: error }) : error;
  });
}
