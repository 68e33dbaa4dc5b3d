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
  const log = openSync(clusterFiles(record.dir).log(component), "a", 0o600);
  try {
    const child = spawn(record.binaries[component], componentArguments(component, record), {
      cwd: record.dir,
      // A group of its own: a Ctrl-C in the terminal is for the starter, which stops the components in order.
      detached: true,
      stdio: ["ignore", log, log],
      env: { PATH: process.env.PATH, HOME: record.dir, TMPDIR: process.env.TMPDIR },
    });
    // A binary that can't be executed has no pid; the error event would come later and end the process.
    child.on("error", () => undefined);
    child.unref();
    const id = child.pid === undefined ? undefined : identify(child.pid);
    if (id) record.running[component] = id;
    else delete record.running[component];
    writeRecord(record);
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

async function stopProcess(id: ProcessId | undefined): Promise<void> {
  if (!id || !signal(id, "SIGTERM")) return;
  const gone = () => !isRunning(id);
  try {
    await waitFor(gone, { timeout: STOP_MS, interval: 25, what: `process ${id.pid} to end` });
  } catch {
    signal(id, "SIGKILL");
    await waitFor(gone, { timeout: STOP_MS, interval: 25, what: `process ${id.pid} to end after SIGKILL` });
  }
}

function logTail(record: ClusterRecord, component: ComponentName): string {
  const lines = readFileSync(clusterFiles(record.dir).log(component), "utf8").trimEnd().split("\n");
  return lines.slice(-8).join("\n");
}
