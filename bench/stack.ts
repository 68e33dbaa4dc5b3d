/** Stacks of the real program, each in a temporary folder of its own: configuration, state backend and Pulumi's home. */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { execa } from "execa";
import { parse, stringify } from "yaml";
import { initStack, pulumiEnv } from "./engine.ts";

const root = path.join(import.meta.dirname, "..");

export interface StackOptions {
  kubeconfig: string;
  /** The stack's configuration below the namespace cluster-scale. */
  config: Record<string, unknown>;
  /** Further configuration with full keys, such as `kubernetes:context`. */
  otherConfig?: Record<string, unknown>;
}

/** A stack named `test`, its secrets encrypted with the passphrase `canary-passphrase`. */
export interface Stack {
  folder: string;
  /** The path of its Pulumi.test.yaml. */
  config: string;
  /** The environment of its commands. */
  env: Record<string, string>;
  /** Runs the real pulumi on it, in the project's own folder. */
  pulumi: Awaited<ReturnType<typeof initStack>>;
  remove(): Promise<void>;
}

/** Creates a stack. Nothing is written to the project's own folder. */
export async function createStack({ kubeconfig, config, otherConfig }: StackOptions): Promise<Stack> {
  const folder = await mkdtemp(path.join(tmpdir(), "cluster-scale-stack-"));
  const backendDir = path.join(folder, "state");
  await mkdir(backendDir);
  const home = path.join(folder, "home");
  const engine = await pulumiEnv({ home, backendDir, passphrase: "canary-passphrase", kubeconfig });
  // Without it there is no --event-log: it is how the Automation API asks for the events.
  const env = { ...engine, PULUMI_DEBUG_COMMANDS: "true" };
  const file = path.join(folder, "Pulumi.test.yaml");
  await writeFile(file, "config: {}\n");
  const pulumi = await initStack(root, file, env);
  await writeConfig(file, config, otherConfig);
  return { folder, config: file, env, pulumi, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Replaces a stack's configuration, all but the salt of its secrets. */
export async function writeConfig(
  file: string,
  config: Record<string, unknown>,
  otherConfig: Record<string, unknown> = {},
): Promise<void> {
  const { config: _, ...salt } = parse(await readFile(file, "utf8"));
  const keys = Object.entries(config).map(([key, value]) => [`cluster-scale:${key}`, value]);
  await writeFile(file, stringify({ ...salt, config: { ...Object.fromEntries(keys), ...otherConfig } }));
}

/** Makes a stack's folder a project of its own with the real program, whatever that is made of. */
export async function linkProgram({ folder }: Pick<Stack, "folder">): Promise<void> {
  const names = (await readdir(root)).filter((name) => !/^(Pulumi\.|\.)/.test(name));
  for (const name of names) await symlink(path.join(root, name), path.join(folder, name));
}

export interface CliRun {
  /** Undefined where a signal ended it. */
  code: number | undefined;
  stdout: string;
  stderr: string;
}

export interface CliOptions {
  env?: Record<string, string>;
  /** Called with the process id, once it runs. */
  onStart?: (pid: number | undefined) => void;
  /** Called with each line of stderr, as it comes, and the way to send the process a signal. */
  onLine?: (line: string, send: (signal: NodeJS.Signals) => void) => void;
}

/** Runs `cluster-scale` in the folder of a stack with the program, its output in pipes, its stdin empty. */
export async function runCli(
  { folder, env }: Pick<Stack, "folder" | "env">,
  args: string[],
  options: CliOptions = {},
): Promise<CliRun> {
  const { onStart = () => {}, onLine = () => {} } = options;
  const child = execa(process.execPath, [path.join(root, "src", "cli", "bin.mjs"), ...args], {
    cwd: folder,
    extendEnv: false,
    env: { ...env, ...options.env },
    stdin: "ignore",
    reject: false,
  });
  onStart(child.pid);
  createInterface(child.stderr).on("line", (line) => onLine(line, (signal) => void child.kill(signal)));
  const { exitCode, stdout, stderr } = await child;
  return { code: exitCode, stdout, stderr };
}
