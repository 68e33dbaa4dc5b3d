/**
 * Locks of a stack in a state backend on this machine's file system (pulumi/pkg/backend/diy/lock.go): a file for each
 * update under way, with who runs it.
 */
import { readdir, readFile } from "node:fs/promises";
import { homedir, hostname } from "node:os";
import path from "node:path";
import { isAlive, processOf } from "./processes.ts";

/** Clocks of the lock and of the process are read at different moments. */
const CLOCK_SLACK_SECONDS = 5;

export interface Lock {
  file: string;
  pid: number;
  username: string;
  hostname: string;
  /** RFC 3339. */
  timestamp: string;
  /** `dead`: its process was on this host and is gone. `alive`: it runs. `elsewhere`: of another host, where only that host knows. */
  state: "dead" | "alive" | "elsewhere";
}

/** The folder of a backend that is one; undefined for one that is elsewhere (a bucket, Pulumi Cloud). */
export function backendFolder(url: string): string | undefined {
  if (!url.startsWith("file://")) return undefined;
  return path.resolve(url.slice("file://".length).replace(/^~(?=\/|$)/, homedir()));
}

/** Locks of one stack, newer and older layout of the backend. */
export async function locksIn(folder: string, project: string, stack: string): Promise<Lock[]> {
  const places = [path.join("organization", project, stack), stack];
  const locks = await Promise.all(places.map((place) => locksAt(path.join(folder, ".pulumi", "locks", place))));
  return locks.flat();
}

async function locksAt(folder: string): Promise<Lock[]> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith(".json")).map((name) => path.join(folder, name));
  const locks = await Promise.all(files.map(readLock));
  return locks.filter((lock) => lock !== undefined);
}

/** Undefined where it is gone by now. One that can't be read, cut off while it was written, says nothing of who holds it. */
export async function readLock(file: string): Promise<Lock | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const { pid, username, hostname: host, timestamp } = JSON.parse(text);
    return { file, pid, username, hostname: host, timestamp, state: stateOf(pid, host, timestamp) };
  } catch {
    return { file, pid: 0, username: "unknown", hostname: "unknown", timestamp: "unknown", state: "elsewhere" };
  }
}

function stateOf(pid: number, host: string, timestamp: string): Lock["state"] {
  if (host !== hostname()) return "elsewhere";
  if (!isAlive(pid)) return "dead";
  // Pids are given out again: a process that began after the lock was made did not make it.
  const holder = processOf(pid);
  const isLater = holder !== undefined && holder.startedAt > Date.parse(timestamp) / 1000 + CLOCK_SLACK_SECONDS;
  return isLater ? "dead" : "alive";
}

/** `ci@host-1 (pid 42) since 2026-01-15T12:00:00Z`. */
export function holderText({ username, hostname: host, pid, timestamp }: Lock): string {
  return `${username}@${host} (pid ${pid}) since ${timestamp}`;
}
