import path from "node:path";
import { type CliOptions, type CliRun, linkProgram, runCli } from "../../../bench/stack.ts";
import { TestStack } from "./stack.ts";

export type { CliRun };

/** A stack, and our own command line on it: its folder is a project of its own with the real program. */
export class CliStack {
  readonly stack: TestStack;
  readonly folder: string;

  private constructor(stack: TestStack) {
    this.stack = stack;
    this.folder = stack.place.folder;
  }

  static async create(kubeconfig: string, config: Record<string, unknown>): Promise<CliStack> {
    const cli = new CliStack(await TestStack.create({ kubeconfig, config }));
    await linkProgram(cli);
    return cli;
  }

  /** Runs `cluster-scale` in the stack's folder. */
  run(args: string[], options?: CliOptions): Promise<CliRun> {
    return runCli(this.stack.place, args, options);
  }

  path(file: string): string {
    return path.join(this.folder, file);
  }

  remove(): Promise<void> {
    return this.stack.remove();
  }
}
