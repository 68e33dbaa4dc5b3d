/**
 * What a run of Pulumi leaves behind when it is killed: the language host with its program, and providers. They no longer
 * serve anyone, and a provider may still be sending its last request.
 */
import { realpathSync } from "node:fs";
import path from "node:path";
import { type Process, processes, processOf } from "./processes.ts";

/** How long a process may take to end by itself. */
const PATIENCE_MS = 5_000;
const POLL_MS = 100;

export interface Run {
  /** The project's folder. */
  cwd: string;
  stack: string;
}

/**
 * The processes of dead runs of one stack: a plugin in the project's folder whose parent is no pulumi (any more), and the
 * program that was told the same engine's address. One whose program says that it is another stack's is left alone.
 */
export function orphansOf({ cwd, stack }: Run, all: Process[] = processes()): Process[] {
  const folder = realpathSync(cwd);
  const here = all.filter((each) => each.cwd === folder);
  const programs = here.filter(isProgram);
  const plugins = here.filter((each) => isPlugin(each) && !isPulumi(all.find(({ pid }) => pid === each.parent)));
  const orphans = plugins.filter((plugin) => {
    const stacks = programs.filter((each) => argument(each, "--engine") === engineOf(plugin));
    return stacks.every((program) => argument(program, "--stack") === stack);
  });
  const engines = new Set(orphans.map(engineOf));
  return [...orphans, ...programs.filter((program) => engines.has(argument(program, "--engine")))];
}

/** `pulumi-resource-kubernetes (pid 42)`. */
export function processText({ command, pid }: Process): string {
  return `${path.basename(command[0] ?? "")} (pid ${pid})`;
}

/** Ends the very processes that were found; one that has ended meanwhile, or whose pid is another's now, is left alone. */
export async function endProcesses(found: Process[]): Promise<void> {
  for (const each of found) send(each, "SIGTERM");
  const deadline = Date.now() + PATIENCE_MS;
  while (found.some(isRunning) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  for (const each of found) send(each, "SIGKILL");
}

function send(found: Process, signal: NodeJS.Signals): void {
  if (isRunning(found)) process.kill(found.pid, signal);
}

function isRunning({ pid, startedAt }: Process): boolean {
  return processOf(pid)?.startedAt === startedAt;
}

function isPlugin({ command }: Process): boolean {
  return /^pulumi-(language-nodejs|resource-kubernetes)$/.test(path.basename(command[0] ?? ""));
}

/** A plugin is told the address of its engine last. */
function engineOf({ command }: Process): string | undefined {
  return command.at(-1);
}

/** Node with the SDK's runner of programs. */
function isProgram({ command }: Process): boolean {
  return command.some((part) => /@pulumi\/pulumi\/cmd\/run(\/|$)/.test(part));
}

function argument({ command }: Process, name: string): string | undefined {
  const index = command.findIndex((part) => part === name || part.startsWith(`${name}=`));
  const part = command[index];
  return part === name ? command[index + 1] : part?.slice(name.length + 1);
}

function isPulumi(parent: Process | undefined): boolean {
  return path.basename(parent?.command[0] ?? "") === "pulumi";
}
