import { expect } from "vitest";
import type { PlanEntry } from "../../../src/plan/plan.ts";
import type { CliStack } from "./cli.ts";

/** What is decided on a workload, without its sentence and what is written for it. */
export type Decided = Pick<PlanEntry, "decision" | "current" | "target" | "reasons" | "warnings">;

/** The plan for the stack's cluster now, by `namespace/name`, as `cluster-scale plan` prints it without Pulumi. */
export async function planned(cli: CliStack): Promise<Record<string, Decided>> {
  const { code, stdout, stderr } = await cli.run(["plan", "--output", "json", "--no-preview"]);
  expect(code, stderr).toBe(0);
  const { workloads } = JSON.parse(stdout) as { workloads: PlanEntry[] };
  return Object.fromEntries(
    workloads.map(({ workload, decision, current, target, reasons, warnings }) => [
      workload,
      { decision, current, target, reasons, warnings },
    ]),
  );
}
