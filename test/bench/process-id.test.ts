import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { identify, isRunning, signal } from "../../bench/process-id.ts";

test("a process is known by its pid and its start", async () => {
  const child = spawn("sleep", ["60"]);
  const id = identify(child.pid ?? 0);
  expect(id).toEqual({ pid: child.pid, start: expect.any(String) });
  if (!id) return;
  expect(isRunning(id)).toBe(true);

  const stranger = { ...id, start: "another" };
  expect(isRunning(stranger)).toBe(false);
  expect(signal(stranger, "SIGKILL")).toBe(false);
  expect(isRunning(id)).toBe(true);

  expect(signal(id, "SIGKILL")).toBe(true);
  await once(child, "exit");
  expect(isRunning(id)).toBe(false);
  expect(identify(id.pid)).toBeUndefined();
});
