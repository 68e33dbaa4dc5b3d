import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { homedir, hostname } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { backendFolder, holderText, type Lock, locksIn } from "../../src/cli/locks.ts";
import { processOf } from "../../src/cli/processes.ts";
import { folderWith } from "./run.ts";

/** The locks that a backend shows where one was written. */
async function locksOf(lock: object | string, place = "organization/p/dev"): Promise<Lock[]> {
  using folder = folderWith({});
  const locks = path.join(folder.path, ".pulumi", "locks", place);
  mkdirSync(locks, { recursive: true });
  const text = typeof lock === "string" ? lock : JSON.stringify({ username: "ci", hostname: hostname(), ...lock });
  writeFileSync(path.join(locks, "1.json"), text);
  writeFileSync(path.join(locks, "1.json.attrs"), "{}");
  return await locksIn(folder.path, "p", "dev");
}

const now = () => new Date().toISOString();
const deadPid = () => spawnSync("true").pid;

describe("a lock", () => {
  test.each<[Lock["state"], string, object]>([
    ["alive", "its process runs", { pid: process.pid, timestamp: now() }],
    ["dead", "its process is gone", { pid: deadPid(), timestamp: now() }],
    ["dead", "its pid was given out again", { pid: process.pid, timestamp: "2026-01-15T12:00:00Z" }],
    ["elsewhere", "it is another host's", { pid: deadPid(), timestamp: now(), hostname: "another-host" }],
  ])("is %s where %s", async (state, _why, lock) => {
    expect((await locksOf(lock)).map((each) => each.state)).toEqual([state]);
  });

  test("is told with who holds it", async () => {
    const [lock] = await locksOf({ pid: 42, hostname: "host-1", timestamp: "2026-01-15T12:00:00Z" });
    expect(holderText(lock as Lock)).toBe("ci@host-1 (pid 42) since 2026-01-15T12:00:00Z");
  });

  test("of the older layout is one too, another stack's is none, and of one that was cut off nobody knows", async () => {
    expect(await locksOf({ pid: 1, timestamp: now() }, "dev")).toHaveLength(1);
    expect((await locksOf("{")).map((each) => each.state)).toEqual(["elsewhere"]);
    expect(await locksOf({ pid: 1, timestamp: now() }, "organization/p/prod")).toEqual([]);
  });
});

test.each([
  ["file:///var/state", "/var/state"],
  ["file://~/state", path.join(homedir(), "state")],
  ["file://~", homedir()],
  ["s3://bucket", undefined],
  ["https://api.pulumi.com", undefined],
])("the backend %s is the folder %s", (url, folder) => {
  expect(backendFolder(url)).toBe(folder);
});

test("a process is what the kernel says of it, and one that only waits to be reaped is none", () => {
  const child = spawn("sleep", ["60"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const seen = processOf(child.pid as number);
  expect(seen).toMatchObject({ command: ["sleep", "60"], parent: process.pid, cwd: process.cwd() });
  expect(Math.abs((seen?.startedAt ?? 0) - Date.now() / 1000)).toBeLessThan(5);
  expect(processOf(deadPid())).toBeUndefined();
});
