import { describe, expect, it } from "vitest";
import type { WorkloadPolicy } from "../../src/config/policy.ts";
import { replicasFor } from "../../src/plan/formulas.ts";
import { nodes, workload } from "./builders.ts";

describe("replicasFor", () => {
  it.each<[string, Partial<WorkloadPolicy>, number, number]>([
    ["no node: none", { min: 5 }, 0, 0],
    ["linear: one a node", {}, 7, 7],
    ["linear: up to max", { max: 5 }, 7, 5],
    ["ha: three", { formula: "ha" }, 7, 3],
    ["ha: never more than nodes", { formula: "ha" }, 2, 2],
    ["ha: up to max", { formula: "ha", max: 1 }, 7, 1],
    ["nodesPerReplica: rounded up", { formula: { nodesPerReplica: 3 } }, 7, 3],
    ["nodesPerReplica: a fraction gives more, but no more than nodes", { formula: { nodesPerReplica: 0.5 } }, 4, 4],
    ["coresPerReplica: rounded up", { formula: { coresPerReplica: 10 } }, 7, 3],
    ["coresPerReplica: exact", { formula: { coresPerReplica: 14 } }, 7, 2],
    ["coresPerReplica: spare nodes' cores count", { formula: { coresPerReplica: 10 }, spare: 4 }, 7, 3],
    ["both: the larger, by nodes", { formula: { nodesPerReplica: 2, coresPerReplica: 16 } }, 6, 3],
    ["both: the larger, by cores", { formula: { nodesPerReplica: 6, coresPerReplica: 5 } }, 6, 5],
    [
      "ladder: the last step that is reached",
      {
        formula: {
          ladder: [
            [1, 1],
            [4, 2],
            [16, 4],
          ],
        },
      },
      8,
      2,
    ],
    [
      "ladder: exactly at a step",
      {
        formula: {
          ladder: [
            [1, 1],
            [4, 2],
            [16, 4],
          ],
        },
      },
      4,
      2,
    ],
    ["ladder: below the first step", { formula: { ladder: [[10, 3]] } }, 8, 1],
    [
      "ladder: a step may fall",
      {
        formula: {
          ladder: [
            [1, 3],
            [4, 2],
          ],
        },
      },
      5,
      2,
    ],
    ["min lifts the formula", { formula: { nodesPerReplica: 10 }, min: 2 }, 6, 2],
    ["min never lifts above nodes", { min: 3 }, 1, 1],
    ["min never lifts above max", { min: 2, max: 2, formula: "ha" }, 6, 2],
    ["spare nodes are left out", { spare: 1 }, 8, 7],
    ["spare never leaves less than one", { spare: 5 }, 3, 1],
    ["min never lifts above the nodes less the spare ones", { min: 4, spare: 3 }, 6, 3],
  ])("%s", (_rule, fields, count, replicas) => {
    expect(replicasFor(nodes(count), workload("web", fields))).toBe(replicas);
  });

  it("counts a node without allocatable as no core", () => {
    const mixed = [...nodes(2), ...nodes(2, { allocatable: null })];
    expect(replicasFor(mixed, workload("web", { formula: { coresPerReplica: 2 } }))).toBe(4);
  });

  it("does not round up for a binary fraction: 5.7 cores by 0.57 are 10", () => {
    const halves = nodes(19, { allocatable: { cpu: 300 } });
    expect(replicasFor(halves, workload("web", { max: 50, formula: { coresPerReplica: 0.57 } }))).toBe(10);
  });
});
