import { describe, expect, it } from "vitest";
import type { ClickHouseEntry } from "../../src/plan/clickhouse-plan.ts";
import { sizesCell } from "../../src/report/clickhouse.ts";
import { planDigest } from "../../src/report/digest.ts";
import { planJson } from "../../src/report/json.ts";
import { planMarkdown } from "../../src/report/markdown.ts";
import { assertUnmoved } from "../../src/report/moved.ts";
import { parsePlanFile } from "../../src/report/plan-file.ts";
import { planTable } from "../../src/report/table.ts";
import { plain, samplePlan } from "./plans.ts";

function cluster(changes: Partial<ClickHouseEntry> = {}): ClickHouseEntry {
  return {
    workload: "data/main",
    kind: "KeeperCluster",
    decision: "scale-up",
    current: { replicas: 1 },
    target: { replicas: 3 },
    next: [{ replicas: 5 }],
    reasons: [],
    warnings: [],
    message: "raising from 1 member to 3 members.",
    action: {
      kind: "KeeperCluster",
      apiVersion: "clickhouse.com/v1alpha1",
      namespace: "data",
      name: "main",
      spec: { replicas: 3 },
    },
    ...changes,
  };
}

const planOf = (...clickhouse: ClickHouseEntry[]) => ({ ...samplePlan(), workloads: [], clickhouse });
const digestOf = (changes: Partial<ClickHouseEntry>) => planDigest(planOf(cluster(changes)), "uid-1");

describe("sizes", () => {
  it.each<[Partial<ClickHouseEntry>, string]>([
    [{}, "1 → 3, then 5"],
    [{ target: { replicas: 1 }, next: [{ replicas: 3 }, { replicas: 5 }] }, "1, then 3, then 5"],
    [{ current: null, target: null, next: [] }, "–"],
    [{ current: { replicas: 2, shards: 1 }, target: { replicas: 3, shards: 1 }, next: [] }, "2 → 3"],
    [
      { current: { replicas: 2, shards: 1 }, target: { replicas: 3, shards: 1 }, next: [{ replicas: 3, shards: 2 }] },
      "2×1 → 3×1, then 3×2",
    ],
  ])("%j", (changes, text) => {
    expect(sizesCell(cluster(changes))).toBe(text);
  });
});

it("stand in the table after the workloads, and are counted with them", () => {
  const table = planTable(
    planOf(cluster(), cluster({ kind: "ClickHouseCluster", decision: "hold", warnings: ["replicated-tables"] })),
    plain,
    200,
  );
  expect(table.split("\n").slice(0, 5)).toEqual([
    "WORKLOAD              REPLICAS       DECISION  WHY",
    "keeper data/main      1 → 3, then 5  scale-up  raising from 1 member to 3 members.",
    "clickhouse data/main  1 → 3, then 5  hold      raising from 1 member to 3 members. [warning: replicated-tables]",
    "",
    "1 to scale up, 1 held.",
  ]);
});

it("stand in the Markdown", () => {
  expect(planMarkdown(planOf(cluster()), "uid-1")).toContain(
    "| `keeper data/main` | 1 → 3, then 5 | **scale-up** | raising from 1 member to 3 members. |",
  );
});

describe("the digest", () => {
  it.each<[string, Partial<ClickHouseEntry>]>([
    ["kind", { kind: "ClickHouseCluster" }],
    ["decision", { decision: "hold" }],
    ["current", { current: { replicas: 5 } }],
    ["target", { target: { replicas: 5 } }],
    ["next", { next: [] }],
    ["reasons", { reasons: ["no-quorum"] }],
    ["warnings", { warnings: ["shared-nodes"] }],
    ["action", { action: null }],
  ])("is another one with another %s", (_what, changes) => {
    expect(digestOf(changes)).not.toBe(digestOf({}));
  });

  it("is the same with another sentence", () => {
    expect(digestOf({ message: "up" })).toBe(digestOf({}));
  });

  it("of a plan without such clusters is what it always was", () => {
    expect(planDigest({ ...samplePlan(), workloads: [] }, "uid-1")).toBe(
      "sha256:aefebf9bb355dd802a1c1ab2d64dd58d148c80b22b716334ad790efacaa1764b",
    );
  });
});

it("a reviewed plan is told what of them moved", () => {
  const file = JSON.stringify(planJson(planOf(cluster(), cluster({ workload: "data/old" })), "uid-1"));
  const reviewed = parsePlanFile(file, "plan.json");
  expect(() => assertUnmoved(reviewed, planOf(cluster(), cluster({ workload: "data/old" })), "uid-1")).not.toThrow();
  const held = cluster({
    decision: "hold",
    target: { replicas: 1 },
    next: [{ replicas: 3 }, { replicas: 5 }],
    message: "no quorum",
  });
  expect(() => assertUnmoved(reviewed, planOf(held, cluster({ workload: "data/new" })), "uid-1")).toThrow(
    `  - keeper data/main: reviewed was 1 → 3, then 5 (scale-up), now it is 1, then 3, then 5 (hold): no quorum
  - keeper data/new is new in the policy: 1 → 3, then 5 (scale-up)
  - keeper data/old is no longer in the policy`,
  );
});
