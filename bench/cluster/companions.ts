import { rmSync } from "node:fs";
import { isRunning, type ProcessId, signal } from "../process-id.ts";
import { clusterFiles } from "./files.ts";
import { logTail, spawnDetached, stopProcess } from "./processes.ts";
import { type ClusterRecord, writeRecord } from "./registry.ts";

export interface CompanionCommand {
  file: string;
  args: string[];
  env?: Record<string, string | undefined>;
  /** Another user, for what refuses to run as root. */
  user?: { uid: number; gid: number } | undefined;
  /** What makes it end in order; SIGTERM if not said. */
  stopSignal?: NodeJS.Signals;
  /** A folder outside the cluster's that is removed when the cluster is taken down. */
  folder?: string;
}

/**
 * Processes beside the control plane, by name. They are in the cluster's record, and so are stopped and swept with it; the output of
 * each is in the cluster's folder, in `<name>.log`.
 */
export class Companions {
  readonly #record: ClusterRecord;

  constructor(record: ClusterRecord) {
    this.#record = record;
  }

  /** Starts one, in the place of the one of that name that ended. */
  start(name: string, command: CompanionCommand): void {
    const { file, args, env = {}, user, stopSignal = "SIGTERM", folder } = command;
    const { dir } = this.#record;
    if (this.isRunning(name)) throw new Error(`${name} runs already`);
    const id = spawnDetached(file, args, {
      cwd: folder ?? dir,
      log: clusterFiles(dir).log(name),
      env: { PATH: process.env.PATH, HOME: folder ?? dir, ...env },
      user,
    });
    if (!id) throw new Error(`${name} could not be started: ${file} can't be executed`);
    this.#record.companions = { ...this.#record.companions, [name]: { id, stopSignal, folder } };
    writeRecord(this.#record);
  }

  /** Ends one and waits until it is gone; that it does not run is fine. */
  async stop(name: string): Promise<void> {
    const companion = this.#record.companions?.[name];
    await stopProcess(companion?.id, companion?.stopSignal);
  }

  /** Sends a signal; false where it does not run. */
  kill(name: string, signalName: NodeJS.Signals): boolean {
    const id = this.#id(name);
    return id !== undefined && signal(id, signalName);
  }

  isRunning(name: string): boolean {
    const id = this.#id(name);
    return id !== undefined && isRunning(id);
  }

  /** Throws, with the end of its log, if one has ended. */
  assertRunning(name: string): void {
    if (!this.isRunning(name)) throw new Error(`${name} has ended. The end of its log:\n${this.logTail(name)}`);
  }

  /** The last lines that one has said. */
  logTail(name: string): string {
    return logTail(this.#record, name);
  }

  #id(name: string): ProcessId | undefined {
    return this.#record.companions?.[name]?.id;
  }
}

/** The companions of a cluster that were started, whether they run or not. */
export function companionIds({ companions = {} }: ClusterRecord): ProcessId[] {
  return Object.values(companions).map(({ id }) => id);
}

/** Stops the companions of a cluster, and removes what they keep outside its folder. */
export async function stopCompanions({ companions = {} }: ClusterRecord): Promise<void> {
  const all = Object.values(companions);
  await Promise.all(all.map(({ id, stopSignal }) => stopProcess(id, stopSignal)));
  for (const { folder } of all) if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
