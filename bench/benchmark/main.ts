/**
 * `npm run benchmark [-- name…] [--check]`: bundles the program, measures, prints, and writes bench/RESULTS.md. Without a name everything is
 * measured. With `--check` each figure is compared with its goal; the last line says how many are met, and the exit code is 1 if any is not.
 */
import path from "node:path";
import { Argument, Command } from "commander";
import { bundleProgram } from "../../scripts/bundle.ts";
import { takeDownOwn } from "../cluster/sweep.ts";
import { commandBenchmark } from "./command.ts";
import { importsBenchmark } from "./imports.ts";
import { planBenchmark } from "./plan.ts";
import { previewBenchmark } from "./preview.ts";
import { readBenchmark } from "./read.ts";
import { type Check, isMet, type Result, record } from "./results.ts";
import { largePreviewBenchmark, updateBenchmark } from "./scale.ts";

const benchmarks: Record<string, () => Promise<Result>> = {
  imports: importsBenchmark,
  plan: planBenchmark,
  preview: previewBenchmark,
  command: commandBenchmark,
  read: readBenchmark,
  "large-preview": largePreviewBenchmark,
  update: updateBenchmark,
};

const program = new Command("npm run benchmark --")
  .description("Measures, prints, and writes bench/RESULTS.md.")
  .addArgument(new Argument("[name...]", "what to measure").choices(Object.keys(benchmarks)).default([], "everything"))
  .option("--check", "compare each figure with its goal", false)
  .parse();
const names = program.processedArgs[0] as string[];

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => void takeDownOwn().then(() => process.exit(130)));
}

await bundleProgram(path.join(import.meta.dirname, "..", ".."));

const checks: Check[] = [];
for (const [name, run] of Object.entries(benchmarks)) {
  if (names.length > 0 && !names.includes(name)) continue;
  console.error(`Measuring: ${name}…`);
  const result = await run();
  record(result);
  console.log(`\n${result.title}\n\n${result.body}\n`);
  checks.push(...(result.checks ?? []));
}
if (program.opts<{ check: boolean }>().check) {
  const missed = checks.filter((check) => !isMet(check));
  for (const { what, value, atMost } of missed) console.log(`${what}: ${value}, and not at most ${atMost}`);
  console.log(`${checks.length - missed.length} goals met, ${missed.length} missed`);
  process.exitCode = missed.length === 0 ? 0 : 1;
}
