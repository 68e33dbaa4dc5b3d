import { describe, expect, it } from "vitest";
import { isUnhealthyCluster, type Target, type TargetInputs, targetOf } from "../../src/plan/target.ts";
import { workers } from "./builders.ts";

const UNBOUNDED = Number.POSITIVE_INFINITY;

/** Three nodes may grow, six keep, nothing else bounds. */
function inputs(fields: Partial<TargetInputs>): TargetInputs {
  return {
    current: 4,
    formulaGrow: 3,
    formulaKeep: 6,
    placementGrow: UNBOUNDED,
    placementKeep: UNBOUNDED,
    capacity: UNBOUNDED,
    quota: UNBOUNDED,
    placed: 4,
    ...fields,
  };
}

describe("targetOf", () => {
  it.each<[string, Partial<TargetInputs>, Target]>([
    ["below grow: grows to it", { current: 1 }, { target: 3, grow: 3, keep: 6 }],
    ["between the two: stays", { current: 5 }, { target: 5, grow: 3, keep: 6 }],
    ["above keep: shrinks to it", { current: 8 }, { target: 6, grow: 3, keep: 6 }],
    ["placement bounds growth", { current: 1, placementGrow: 2 }, { target: 2, grow: 2, keep: 6 }],
    ["capacity bounds growth", { current: 1, capacity: 2 }, { target: 2, grow: 2, keep: 6 }],
    ["quota bounds growth", { current: 1, quota: 1 }, { target: 1, grow: 1, keep: 6 }],
    ["capacity never shrinks", { current: 5, capacity: 5 }, { target: 5, grow: 3, keep: 6 }],
    [
      "placement shrinks to what is placed",
      { current: 6, placementKeep: 2, placed: 5, placementGrow: 2 },
      { target: 5, grow: 2, keep: 5 },
    ],
    ["what is placed does not lift keep above the formula", { current: 9, placed: 9 }, { target: 6, grow: 3, keep: 6 }],
    ["no node to grow on: what runs stays", { current: 4, formulaGrow: 0 }, { target: 4, grow: 0, keep: 6 }],
    [
      "no place and nothing placed: never 0",
      { current: 4, placementGrow: 0, placementKeep: 0, placed: 0 },
      { target: 1, grow: 0, keep: 0 },
    ],
  ])("%s", (_rule, fields, expected) => {
    expect(targetOf(inputs(fields))).toEqual(expected);
  });
});

describe("isUnhealthyCluster", () => {
  it.each<[string, number, number, boolean]>([
    ["three of six: more than 45 %, but not more than three", 3, 6, false],
    ["four of eight: more than both", 4, 8, true],
    ["nine of twenty: exactly 45 %", 9, 20, false],
    ["ten of twenty: more", 10, 20, true],
    ["four of a hundred: not more than 45 %", 4, 100, false],
    ["no node", 0, 0, false],
  ])("%s", (_rule, gone, candidates, unhealthy) => {
    expect(isUnhealthyCluster(gone, candidates, workers())).toBe(unhealthy);
  });
});
