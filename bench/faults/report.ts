import { table } from "../benchmark/results.ts";
import type { Fault } from "./faults.ts";
import { leftText, type Row } from "./play.ts";

/** A row for the terminal: what happened, what was left, and the problems below it. */
export function rowLine({ fault, write, code, left, livedOn, problems, seconds }: Row): string {
  const where = write === 0 ? "" : ` at write ${write}`;
  const ended = code === undefined ? "by a signal" : `with ${code}`;
  const lived = livedOn ? "; the engine lived on, and was waited for" : "";
  const line = `${problems.length === 0 ? "ok  " : "FAIL"} ${fault.id}${where}: ended ${ended}, left ${leftText(left)}${lived} (${seconds.toFixed(0)} s)`;
  return [line, ...problems.map((problem) => `       ${problem.replaceAll("\n", "\n       ")}`)].join("\n");
}

/** A line a fault, as Markdown: over which writes it was swept, how the runs ended, what they left. */
export function summary(rows: Row[], { workloads, jobs }: { workloads: number; jobs: number }): string {
  const byFault = Map.groupBy(rows, ({ fault }) => fault);
  const lines = [...byFault].map(([fault, played]) => [
    fault.what,
    `\`npm run faults -- --only ${fault.id}\``,
    writesText(fault, played),
    endsText(played),
    leftRange(played),
    played.filter(({ problems }) => problems.length === 0).length,
    played.filter(({ problems }) => problems.length > 0).length,
  ]);
  const head = ["fault", "again by", "at write", "the run ended with", "left behind, at most", "passed", "failed"];
  const failed = rows.filter(({ problems }) => problems.length > 0).length;
  const minutes = rows.reduce((sum, { seconds }) => sum + seconds, 0) / 60 / jobs;
  return (
    `${rows.length} runs of \`apply\` on ${workloads} workloads were broken, in about ${minutes.toFixed(0)} minutes: ${rows.length - failed} passed, ${failed} failed. ` +
    "Passed: after `recover` the same command ends green, the next preview is empty, every workload has its target, no lock, step or process is left, nothing " +
    `was written beside the workloads, and a watch saw none below the smaller of before and target.\n\n${table(head, lines)}`
  );
}

function writesText({ at }: Fault, played: Row[]): string {
  if (at === "once") return "once";
  const writes = played.map(({ write }) => write);
  const [least, most] = [Math.min(...writes), Math.max(...writes)];
  return least === most ? `${least}` : `${least} to ${most}`;
}

function endsText(played: Row[]): string {
  const codes = Map.groupBy(played, ({ code }) => code ?? "a signal");
  const texts = [...codes].map(([code, rows]) => (codes.size === 1 ? `${code}` : `${code} (${rows.length} ×)`));
  return texts.sort().join(", ");
}

function leftRange(played: Row[]): string {
  const most = (name: "locks" | "steps" | "processes") => Math.max(...played.map(({ left }) => left[name]));
  const text = leftText({ locks: most("locks"), steps: most("steps"), processes: most("processes") });
  const lived = played.filter(({ livedOn }) => livedOn).length;
  return lived === 0 ? text : `${text}; ${lived} × an engine that lived on`;
}
