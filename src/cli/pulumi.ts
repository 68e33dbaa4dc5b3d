/** Commands of Pulumi for which the Automation API has no function, or none that keeps secrets encrypted. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { EngineError } from "./engine-error.ts";
import { UsageError } from "./usage-error.ts";

const run = promisify(execFile);

/** A state can be large; what it must not be is cut off. */
const MAX_OUTPUT_BYTES = 1024 ** 3;

/**
 * Runs pulumi and gives its standard output.
 *
 * @throws EngineError with what pulumi said; UsageError where there is no pulumi.
 */
export async function pulumi(args: string[], cwd: string): Promise<string> {
  try {
    const { stdout } = await run("pulumi", [...args, "--non-interactive", "--color", "never"], {
      cwd,
      maxBuffer: MAX_OUTPUT_BYTES,
      env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" },
    });
    return stdout;
  } catch (error) {
    const { code, stderr = "" } = error as { code?: unknown; stderr?: string };
    if (code === "ENOENT") throw missingPulumi();
    const said = stderr.trim().replace(/^error: /, "") || (error as Error).message;
    throw new EngineError(/no stack named/.test(said) ? "no-stack" : "engine", said, { cause: error });
  }
}

/** What to do where there is no `pulumi`. */
export function missingPulumi(): UsageError {
  return new UsageError(
    "there is no `pulumi` on the PATH. Install it (https://www.pulumi.com/docs/install/); a plan alone needs none: cluster-scale plan --no-preview",
  );
}
