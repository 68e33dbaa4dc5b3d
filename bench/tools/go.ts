import os from "node:os";
import { ExecaError, execa } from "execa";

/** What the tool sets' go.mod files ask for. */
const NEEDED = [1, 26, 6] as const;

/** Throws one sentence that says what to install where there is no Go, or too old a one. */
export async function requireGo(): Promise<void> {
  const advice = `Install Go ${NEEDED.join(".")} or newer (https://go.dev/dl/): the bench builds its tools with it, once.`;
  let version: string;
  try {
    ({ stdout: version } = await execa("go", ["env", "GOVERSION"], { env: { GOTOOLCHAIN: "local" } }));
  } catch (error) {
    if (error instanceof ExecaError && error.code === "ENOENT") throw new Error(`There is no Go on PATH. ${advice}`);
    throw error;
  }
  if (!isRecentGo(version)) throw new Error(`The Go on PATH is ${version}, which is too old. ${advice}`);
}

/** Whether a version as `go env GOVERSION` gives it (`go1.26.8`, `go1.27rc1`) is new enough. */
export function isRecentGo(version: string): boolean {
  const found = /^go(\d+)\.(\d+)(?:\.(\d+))?/
    .exec(version)
    ?.slice(1)
    .map((part) => Number(part ?? 0)) ?? [0];
  for (const [index, needed] of NEEDED.entries()) {
    const difference = (found[index] ?? 0) - needed;
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** Runs `go`, what it says line by line to `onLine`; gives its standard output. */
export async function runGo(
  args: string[],
  options: { cwd: string; onLine?: (line: string) => void },
): Promise<string> {
  const { cwd, onLine } = options;
  const child = execa("go", args, { cwd, env: goEnvironment() });
  if (onLine) for await (const line of child.iterable({ from: "stderr" })) onLine(line);
  return (await child).stdout;
}

/** Downloads a module, which the checksum database vouches for, and says where it is. */
export async function downloadModule(module: string): Promise<{ dir: string; sum: string }> {
  const answer = JSON.parse(await runGo(["mod", "download", "-json", module], { cwd: os.tmpdir() }));
  return { dir: answer.Dir, sum: answer.Sum };
}

function goEnvironment(): Record<string, string> {
  // The compiler is faster the less it collects, and may use what the machine has, shared between its processes.
  const share = os.totalmem() / 2 ** 20 / os.availableParallelism() / 2;
  return {
    CGO_ENABLED: "0",
    GOFLAGS: "-mod=readonly",
    GOWORK: "off",
    GOGC: "400",
    GOMEMLIMIT: `${Math.round(Math.min(4096, Math.max(1024, share)))}MiB`,
  };
}
