import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { identify } from "../../bench/process-id.ts";
import { withLock } from "../../bench/tools/lock.ts";
import { temporaryFolder } from "./temporary.ts";

describe("withLock", () => {
  test("lets one work at a time, and tells the other whom it waits for", async () => {
    const folder = temporaryFolder();
    const lock = path.join(folder, "lock");
    const log: string[] = [];
    const work = async (name: string) => {
      log.push(`${name} begins`);
      await sleep(50);
      log.push(`${name} ends`);
    };
    const waits: number[] = [];

    const first = withLock(lock, () => work("first"));
    await sleep(10);
    await Promise.all([
      first,
      withLock(
        lock,
        () => work("second"),
        (pid) => waits.push(pid),
      ),
    ]);

    expect(log).toEqual(["first begins", "first ends", "second begins", "second ends"]);
    expect(waits).toEqual([process.pid]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("is free again after work that failed", async () => {
    const lock = path.join(temporaryFolder(), "lock");
    const failing = withLock(lock, async () => {
      throw new Error("no compiler");
    });
    await expect(failing).rejects.toThrow("no compiler");
    await expect(withLock(lock, async () => "done")).resolves.toBe("done");
  });

  test.for([
    ["of a process that has died", (): string => JSON.stringify({ pid: deadPid(), start: "1" })],
    ["of a process whose pid another has now", (): string => JSON.stringify({ pid: process.pid, start: "1" })],
    ["that is no lock at all", (): string => "{"],
  ] as const)("takes away a lock %s", async ([, content]) => {
    const folder = temporaryFolder();
    const lock = path.join(folder, "lock");
    writeFileSync(lock, content());
    const seen = await withLock(lock, async () => readFileSync(lock, "utf8"));
    expect(JSON.parse(seen)).toEqual(identify(process.pid));
    expect(readdirSync(folder)).toEqual([]);
  });

  test("lets one of many take a stale lock", async () => {
    const lock = path.join(temporaryFolder(), "lock");
    writeFileSync(lock, JSON.stringify({ pid: deadPid(), start: "1" }));
    let working = 0;
    const work = async () => {
      working += 1;
      expect(working).toBe(1);
      await sleep(5);
      working -= 1;
    };
    await Promise.all(Array.from({ length: 5 }, () => withLock(lock, work)));
  });
});

function deadPid(): number {
  return spawnSync("true").pid;
}
