/**
 * `npm run benchmark [-- name…]`: measures, prints, and writes bench/RESULTS.md. Without a name everything is measured.
 */
import { planBenchmark } from "./plan.ts";
import { previewBenchmark } from "./preview.ts";
import { type Result, record } from "./results.ts";

const benchmarks: Record<string, () => Result | Promise<Result>> = { plan: planBenchmark, preview: previewBenchmark };

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in benchmarks));
if (unknown.length > 0) {
  console.error(`No benchmark is called ${unknown.join(" or ")}; there are: ${Object.keys(benchmarks).join(", ")}.`);
  process.exit(2);
}
for (const [name, run] of Object.entries(benchmarks)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.error(`Measuring: ${name}…`);
  const result = await run();
  record(result);
  console.log(`\n${result.title}\n\n${result.body}\n`);
}
