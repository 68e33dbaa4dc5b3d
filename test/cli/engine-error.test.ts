import { expect, test } from "vitest";
import { EngineError } from "../../src/cli/engine-error.ts";
import { failureOf } from "../../src/cli/exit.ts";
import { MovedError } from "../../src/report/moved.ts";

const of = (output: string, diagnostics: string[] = [], cancelled = false) =>
  EngineError.of(new Error(output), diagnostics, { stack: "dev", cancelled });

test.each<[string, EngineError, object]>([
  [
    "a lock",
    of(
      "error: the stack is currently locked by 1 lock(s). Either wait…\n  file:///s/.pulumi/locks/o/p/dev/1.json: created by ci@host-1 (pid 42) at 2026-01-15T12:00:00Z",
    ),
    {
      code: "locked",
      exitCode: 1,
      message:
        "the stack dev is locked by ci@host-1 (pid 42) since 2026-01-15T12:00:00Z; nothing was changed. Wait until it has ended. " +
        "If it died, `cluster-scale recover --stack dev` checks that, and clears up after it",
    },
  ],
  [
    "no stack",
    of("error: no stack named 'dev' found"),
    {
      code: "no-stack",
      exitCode: 1,
      message: "there is no stack dev in this backend yet. Create it: pulumi stack init dev",
    },
  ],
  [
    "the program's refusal of another plan",
    of("update failed", [new MovedError(["dev/a: …"]).message]),
    { code: "moved", exitCode: 3, message: new MovedError(["dev/a: …"]).message },
  ],
  [
    "the end that somebody asked for",
    of("update canceled", ["update canceled"], true),
    {
      code: "cancelled",
      exitCode: 130,
      message:
        "cancelled. Steps that were under way have ended, no further one was begun; running it again goes on from here",
    },
  ],
  [
    "an engine that was killed",
    of("code: -2\n stdout: \n stderr: Command was killed with SIGKILL (Forced termination): pulumi up\nUpdating…", [
      "half",
    ]),
    {
      code: "engine",
      exitCode: 1,
      message:
        "pulumi was killed (SIGKILL). `cluster-scale recover --stack dev` clears up what it left behind, and running this again goes on",
    },
  ],
  [
    "what the engine reports, once",
    of("code: 255", ["pods wait", "update failed", "pods wait"]),
    { code: "engine", exitCode: 1, message: "pods wait\nupdate failed" },
  ],
  [
    "what the command prints, where the engine did not come to report",
    of("Command failed\nerror: passphrase must be set\n"),
    { code: "engine", exitCode: 1, message: "passphrase must be set" },
  ],
])("%s", (_what, error, failure) => {
  expect(failureOf(error)).toEqual(failure);
});
