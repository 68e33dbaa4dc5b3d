import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { PulumiRun } from "../../../bench/engine.ts";
import { createStack, type Stack, type StackOptions, writeConfig } from "../../../bench/stack.ts";

export interface RunResult extends PulumiRun {
  /** Of managed patches only; the stack, the component and the provider are left out. */
  steps: Record<string, string>;
  /** All diagnostics, as the engine shows them. */
  output: string;
}

/**
 * A stack of the real program with a state backend of its own in a temporary folder. Nothing is written to the project's
 * own folder.
 */
export class TestStack {
  readonly #stack: Stack;

  private constructor(stack: Stack) {
    this.#stack = stack;
  }

  static async create(options: StackOptions): Promise<TestStack> {
    return new TestStack(await createStack(options));
  }

  /** The folder of its configuration and its state, and the environment of its commands: for commands of our own. */
  get place(): { folder: string; env: Record<string, string> } {
    const { folder, env } = this.#stack;
    return { folder, env };
  }

  /** The same stack, its commands run with further variables of the environment. */
  with(env: Record<string, string>): TestStack {
    return new TestStack({ ...this.#stack, env: { ...this.#stack.env, ...env } });
  }

  /** Replaces the stack's configuration, all but the salt of its secrets. */
  setConfig(config: Record<string, unknown>, otherConfig?: Record<string, unknown>): Promise<void> {
    return writeConfig(this.#stack.config, config, otherConfig);
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
    const stacks = path.join(this.#stack.folder, "state", ".pulumi", "stacks");
    const files = await readdir(stacks, { recursive: true, withFileTypes: true });
    const read = files
      .filter((file) => file.isFile())
      .map(async (file) => {
        const name = path.join(file.parentPath, file.name);
        return [path.relative(stacks, name), await readFile(name, "utf8")] as const;
      });
    return Object.fromEntries(await Promise.all(read));
  }

  remove(): Promise<void> {
    return this.#stack.remove();
  }

  async #run(command: string, args: string[]): Promise<RunResult> {
    const log = path.join(this.#stack.folder, `events-${Date.now()}.json`);
    const result = await this.#stack.pulumi([command, "--event-log", log, ...args], { env: this.#stack.env });
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
