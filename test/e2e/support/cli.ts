import { readdir, symlink } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { TestStack } from "./stack.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

export interface CliRun {
  code: number | undefined;
  stdout: string;
  stderr: string;
}

export interface CliOptions {
  env?: Record<string, string>;
  /** Called with each line of stderr, as it comes, and the way to send the process a signal. */
  onLine?: (line: string, send: (signal: NodeJS.Signals) => void) => void;
}

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
    // The program, whatever it is made of; the stack has a configuration of its own.
    const names = (await readdir(root)).filter((name) => !/^(Pulumi\.|\.)/.test(name));
    for (const name of names) await symlink(path.join(root, name), path.join(cli.folder, name));
    return cli;
  }

  /** Runs `cluster-scale` in the stack's folder, its output in pipes, its stdin empty. */
  async run(args: string[], { env = {}, onLine = () => {} }: CliOptions = {}): Promise<CliRun> {
    const child = execa(process.execPath, [path.join(root, "src", "cli", "main.ts"), ...args], {
      cwd: this.folder,
      extendEnv: false,
      env: { ...this.stack.place.env, ...env },
      stdin: "ignore",
      reject: false,
    });
    createInterface(child.stderr).on("line", (line) => onLine(line, (signal) => void child.kill(signal)));
    const { exitCode, stdout, stderr } = await child;
    return { code: exitCode, stdout, stderr };
  }

  path(file: string): string {
    return path.join(this.folder, file);
  }

  remove(): Promise<void> {
    return this.stack.remove();
  }
}
