import path from "node:path";
import { execa } from "execa";
import { chart } from "./chart.ts";
import { median } from "./measure.ts";
import { type Result, table } from "./results.ts";

const ROUNDS = 9;

interface Part {
  name: string;
  /** Of processor time. */
  milliseconds: number;
}

/** Where the start of a preview's program goes: the processor time of importing each of its parts, with the compile cache filled. */
export async function importsBenchmark(): Promise<Result> {
  const sources = await importTimes("sources");
  const bundle = (await importTimes("bundle")).at(-1);
  const picture = chart({
    title: "Processor time of the imports, ms",
    x: sources.map(({ name }) => name),
    bars: sources.map(({ milliseconds }) => milliseconds),
  });
  const ours = sources.slice(2).reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const rows = sources.map(({ name, milliseconds }) => [name, milliseconds]);
  return {
    title: "Where the start of the program goes",
    command: "npm run benchmark -- imports",
    body:
      `Medians of ${ROUNDS} rounds.\n\n${table(["part", "ms"], rows)}\n\n${picture}\n\n` +
      `Of that zod and src are ${ours} ms; as a bundle (\`npm run build\`) they take ${bundle?.milliseconds} ms.`,
  };
}

async function importTimes(from: "sources" | "bundle"): Promise<Part[]> {
  const rounds: [name: string, milliseconds: number][][] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const { stdout } = await execa(process.execPath, [path.join(import.meta.dirname, "import-parts.mjs"), from]);
    // The first round fills the cache.
    if (round > 0) rounds.push(JSON.parse(stdout));
  }
  return (rounds[0] ?? []).map(([name], index) => ({
    name,
    milliseconds: Math.round(median(rounds.map((times) => times[index]?.[1] ?? Number.NaN))),
  }));
}
