/** Processes of this machine, by what the kernel says of them. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Of start times: the clock tick of Linux, whatever the kernel was built with (proc_pid_stat(5), sysconf(_SC_CLK_TCK)). */
const TICKS_PER_SECOND = 100;

export interface Process {
  pid: number;
  /** The program and its arguments. */
  command: string[];
  parent: number;
  /** The folder that it works in; undefined where that may not be seen. */
  cwd: string | undefined;
  /** Seconds since 1970, to about a second. */
  startedAt: number;
}

/** True where the processes of a machine can be looked at: on Linux. */
export function canSeeProcesses(): boolean {
  return process.platform === "linux";
}

/** Whether a process with that pid runs, on any system. One that has ended and only waits to be reaped does not. */
export function isAlive(pid: number): boolean {
  if (canSeeProcesses()) return processOf(pid) !== undefined;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The processes that run now. */
export function processes(): Process[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => processOf(Number(name)) ?? []);
}

/** Undefined where none with that pid runs. */
export function processOf(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field, the name in parentheses, may hold spaces and parentheses itself: counted from its end, the state is
    // the first field, the parent the second and the start the twentieth.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    return {
      pid,
      command: readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean),
      parent: Number(fields[1]),
      cwd: linkOf(`/proc/${pid}/cwd`),
      startedAt: bootTime() + Number(fields[19]) / TICKS_PER_SECOND,
    };
  } catch {
    return undefined;
  }
}

function linkOf(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}

function bootTime(): number {
  return Number(/^btime (\d+)$/m.exec(readFileSync("/proc/stat", "utf8"))?.[1]);
}
