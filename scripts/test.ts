/**
 * `npm test`: types, lint, unit tests, end-to-end tests. Stops at the first of the four that fails, since what comes after it
 * would only say the same at greater length, and ends with the line `N passed, N failed`.
 */
import path from "node:path";
import { execa } from "execa";
import { bundleProgram } from "./bundle.ts";
import { runTests } from "./tests.ts";

let passed = 0;
let failed = 0;
let ok = true;

for (const [name, command] of [
  ["types", ["tsc", "--noEmit"]],
  ["lint", ["biome", "check", "--error-on-warnings", "."]],
] as const) {
  if (!ok) break;
  console.log(`\n== ${name}`);
  const { exitCode } = await execa(command[0], command.slice(1), {
    preferLocal: true,
    stdio: "inherit",
    reject: false,
  });
  ok = exitCode === 0;
  if (ok) passed += 1;
  else failed += 1;
}
// What the tests run.
if (ok) await bundleProgram(path.join(import.meta.dirname, ".."));
for (const project of ["unit", "e2e"] as const) {
  if (!ok) break;
  console.log(`\n== ${project}`);
  const counts = await runTests(project);
  passed += counts.passed;
  failed += counts.failed;
  ok = counts.ok;
}

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = ok ? 0 : 1;
