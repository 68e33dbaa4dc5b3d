import { describe, expect, test } from "vitest";
import { ansi } from "../../src/report/paint.ts";
import { planTable } from "../../src/report/table.ts";
import { pulumiColors } from "../../src/resources/show.ts";
import { entry, samplePlan } from "../report/plans.ts";

describe("pulumiColors", () => {
  test.each([
    ["bold", "<{%bold%}>x<{%reset%}>"],
    ["dim", "<{%fg 8%}>x<{%reset%}>"],
    ["red", "<{%fg 1%}>x<{%reset%}>"],
    ["green", "<{%fg 2%}>x<{%reset%}>"],
    ["yellow", "<{%fg 3%}>x<{%reset%}>"],
    ["blue", "<{%fg 4%}>x<{%reset%}>"],
    ["cyan", "<{%fg 6%}>x<{%reset%}>"],
  ] as const)("%s", (style, directive) => {
    expect(pulumiColors(ansi(style, "x"))).toBe(directive);
  });

  test("what looks like a directive in the cluster's own words is none", () => {
    const plan = { ...samplePlan(), workloads: [entry({ message: "refused: <{%boom%}>" })] };
    expect(pulumiColors(planTable(plan, ansi, 100))).toContain("refused: <{ %boom%}>");
  });
});
