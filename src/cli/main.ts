#!/usr/bin/env node
/**
 * The command line's process: runs the command that the arguments name, and says how it ended.
 */
import { CommanderError } from "commander";
import { commandLine } from "./command-line.ts";
import { ERROR, failureOf, USAGE_ERROR } from "./exit.ts";

// A reader that has seen enough (`| head`) is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

const args = process.argv.slice(2);
try {
  process.exitCode = await runCommand();
} catch (error) {
  process.exitCode = exitCodeOf(error);
  // What commander throws it has said already.
  if (!(error instanceof CommanderError)) process.stderr.write(errorText(error));
}

/** The exit code of the command. */
async function runCommand(): Promise<number> {
  let exitCode = 0;
  const finish = (code: number | undefined) => {
    exitCode = code ?? 0;
  };
  await commandLine({ out: process.stdout, err: process.stderr }, finish).parseAsync(args, { from: "user" });
  return exitCode;
}

/** With --detailed-exitcode 2 means changes, so that every mistake is a 1. */
function exitCodeOf(error: unknown): number {
  const isHelp = error instanceof CommanderError && error.exitCode === 0;
  if (isHelp) return 0;
  const code = error instanceof CommanderError ? USAGE_ERROR : (failureOf(error)?.exitCode ?? ERROR);
  return code === USAGE_ERROR && args.includes("--detailed-exitcode") ? ERROR : code;
}

/** What a person needs to know, or a machine where it asked for JSON; the stack only of what should never have happened. */
function errorText(error: unknown): string {
  const failure = failureOf(error);
  if (failure === undefined) {
    const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return `cluster-scale: internal error. Please report it with this text:\n${details}\n`;
  }
  if (!asksForJson()) return `cluster-scale: ${failure.message}\n`;
  return `${JSON.stringify({ error: { ...failure, exitCode: exitCodeOf(error) } })}\n`;
}

function asksForJson(): boolean {
  return args.some(
    (arg, index) => /^(-o|--output=)json$/.test(arg) || (/^(-o|--output)$/.test(arg) && args[index + 1] === "json"),
  );
}
