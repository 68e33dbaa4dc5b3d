import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { describe, expect, onTestFinished, test } from "vitest";
import { endProcesses, orphansOf, processText } from "../../src/cli/orphans.ts";
import { isAlive, type Process, processOf } from "../../src/cli/processes.ts";

const FOLDER = tmpdir();

function proc(pid: number, parent: number, command: string, changes: Partial<Process> = {}): Process {
  return { pid, parent, command: command.split(" "), cwd: FOLDER, startedAt: 1, ...changes };
}

const program = (pid: number, parent: number, stack: string, engine = "127.0.0.1:1") =>
  proc(
    pid,
    parent,
    `node /p/node_modules/@pulumi/pulumi/cmd/run/index.js --engine ${engine} --stack ${stack} main.mjs`,
  );
const host = (pid: number, parent: number, engine = "127.0.0.1:1") =>
  proc(pid, parent, `/h/pulumi-language-nodejs ${engine}`);
const provider = (pid: number, parent: number, engine = "127.0.0.1:1") =>
  proc(pid, parent, `/h/pulumi-resource-kubernetes ${engine}`);

const found = (...all: Process[]) => orphansOf({ cwd: FOLDER, stack: "dev" }, all).map(({ pid }) => pid);

describe("orphans", () => {
  test("are the plugins without their pulumi, and the program of the same engine", () => {
    expect(found(host(2, 1), program(3, 2, "dev"), provider(4, 1))).toEqual([2, 4, 3]);
  });

  test("are none while their pulumi runs", () => {
    const engine = proc(9, 1, "pulumi up --stack dev");
    expect(found(engine, host(2, 9), program(3, 2, "dev"), provider(4, 9))).toEqual([]);
  });

  test("are those of the dead run alone, beside one that runs", () => {
    const engine = proc(9, 1, "/usr/bin/pulumi up");
    const alive = [
      engine,
      host(5, 9, "127.0.0.1:2"),
      program(6, 5, "dev", "127.0.0.1:2"),
      provider(7, 9, "127.0.0.1:2"),
    ];
    expect(found(...alive, host(2, 1), program(3, 2, "dev"), provider(4, 1))).toEqual([2, 4, 3]);
  });

  test("of another stack, another folder or another program are left alone", () => {
    expect(found(host(2, 1), program(3, 2, "prod"), provider(4, 1))).toEqual([]);
    expect(found({ ...provider(4, 1), cwd: "/elsewhere" }, { ...host(2, 1), cwd: undefined })).toEqual([]);
    expect(found(proc(4, 1, "/h/pulumi-resource-aws 127.0.0.1:1"), proc(5, 1, "node index.js"))).toEqual([]);
  });

  test("may be a provider alone, whose program has ended", () => {
    expect(found(provider(4, 1))).toEqual([4]);
    expect(processText(provider(4, 1))).toBe("pulumi-resource-kubernetes (pid 4)");
  });
});

describe("ending processes", () => {
  function sleeper(command = "sleep 60"): Process {
    const child = spawn("bash", ["-c", command]);
    onTestFinished(() => void child.kill("SIGKILL"));
    return processOf(child.pid as number) as Process;
  }

  test("ends the very process", async () => {
    const process = sleeper();
    await endProcesses([process]);
    expect(isAlive(process.pid)).toBe(false);
  });

  test("leaves one alone that has its pid by now", async () => {
    const process = sleeper();
    await endProcesses([{ ...process, startedAt: process.startedAt - 60 }]);
    expect(isAlive(process.pid)).toBe(true);
  });
});
