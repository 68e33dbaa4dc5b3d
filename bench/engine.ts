import { copyFile, mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import { execa } from "execa";
import { pulumiVersion, type ToolName } from "./tools/catalog.ts";
import { ensureTools } from "./tools/ensure.ts";
import { kubernetesProviderVersion } from "./tools/kubernetes-provider.ts";

export interface EngineOptions {
  /** PULUMI_HOME: plugins, credentials, and what else the CLI keeps; a temporary folder keeps the user's own out of it. */
  home: string;
  /** The folder of the state backend. */
  backendDir: string;
  passphrase?: string;
  kubeconfig?: string;
}

const localBin = path.join(import.meta.dirname, "..", "node_modules", ".bin");

/** The environment in which the real Pulumi runs with a state backend of its own, and without the internet. */
export async function pulumiEnv(options: EngineOptions): Promise<Record<string, string>> {
  const { home, backendDir, passphrase = "bench", kubeconfig } = options;
  const tools = await ensureTools({ tools: ["pulumi", ...plugins.keys()] });
  for (const [plugin, folder] of plugins) await installPlugin(home, folder, tools.binary(plugin));
  return {
    // Node 24 first: the language host runs the program with the `node` that it finds.
    PATH: [localBin, path.dirname(tools.binary("pulumi")), process.env.PATH ?? ""].join(path.delimiter),
    HOME: process.env.HOME ?? home,
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: `file://${backendDir}`,
    PULUMI_CONFIG_PASSPHRASE: passphrase,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_SUPPRESS_NEO_LINK: "true",
    // Whatever the user's shell says: the cluster is the one that was asked for, or none.
    KUBECONFIG: kubeconfig ?? path.join(home, "no-kubeconfig"),
  };
}

/** Plugins by their folders in PULUMI_HOME. */
const plugins = new Map<ToolName, string>([
  ["pulumi-language-nodejs", `language-nodejs-v${pulumiVersion}`],
  ["pulumi-resource-kubernetes", `resource-kubernetes-v${kubernetesProviderVersion}`],
]);

/** Puts a plugin where `pulumi plugin install` would: one that is only on PATH draws a warning at every run. */
async function installPlugin(home: string, folder: string, binary: string): Promise<void> {
  const place = path.join(home, "plugins", folder);
  await mkdir(place, { recursive: true });
  await symlink(binary, path.join(place, path.basename(binary))).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}

export interface PulumiRun {
  code: number;
  stdout: string;
  stderr: string;
  seconds: number;
}

export interface RunOptions {
  /** The folder of Pulumi.yaml. */
  cwd: string;
  env: Record<string, string>;
  input?: string;
  /** Milliseconds after which it is stopped; five minutes if not said. */
  timeout?: number;
  /** On this terminal instead of into the result. */
  inherit?: boolean;
}

/** Runs the real `pulumi` without a terminal's animations, and gives what it said, whatever its exit code. */
export async function runPulumi(args: string[], options: RunOptions): Promise<PulumiRun> {
  const { cwd, env, input, timeout = 300_000, inherit = false } = options;
  const started = performance.now();
  const { exitCode, stdout, stderr, timedOut, originalMessage } = await execa(
    "pulumi",
    ["--non-interactive", "--color", inherit ? "auto" : "never", ...args],
    {
      cwd,
      env,
      extendEnv: false,
      reject: false,
      timeout,
      // SIGINT is what makes the engine stop in order; the host and the provider end with it.
      killSignal: "SIGINT",
      forceKillAfterDelay: 20_000,
      ...(input === undefined ? {} : { input }),
      stdio: inherit ? "inherit" : "pipe",
    },
  );
  const seconds = (performance.now() - started) / 1000;
  if (timedOut) throw new Error(`pulumi ${args.join(" ")} did not end in ${timeout / 1000} s:\n${stdout}\n${stderr}`);
  if (exitCode === undefined) throw new Error(`pulumi ${args.join(" ")}: ${originalMessage ?? "ended by a signal"}`);
  return { code: exitCode, stdout: stdout ?? "", stderr: stderr ?? "", seconds };
}

/**
 * Creates a stack of a project whose configuration is outside the project's folder, and gives how to run pulumi on it.
 *
 * `pulumi stack init` takes no `--config-file` and would write the salt of the new stack into the project; so it is run beside
 * the configuration, on a copy of Pulumi.yaml.
 *
 * @param config path of an existing `Pulumi.<stack>.yaml`, which gets the salt.
 */
export async function initStack(project: string, config: string, env: Record<string, string>) {
  const [, stack = ""] = /^Pulumi\.(.+)\.yaml$/.exec(path.basename(config)) ?? [];
  const folder = path.dirname(config);
  await copyFile(path.join(project, "Pulumi.yaml"), path.join(folder, "Pulumi.yaml"));
  const { code, stderr } = await runPulumi(["stack", "init", stack], { cwd: folder, env });
  if (code !== 0) throw new Error(`pulumi stack init ${stack} failed: ${stderr}`);
  return (args: string[], options: Partial<RunOptions> = {}): Promise<PulumiRun> =>
    runPulumi([...args, "--stack", stack, "--config-file", config], { cwd: project, env, ...options });
}
