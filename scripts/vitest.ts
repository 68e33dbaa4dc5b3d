/**
 * Runs one of the two test projects: `unit`, or `e2e` with topics (`test/e2e/<topic>.test.ts`) where named.
 */
import path from "node:path";
import { bundleProgram } from "./bundle.ts";
import { runTests } from "./tests.ts";

const [project, ...filters] = process.argv.slice(2);
if (project !== "unit" && project !== "e2e") {
  throw new Error(`the project is unit or e2e, not ${project}`);
}
// What the tests run.
await bundleProgram(path.join(import.meta.dirname, ".."));
const { passed, failed, ok } = await runTests(project, filters);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = ok ? 0 : 1;
