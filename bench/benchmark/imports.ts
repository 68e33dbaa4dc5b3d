import path from "node:path";
import { execa } from "execa";
import { chart } from "./chart.ts";
import { median } from "./measure.ts";
import { type Result, table } from "./results.ts";

const ROUNDS = 9;

/** Where the start of a preview's program goes: the processor time of importing each of its parts, with the compile cache filled. */
export async function importsBenchmark(): Promise<Result> {
  const rounds: [name: string, milliseconds: number][][] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const { stdout } = await execa(process.execPath, [path.join(import.meta.dirname, "import-parts.mjs")]);
    // The first round fills the cache.
    if (round > 0) rounds.push(JSON.parse(stdout));
  }
  const parts = (rounds[0] ?? []).map(([name], index) => ({
    name,
    milliseconds: Math.round(median(rounds.map((times) => times[index]?.[1] ?? Number.NaN))),
  }));
  const picture = chart({
    title: "Processor time of the imports, ms",
    x: parts.map(({ name }) => name),
    bars: parts.map(({ milliseconds }) => milliseconds),
  });
  const rows = parts.map(({ name, milliseconds }) => [name, milliseconds]);
  return {
    title: "Where the start of the program goes",
    command: "npm run benchmark -- imports",
    body: `Medians of ${ROUNDS} rounds.\n\n${table(["part", "ms"], rows)}\n\n${picture}`,
  };
}
