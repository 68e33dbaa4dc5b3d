/**
 * `npm run faults`: breaks runs of `cluster-scale apply` from outside, at each of their writes, and checks that each is recovered
 * from. Ends with `N passed, N failed`.
 */
import { Command } from "commander";
import { record } from "../benchmark/results.ts";
import { takeDownOwn } from "../cluster/sweep.ts";
import { wholeNumber } from "../whole-number.ts";
import { FAULTS, type Fault } from "./faults.ts";
import { Journal } from "./journal.ts";
import { playRow } from "./play.ts";
import { rowLine, summary } from "./report.ts";
import { Scene } from "./scene.ts";

interface Options {
  only?: string[];
  write?: number;
  workloads: number;
  jobs: number;
  journal?: string;
  list: boolean;
  record: boolean;
}

const options = new Command("npm run faults --")
  .description("Breaks runs of cluster-scale apply from outside, and checks that each is recovered from.")
  .option("--only <fault...>", "these faults")
  .option("--write <number>", "at this write only, not at each", wholeNumber(1))
  .option("--workloads <count>", "in each run, each with one write", wholeNumber(1), 20)
  .option("--jobs <count>", "clusters side by side", wholeNumber(1), 2)
  .option("--journal <file>", "keep each result in a file, and play only what has not passed there")
  .option("--list", "print the faults and end", false)
  .option("--record", "write the result into bench/RESULTS.md", false)
  .parse()
  .opts<Options>();

/** A cluster that is taken down under a row says nothing about its fault. */
let stopping = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    stopping = true;
    void takeDownOwn().then(() => process.exit(130));
  });
}

if (options.list) for (const { id, what } of FAULTS) console.log(`${id.padEnd(24)}${what}`);
else process.exitCode = await main(chosen(options.only));

async function main(faults: Fault[]): Promise<number> {
  const { workloads, jobs, write } = options;
  const journal = new Journal(options.journal);
  const plays = faults
    .flatMap((fault) => writesOf(fault, workloads, write).map((number) => ({ fault, number })))
    .filter(({ fault, number }) => !journal.passed(fault, number));
  let played = 0;
  const next = plays.values();
  await Promise.all(
    Array.from({ length: Math.min(jobs, plays.length) }, async () => {
      const scene = await Scene.open(workloads);
      try {
        for (const { fault, number } of next) {
          const row = await playRow(scene, fault, number);
          if (stopping) return;
          played += 1;
          journal.add(row);
          console.log(`${`${played}/${plays.length}`.padEnd(10)}${rowLine(row)}`);
        }
      } finally {
        await scene.close();
      }
    }),
  );
  const { rows } = journal;
  const body = summary(rows, { workloads, jobs });
  const failed = rows.filter(({ problems }) => problems.length > 0).length;
  console.log(`\n${body}\n\n${rows.length - failed} passed, ${failed} failed`);
  if (options.record)
    record({ title: "Faults", command: ["npm run faults --", ...process.argv.slice(2)].join(" "), body });
  return failed === 0 ? 0 : 1;
}

/** The numbers of the writes at which a fault is played; 0 for one that happens once. */
function writesOf({ at }: Fault, workloads: number, write: number | undefined): number[] {
  if (at === "once") return [0];
  return write === undefined ? Array.from({ length: workloads }, (_, i) => i + 1) : [write];
}

function chosen(ids: string[] | undefined): Fault[] {
  const unknown = (ids ?? []).filter((id) => !FAULTS.some((fault) => fault.id === id));
  if (unknown.length > 0) {
    console.error(`No fault is called ${unknown.join(" or ")}; there are: ${FAULTS.map(({ id }) => id).join(", ")}.`);
    process.exit(2);
  }
  return ids === undefined ? FAULTS : FAULTS.filter(({ id }) => ids.includes(id));
}
