import { afterAll, describe, expect, it } from "vitest";
import { snapshotFromObjects } from "../../src/cluster/dump.ts";
import { parsePolicy } from "../../src/config/schema.ts";
import { plan } from "../../src/plan/index.ts";
import { loadCases, type RegressionCase } from "./load.ts";

const cases = loadCases();

function planOf(regression: RegressionCase) {
  const snapshot = snapshotFromObjects(regression.objects, regression.observedAt, regression.file);
  return plan(snapshot, parsePolicy(regression.policy));
}

/** The entries as a case states them, reasons and warnings as sets. */
function entriesOf(regression: RegressionCase) {
  return planOf(regression).workloads.map(({ workload, decision, current, target, grow, keep, reasons, warnings }) => ({
    workload,
    decision,
    current,
    target,
    grow,
    keep,
    reasons: reasons.toSorted(),
    warnings: warnings.toSorted(),
  }));
}

/** The ClickHouse and Keeper clusters of a plan as a case states them. */
function clustersOf(regression: RegressionCase) {
  return planOf(regression).clickhouse?.map(
    ({ kind, workload, decision, current, target, next, reasons, warnings }) => ({
      kind,
      workload,
      decision,
      current,
      target,
      next,
      reasons: reasons.toSorted(),
      warnings: warnings.toSorted(),
    }),
  );
}

describe("regression cases", () => {
  it.each(cases.filter(({ expect }) => expect !== null))("$file: $title", (regression) => {
    const expected = regression.expect?.map((entry) => ({
      ...entry,
      reasons: entry.reasons.toSorted(),
      warnings: entry.warnings.toSorted(),
    }));
    expect(entriesOf(regression)).toEqual(expected);
    const clusters = regression.clickhouse?.map((entry) => ({
      ...entry,
      reasons: entry.reasons.toSorted(),
      warnings: entry.warnings.toSorted(),
    }));
    expect(clustersOf(regression)).toEqual(clusters);
  });

  it.each(cases.filter(({ error }) => error !== null))("$file: $title", (regression) => {
    const text = regression.error?.toLowerCase() ?? "";
    expect(() => planOf(regression)).toThrow(
      expect.toSatisfy((error: Error) => error.message.toLowerCase().includes(text)),
    );
  });

  it("every file states either entries or an error", () => {
    expect(cases.filter(({ expect, error }) => (expect === null) === (error === null)).map(({ file }) => file)).toEqual(
      [],
    );
  });

  afterAll(() => {
    // Past the console, on which a test must not print.
    process.stdout.write(`${cases.length} regression cases\n`);
  });
});
