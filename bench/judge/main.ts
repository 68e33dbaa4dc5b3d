/**
 * `npm run fuzz:scheduler -- --scenarios N [--seed S]`: the real kube-scheduler judges our plans for generated clusters.
 *
 * Scenarios S, S + 1, … are played. One with a disagreement is found again alone by `--seed <its number> --scenarios 1`.
 */
import { randomInt } from "node:crypto";
import { Command } from "commander";
import { record } from "../benchmark/results.ts";
import { wholeNumber } from "../whole-number.ts";
import { playScenarios, startJudgeCluster } from "./run.ts";
import { Tally } from "./tally.ts";
import { findingsOf, isDisagreement } from "./verdict.ts";

const options = new Command("npm run fuzz:scheduler --")
  .description("Asks the real kube-scheduler for more replicas than we call placeable, in generated clusters.")
  .option("-n, --scenarios <count>", "how many", wholeNumber(0), 300)
  .option(
    "-s, --seed <number>",
    "the number of the first scenario; at random unless said",
    wholeNumber(0),
    randomInt(2 ** 31),
  )
  .option("--show", "print each trial with a disagreement whole, as JSON", false)
  .option("--record", "write the summary into bench/RESULTS.md", false)
  .parse()
  .opts<{ scenarios: number; seed: number; show: boolean; record: boolean }>();

const { scenarios, seed } = options;
console.error(`${scenarios} scenarios, seed ${seed}`);
const start = performance.now();
const seconds = () => ((performance.now() - start) / 1000).toFixed(0);
const tally = new Tally();
let failure: unknown;
const cluster = await startJudgeCluster();
try {
  const numbers = Array.from({ length: scenarios }, (_, i) => seed + i);
  await playScenarios(cluster, numbers, (trials) => {
    const known = tally.disagreements().length;
    tally.add(trials);
    const found = tally.disagreements();
    console.error(`${tally.played} played, ${found.length} disagreements, ${seconds()} s`);
    for (const disagreement of found.slice(known)) console.error(disagreement);
    if (!options.show) return;
    for (const trial of trials) if (findingsOf(trial).some(isDisagreement)) console.log(JSON.stringify(trial));
  });
} catch (error) {
  // A long run is not in vain: what was played until then counts.
  failure = error;
} finally {
  await cluster.stop();
}

const disagreements = tally.disagreements();
const ended =
  failure === undefined ? "" : ` Ended after ${tally.played} of ${scenarios}: ${(failure as Error).message}`;
const body = `${tally.summary()}\n\nWall time: ${seconds()} s.${ended}`;
console.log([body, ...disagreements].join("\n\n"));
if (options.record) {
  const command = `npm run fuzz:scheduler -- --scenarios ${scenarios} --seed ${seed}`;
  record({ title: "The scheduler as judge", command, body });
}
process.exitCode = disagreements.length === 0 && failure === undefined ? 0 : 1;
