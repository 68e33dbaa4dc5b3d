import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { identify, isRunning, type ProcessId } from "../process-id.ts";

const POLL_MS = 200;

/**
 * Runs `work` while this process alone holds the lock file. Another holder is waited for; the lock of a process that
 * has died is taken away.
 *
 * The lock saves work, it does not guard correctness: what is built under it is also published atomically.
 *
 * @param onWait called once, with the holder's pid, when there is something to wait for.
 */
export async function withLock<T>(file: string, work: () => Promise<T>, onWait?: (pid: number) => void): Promise<T> {
  await mkdir(path.dirname(file), { recursive: true });
  const mine = JSON.stringify(identify(process.pid));
  let told = false;
  while (!(await create(file, mine))) {
    const content = await readOrUndefined(file);
    if (content === undefined) continue;
    const holder = parseHolder(content);
    if (holder === undefined || !isRunning(holder)) {
      await takeAway(file, content);
      continue;
    }
    if (!told) onWait?.(holder.pid);
    told = true;
    await sleep(POLL_MS);
  }
  try {
    return await work();
  } finally {
    if ((await readOrUndefined(file)) === mine) await rm(file, { force: true });
  }
}

/** Creates the lock with its content at once: a link appears whole or not at all, so no reader sees an empty lock. */
async function create(file: string, content: string): Promise<boolean> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, content);
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Removes a stale lock. Between reading and removing, another process may have done the same and hold a new lock under
 * the same name; so the file is first moved aside, then looked at, and put back if it is not the one that was read.
 */
async function takeAway(file: string, stale: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if ((await readFile(aside, "utf8")) !== stale) await link(aside, file).catch(() => undefined);
  await rm(aside);
}

function parseHolder(content: string): ProcessId | undefined {
  try {
    return JSON.parse(content) as ProcessId;
  } catch {
    return undefined;
  }
}

async function readOrUndefined(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
