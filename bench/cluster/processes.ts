import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { identify, isRunning, type ProcessId, signal } from "../process-id.ts";
import { componentArguments } from "./components.ts";
import { clusterFiles } from "./files.ts";
import { type ClusterRecord, type ComponentName, writeRecord } from "./registry.ts";
import { waitFor } from "./wait.ts";

const STOP_MS = 10_000;
/** Who needs another to end in order goes before it. */
const STOP_ORDER: ComponentName[][] = [
  ["kwok", "kube-scheduler", "kube-controller-manager"],
  ["kube-apiserver"],
  ["etcd"],
];

/** A component that has ended though it is needed; the message has the end of its log. */
export class ComponentExited extends Error {
  override name = "ComponentExited";
  /** Another process took the port between its choice and its use. */
  readonly portTaken: boolean;

  constructor(component: ComponentName, log: string) {
    super(`${component} has ended. The end of its log:\n${log}`);
    this.portTaken = /address already in use/.test(log);
  }
}

/** Starts a component and writes down which process it is, before anything else can happen. */
export function startComponent(record: ClusterRecord, component: ComponentName): void {
  const { dir, binaries } = record;
  const id = spawnDetached(binaries[component], componentArguments(component, record), {
    cwd: dir,
    log: clusterFiles(dir).log(component),
    env: { PATH: process.env.PATH, HOME: dir, TMPDIR: process.env.TMPDIR },
  });
  if (id) record.running[component] = id;
  else delete record.running[component];
  writeRecord(record);
}

export interface SpawnOptions {
  cwd: string;
  /** The file that its output is added to. */
  log: string;
  env: Record<string, string | undefined>;
  /** Another user, for what refuses to run as root. */
  user?: { uid: number; gid: number } | undefined;
}

/** Starts a process that outlives this one; undefined where the file can't be executed. */
export function spawnDetached(file: string, args: string[], options: SpawnOptions): ProcessId | undefined {
  const { cwd, env, user } = options;
  const log = openSync(options.log, "a", 0o600);
  try {
    // A group of its own: a Ctrl-C in the terminal is for the starter, which stops everything in order.
    const child = spawn(file, args, { cwd, env, detached: true, stdio: ["ignore", log, log], ...user });
    // A binary that can't be executed has no pid; the error event would come later and end the process.
    child.on("error", () => undefined);
    child.unref();
    return child.pid === undefined ? undefined : identify(child.pid);
  } finally {
    closeSync(log);
  }
}

/** Throws if a component that should run has ended. */
export function assertRunning(record: ClusterRecord, components: ComponentName[]): void {
  for (const component of components) {
    const id = record.running[component];
    if (!id || !isRunning(id)) throw new ComponentExited(component, logTail(record, component));
  }
}

/** Stops the components of a cluster and waits until they are gone. One that ignores SIGTERM is killed. */
export async function stopComponents({ running }: ClusterRecord): Promise<void> {
  for (const group of STOP_ORDER) await Promise.all(group.map((component) => stopProcess(running[component])));
}

/** Ends a process and waits until it is gone. One that ignores the signal is killed. */
export async function stopProcess(id: ProcessId | undefined, name: NodeJS.Signals = "SIGTERM"): Promise<void> {
  if (!id || !signal(id, name)) return;
  // One that is stopped takes no signal but this.
  signal(id, "SIGCONT");
  const gone = () => !isRunning(id);
  try {
    await waitFor(gone, { timeout: STOP_MS, interval: 25, what: `process ${id.pid} to end` });
  } catch {
    signal(id, "SIGKILL");
    await waitFor(gone, { timeout: STOP_MS, interval: 25, what: `process ${id.pid} to end after SIGKILL` });
  }
}

/** The end of what a process of a cluster has said. */
export function logTail({ dir }: ClusterRecord, name: string): string {
  const lines = readFileSync(clusterFiles(dir).log(name), "utf8").trimEnd().split("\n");
  return lines.slice(-8).join("\n");
}
