import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * A process for good: pids are recycled, but no two processes have both the same pid and the same start time. Whoever
 * writes a pid down writes this down, and nothing is signalled by pid alone.
 */
export interface ProcessId {
  pid: number;
  start: string;
}

/** The identity of a process that runs now, or undefined where there is none with that pid. */
export function identify(pid: number): ProcessId | undefined {
  const start = startTime(pid);
  return start === undefined ? undefined : { pid, start };
}

/** Whether that very process still runs. A zombie does not: it has ended and only waits to be reaped. */
export function isRunning(id: ProcessId): boolean {
  return startTime(id.pid) === id.start;
}

/** Sends the signal if that very process still runs, and says whether it did. */
export function signal(id: ProcessId, name: NodeJS.Signals): boolean {
  if (!isRunning(id)) return false;
  try {
    return process.kill(id.pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}

function startTime(pid: number): string | undefined {
  return process.platform === "linux" ? startTimeFromProc(pid) : startTimeFromPs(pid);
}

function startTimeFromProc(pid: number): string | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  // proc_pid_stat(5): the second field, the name in parentheses, may hold spaces and parentheses itself, so count from
  // its end. The state is then the first field and the start time, in clock ticks since boot, the twentieth.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
}

function startTimeFromPs(pid: number): string | undefined {
  const { status, stdout } = spawnSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], { encoding: "utf8" });
  const [, state, start] = /^\s*(\S+)\s+(.+?)\s*$/.exec(stdout ?? "") ?? [];
  return status !== 0 || state?.startsWith("Z") ? undefined : start;
}
