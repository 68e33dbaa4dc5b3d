import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { execa } from "execa";

export interface TestCounts {
  passed: number;
  failed: number;
  /** False where vitest itself failed too: a file that does not load counts no test. */
  ok: boolean;
}

/**
 * Runs vitest on one project, its output on this terminal, and counts the tests from its own report.
 *
 * @param filters parts of file names; none runs all of the project.
 */
export async function runTests(project: "unit" | "e2e", filters: string[] = []): Promise<TestCounts> {
  const folder = mkdtempSync(path.join(tmpdir(), "cluster-scale-tests-"));
  const report = path.join(folder, "report.json");
  try {
    const { exitCode } = await execa(
      "vitest",
      ["run", "--project", project, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...filters],
      { preferLocal: true, stdio: "inherit", reject: false },
    );
    const counts = JSON.parse(readFileSync(report, "utf8")) as { numPassedTests: number; numFailedTests: number };
    const ok = exitCode === 0;
    // What goes wrong outside of all tests, vitest counts as none; the last line must not look as if all were well.
    return { passed: counts.numPassedTests, failed: Math.max(counts.numFailedTests, ok ? 0 : 1), ok };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
