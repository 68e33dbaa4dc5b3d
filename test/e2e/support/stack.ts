import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parse, stringify } from "yaml";
import { initStack, type PulumiRun, pulumiEnv } from "../../../bench/engine.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

export interface RunResult extends PulumiRun {
  /** Of managed patches only; the stack, the component and the provider are left out. */
  steps: Record<string, string>;
  /** All diagnostics, as the engine shows them. */
  output: string;
}

export interface StackOptions {
  kubeconfig: string;
  /** The stack's configuration below the namespace cluster-scale. */
  config: Record<string, unknown>;
  /** Further configuration with full keys, such as `kubernetes:context`. */
  otherConfig?: Record<string, unknown>;
}

type Pulumi = Awaited<ReturnType<typeof initStack>>;

/**
 * A stack of the real program with a state backend of its own in a temporary folder. Nothing is written to the project's
 * own folder.
 */
export class TestStack {
  readonly #folder: string;
  readonly #config: string;
  readonly #env: Record<string, string>;
  readonly #pulumi: Pulumi;

  private constructor(folder: string, config: string, env: Record<string, string>, pulumi: Pulumi) {
    this.#folder = folder;
    this.#config = config;
    this.#env = env;
    this.#pulumi = pulumi;
  }

  static async create({ kubeconfig, config, otherConfig }: StackOptions): Promise<TestStack> {
    const folder = await mkdtemp(path.join(tmpdir(), "cluster-scale-stack-"));
    const backendDir = path.join(folder, "state");
    await mkdir(backendDir);
    const home = path.join(folder, "home");
    const engine = await pulumiEnv({ home, backendDir, passphrase: "canary-passphrase", kubeconfig });
    // Without it there is no --event-log: it is how the Automation API asks for the events.
    const env = { ...engine, PULUMI_DEBUG_COMMANDS: "true" };
    const file = path.join(folder, "Pulumi.test.yaml");
    await writeFile(file, "config: {}\n");
    const stack = new TestStack(folder, file, env, await initStack(root, file, env));
    await stack.setConfig(config, otherConfig);
    return stack;
  }

  /** The folder of its configuration and its state, and the environment of its commands: for commands of our own. */
  get place(): { folder: string; env: Record<string, string> } {
    return { folder: this.#folder, env: this.#env };
  }

  /** The same stack, its commands run with further variables of the environment. */
  with(env: Record<string, string>): TestStack {
    return new TestStack(this.#folder, this.#config, { ...this.#env, ...env }, this.#pulumi);
  }

  /** Replaces the stack's configuration, all but the salt of its secrets. */
  async setConfig(config: Record<string, unknown>, otherConfig: Record<string, unknown> = {}): Promise<void> {
    const { config: _, ...salt } = parse(await readFile(this.#config, "utf8"));
    const keys = Object.entries(config).map(([key, value]) => [`cluster-scale:${key}`, value]);
    await writeFile(this.#config, stringify({ ...salt, config: { ...Object.fromEntries(keys), ...otherConfig } }));
  }

  preview(): Promise<RunResult> {
    return this.#run("preview", []);
  }

  up(): Promise<RunResult> {
    return this.#run("up", ["--yes", "--skip-preview"]);
  }

  /** As people run it: the preview comes first, and the update only if that succeeds. */
  upAfterPreview(): Promise<RunResult> {
    return this.#run("up", ["--yes"]);
  }

  destroy(): Promise<RunResult> {
    return this.#run("destroy", ["--yes", "--skip-preview"]);
  }

  /** The files of the state backend, byte for byte: what a failed run must leave alone. */
  async stateFiles(): Promise<Record<string, string>> {
    const stacks = path.join(this.#folder, "state", ".pulumi", "stacks");
    const files = await readdir(stacks, { recursive: true, withFileTypes: true });
    const read = files
      .filter((file) => file.isFile())
      .map(async (file) => {
        const name = path.join(file.parentPath, file.name);
        return [path.relative(stacks, name), await readFile(name, "utf8")] as const;
      });
    return Object.fromEntries(await Promise.all(read));
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #run(command: string, args: string[]): Promise<RunResult> {
    const log = path.join(this.#folder, `events-${Date.now()}.json`);
    const result = await this.#pulumi([command, "--event-log", log, ...args], { env: this.#env });
    const steps = stepsOf(await readFile(log, "utf8").catch(() => ""));
    return { ...result, steps, output: `${result.stdout}\n${result.stderr}` };
  }
}

/** The last operation on each patch (an earlier one is its refresh), by logical name. */
function stepsOf(log: string): Record<string, string> {
  const steps: Record<string, string> = {};
  for (const line of log.split("\n").filter(Boolean)) {
    const event = JSON.parse(line) as { resourcePreEvent?: { metadata: { op: string; urn: string; type: string } } };
    const step = event.resourcePreEvent?.metadata;
    if (step?.type.endsWith("Patch")) steps[step.urn.split("::").at(-1) ?? ""] = step.op;
  }
  return steps;
}
