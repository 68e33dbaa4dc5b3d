/** What a plan's readers see of queues, and that those without queues see nothing of them. */
import { describe, expect, test } from "vitest";
import type { Plan } from "../../src/plan/plan.ts";
import { planDigest } from "../../src/report/digest.ts";
import { planJson } from "../../src/report/json.ts";
import { planMarkdown } from "../../src/report/markdown.ts";
import { whatMoved } from "../../src/report/moved.ts";
import { planTable } from "../../src/report/table.ts";
import { plain, queueEntry, samplePlan } from "./plans.ts";

const withQueue: Plan = { ...samplePlan(), queues: [queueEntry()] };
const queueAlone: Plan = { ...withQueue, workloads: [] };

test("a table of its own, below that of the workloads", () => {
  expect(planTable({ ...queueAlone, notes: [] }, plain, 120)).toBe(
    [
      "QUEUE'S WORKER  MAXIMUM  DECISION  WHY",
      "jobs/worker     – → 3    create    creating HorizontalPodAutoscaler worker with a maximum of 3: 3 workers can take its",
      "                                   pods (w-1, w-2, w-3).",
      "",
      "Queues: 1 to create.",
      "Workers: 3 ready, 1 cordoned (worker-4). Not counted: 1 dedicated control-plane.",
    ].join("\n"),
  );
  expect(planTable(withQueue, plain, 120)).toMatch(
    /^WORKLOAD .*\n\nQUEUE'S WORKER .*\n\n1 to scale up.* Queues: 1 to create\.\n/s,
  );
});

test("Markdown", () => {
  expect(planMarkdown(withQueue, null)).toContain(
    [
      "| Queue's worker | Maximum | Decision | Why |",
      "| --- | --- | --- | --- |",
      "| `jobs/worker` | – → 3 | **create** | creating HorizontalPodAutoscaler worker with a maximum of 3: 3 workers can take its pods (w-1, w-2, w-3). |",
    ].join("\n"),
  );
});

test("JSON, only where there are queues", () => {
  expect(planJson(withQueue, null).queues).toEqual(withQueue.queues);
  expect(planJson(samplePlan(), null)).not.toHaveProperty("queues");
});

describe("digest", () => {
  const digest = (plan: Plan) => planDigest(plan, "uid-1");

  test("of a plan without queues is what it always was", () => {
    expect(digest(samplePlan())).toBe("sha256:497a0dcd7cb85bf48274e2f857d0758c6983eea96db9301ddbcb88492840968b");
  });

  test.each([
    ["the maximum", { target: 4 }],
    ["the decision", { decision: "keep" }],
    ["what is declared", { action: null }],
  ] as const)("changes with %s", (_what, changes) => {
    expect(digest({ ...withQueue, queues: [queueEntry(changes)] })).not.toBe(digest(withQueue));
  });

  test("does not change with the sentence", () => {
    expect(digest({ ...withQueue, queues: [queueEntry({ message: "…" })] })).toBe(digest(withQueue));
  });
});

describe("what moved since a review", () => {
  const reviewed = planJson(withQueue, null);

  test.each([
    [
      "the maximum",
      [queueEntry({ target: 2, message: "why." })],
      "jobs/worker: reviewed was – → 3 (create), now it is – → 2 (create): why.",
    ],
    ["a queue that left", [], "jobs/worker is no longer among the queues"],
    [
      "a queue that came",
      [queueEntry(), queueEntry({ workload: "jobs/other" })],
      "jobs/other is new among the queues: – → 3 (create)",
    ],
  ])("%s", (_what, queues, line) => {
    expect(whatMoved(reviewed, { ...withQueue, queues }, null)).toEqual([line]);
  });
});
