import { MOVED } from "../report/moved.ts";

/**
 * `locked`: another update holds the stack, or one that died. `moved`: the program refused, since the plan is not the reviewed
 * one. `cancelled`: by whoever ran it. `engine`: anything else.
 */
export type EngineErrorCode = "locked" | "moved" | "cancelled" | "no-stack" | "engine";

/** A run of Pulumi's engine that failed, in the words of the engine or of the program. */
export class EngineError extends Error {
  readonly code: EngineErrorCode;

  constructor(code: EngineErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "EngineError";
    this.code = code;
  }

  /**
   * @param error of the Automation API, whose message is the whole output of the command.
   * @param diagnostics the errors among the engine's events.
   */
  static of(error: unknown, diagnostics: string[], { stack, cancelled }: { stack: string; cancelled: boolean }) {
    const output = error instanceof Error ? error.message : String(error);
    const cause = { cause: error };
    const moved = diagnostics.find((text) => text.includes(MOVED));
    if (moved !== undefined) return new EngineError("moved", moved, cause);
    if (cancelled) {
      return new EngineError(
        "cancelled",
        "cancelled. Steps that were under way have ended, no further one was begun; running it again goes on from here",
        cause,
      );
    }
    if (output.includes("the stack is currently locked by") || output.includes("[409] Conflict")) {
      return new EngineError("locked", lockedText(output, stack), cause);
    }
    if (/no stack named/.test(output)) {
      const message = `there is no stack ${stack} in this backend yet. Create it: pulumi stack init ${stack}`;
      return new EngineError("no-stack", message, cause);
    }
    const killed = /Command was killed with (SIG\w+)/.exec(output)?.[1];
    if (killed !== undefined) {
      const message = `pulumi was killed (${killed}). \`cluster-scale recover --stack ${stack}\` clears up what it left behind, and running this again goes on`;
      return new EngineError("engine", message, cause);
    }
    const said = diagnostics.length > 0 ? [...new Set(diagnostics)].join("\n") : errorsIn(output);
    return new EngineError("engine", said, cause);
  }
}

function lockedText(output: string, stack: string): string {
  const holders = [...output.matchAll(/created by (\S+) \(pid (\d+)\) at (\S+)/g)].map(
    ([, who, pid, at]) => `${who} (pid ${pid}) since ${at}`,
  );
  const who = [...new Set(holders)].join(", ") || "another update";
  return (
    `the stack ${stack} is locked by ${who}; nothing was changed. Wait until it has ended. If it died, ` +
    `\`cluster-scale recover --stack ${stack}\` checks that, and clears up after it`
  );
}

/** The error messages in what a command of Pulumi printed; all of it where it marks none. */
function errorsIn(output: string): string {
  const lines = output.split("\n");
  const first = lines.findIndex((line) => line.startsWith("error: "));
  const said = first === -1 ? lines : lines.slice(first);
  return said
    .join("\n")
    .replace(/^error: /, "")
    .trim();
}
