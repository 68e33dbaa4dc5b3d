import { describe, expect, test } from "vitest";
import { ansi } from "../../src/report/paint.ts";
import { planTable } from "../../src/report/table.ts";
import { entry, plain, samplePlan } from "./plans.ts";

describe("planTable", () => {
  test("aligns columns, wraps sentences, then says what holds for all", () => {
    expect(planTable(samplePlan(), plain, 80)).toBe(
      `
WORKLOAD      REPLICAS  DECISION  WHY
dev/gitea     1 → 3     scale-up  3 ready workers.
dev/registry  4         hold      keeping 4: 1 of 4 workers is cordoned
                                  (worker-4); 3 could take new replicas.
                                  [warning: pdb-blocks-drain]
dev/mailpit   –         missing   There is no Deployment dev/mailpit.

1 to scale up, 1 held, 1 missing.
Workers: 3 ready, 1 cordoned (worker-4). Not counted: 1 dedicated control-plane.
Note: The snapshot has no pods: every node counts as empty.`.slice(1),
    );
  });

  test("colours change no column", () => {
    const coloured = planTable(samplePlan(), ansi, 80);
    expect(coloured).toContain("\u001b[32m1 → 3\u001b[39m     \u001b[32mscale-up\u001b[39m  3 ready workers.");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
    expect(coloured.replaceAll(/\u001b\[\d+m/g, "")).toBe(planTable(samplePlan(), plain, 80));
  });

  test("no line is wider than asked for, down to a sentence of 30 columns", () => {
    for (const width of [66, 80, 120, 200]) {
      const rows = planTable(samplePlan(), plain, width).split("\n\n")[0] ?? "";
      expect(Math.max(...rows.split("\n").map((line) => line.length))).toBeLessThanOrEqual(width);
    }
    expect(planTable(samplePlan(), plain, 10)).toBe(planTable(samplePlan(), plain, 64));
  });

  test("shows 0 and an unknown current as what they are", () => {
    const plan = { ...samplePlan(), workloads: [entry({ current: 0, target: 0, decision: "skip" })] };
    expect(planTable(plan, plain, 80)).toContain("dev/gitea  0         skip");
  });

  test("an empty allowlist is said", () => {
    const plan = { ...samplePlan(), workloads: [], notes: [] };
    expect(planTable(plan, plain, 80).split("\n").slice(0, 3)).toEqual([
      "WORKLOAD  REPLICAS  DECISION  WHY",
      "",
      "No workloads.",
    ]);
  });
});
