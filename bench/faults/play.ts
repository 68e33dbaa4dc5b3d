/** The story of one fault: inject, look what is left, recover, the same command again, and then nothing is to be done. */
import { engineEnded } from "./engine-processes.ts";
import type { Fault } from "./faults.ts";
import type { Leftovers, Scene } from "./scene.ts";

export interface Row {
  fault: Fault;
  /** The number of the write that met it; 0 for what happens once. */
  write: number;
  /** The exit code of the run that met it; undefined where a signal ended it. */
  code: number | undefined;
  /** What that run left behind. */
  left: Leftovers;
  /** An engine that lived on without who started it; it was waited for. */
  livedOn: boolean;
  /** What is not as it should be, a sentence each. None: it passed. */
  problems: string[];
  seconds: number;
}

/** One replica a worker. */
const TARGET = 3;
const NOTHING: Leftovers = { locks: 0, steps: 0, processes: 0 };

/** Plays one fault. What goes wrong with the play itself is a problem of the row too. */
export async function playRow(scene: Scene, fault: Fault, write: number): Promise<Row> {
  const started = performance.now();
  const row: Row = { fault, write, code: undefined, left: NOTHING, livedOn: false, problems: [], seconds: 0 };
  try {
    await play(scene, row);
  } catch (error) {
    row.problems.push(`the play ended: ${error instanceof Error ? error.message : String(error)}`);
  }
  row.seconds = (performance.now() - started) / 1000;
  return row;
}

async function play(scene: Scene, row: Row): Promise<void> {
  const { fault, problems } = row;
  const { target = TARGET, commands = [["apply", "--yes"]] } = fault;
  const check = (holds: boolean, problem: string) => void (holds || problems.push(problem));

  await scene.reset({ smallDisk: fault.smallDisk ?? false });
  scene.watch({ target, nodesLeave: fault.target !== undefined });
  const [last = [], ...first] = commands.toReversed();
  for (const command of first.toReversed()) await runGreen(scene, command);
  await fault.before?.(scene);

  scene.gate.set(row.write || 1, fault.write?.(scene));
  const met = await scene.cli(last);
  row.code = met.code;
  scene.gate.assertInjected();
  check(fault.write === undefined || scene.gate.met, `only ${scene.gate.writes.length} writes came`);
  check(endsAs(fault, met.code), `the run ended with ${met.code}: ${met.stderr}`);
  check(!/\n\s+at .+:\d+:\d+/.test(met.stderr), `a stack trace: ${met.stderr}`);
  row.left = await scene.leftovers();
  await fault.heal?.(scene);

  await recover(scene, row);
  for (const command of commands) {
    const { code, stderr } = await scene.cli(command);
    check(code === 0, `${command.join(" ")} again ended with ${code}: ${stderr}`);
  }
  check(scene.foreignWrites().length === 0, `written beside the workloads: ${scene.foreignWrites().join(", ")}`);

  const preview = await scene.cli(["plan", "--detailed-exitcode"]);
  check(preview.code === 0, `the next preview ended with ${preview.code}: ${preview.stdout}\n${preview.stderr}`);
  const wrong = await scene.notAt(target);
  check(wrong.length === 0, `not at ${target} replicas: ${wrong.join(", ")}`);
  const after = await scene.leftovers();
  check(isNothing(after), `left in the end: ${leftText(after)}`);
  check(scene.floor.seen > 0, "the watch saw nothing");
  problems.push(...scene.floor.violations);
}

/** A run that lives is left alone by `recover`, which says so: it is waited for. */
async function recover(scene: Scene, row: Row): Promise<void> {
  let { code, stderr } = await scene.cli(["recover", "--yes"]);
  if (code === 1 && stderr.includes("which runs")) {
    row.livedOn = true;
    await engineEnded(scene.folder);
    ({ code, stderr } = await scene.cli(["recover", "--yes"]));
  }
  if (code !== 0) row.problems.push(`recover ended with ${code}: ${stderr}`);
}

async function runGreen(scene: Scene, command: string[]): Promise<void> {
  const { code, stderr } = await scene.cli(command);
  if (code !== 0) throw new Error(`${command.join(" ")} before the fault ended with ${code}: ${stderr}`);
}

function endsAs({ ends }: Fault, code: number | undefined): boolean {
  return ends === "any" || (code === 0) === (ends === "green");
}

function isNothing({ locks, steps, processes }: Leftovers): boolean {
  return locks + steps + processes === 0;
}

/** `1 lock, 3 steps in flight, 2 processes`. */
export function leftText(left: Leftovers): string {
  if (isNothing(left)) return "nothing";
  const { locks, steps, processes } = left;
  return [
    count(locks, "lock", "locks"),
    count(steps, "step in flight", "steps in flight"),
    count(processes, "process", "processes"),
  ]
    .filter((text) => text !== "")
    .join(", ");
}

function count(number: number, one: string, more: string): string {
  return number === 0 ? "" : `${number} ${number === 1 ? one : more}`;
}
