import { expect, test } from "vitest";
import type { Rollout } from "../../src/cluster/rollout.ts";
import type { PlanEntry } from "../../src/plan/plan.ts";
import { statusesOf, statusTable } from "../../src/report/status.ts";
import { entry, plain, queueEntry, samplePlan } from "./plans.ts";

const done: Rollout = { complete: true, wanted: 3, available: 3, problems: [] };
const kept = { current: 3, target: 3, decision: "keep", message: "3 ready workers." } as const;

const statusOf = (changes: Partial<PlanEntry>, applied?: number, rollout?: Rollout | Error) =>
  statusesOf(
    { ...samplePlan(), workloads: [entry(changes)] },
    { workloads: applied === undefined ? {} : { "dev/gitea": applied }, queues: {} },
    new Map(rollout === undefined ? [] : [["dev/gitea", rollout]]),
  ).workloads[0];

test.each<[string, ReturnType<typeof statusOf>, object]>([
  [
    "in sync",
    statusOf(kept, 3, done),
    { states: ["in-sync"], live: 3, applied: 3, target: 3, pods: { available: 3, wanted: 3 }, message: "" },
  ],
  [
    "scaled behind our back",
    statusOf({ current: 1, message: "3 ready workers." }, 3, { ...done, wanted: 1, available: 1 }),
    {
      states: ["drift", "to-apply"],
      message: "3 was applied, 1 is live. apply would set 3: 3 ready workers.",
    },
  ],
  [
    "never applied",
    statusOf({ message: "3 ready workers." }),
    { states: ["to-apply"], applied: null, pods: null, message: "apply would set 3: 3 ready workers." },
  ],
  [
    "rolling out",
    statusOf(kept, 3, {
      complete: false,
      wanted: 3,
      available: 1,
      problems: [{ source: "image", pods: 2, text: "ErrImagePull: not found" }],
    }),
    {
      states: ["rolling-out"],
      message:
        "1 of 3 pods are available. 2 pods can't get an image: ErrImagePull: not found. Check the image's name, its registry and the pull secret.",
    },
  ],
  [
    "left to its owner",
    statusOf({ current: 2, target: 2, decision: "defer", action: null, message: "An autoscaler owns it." }),
    { states: ["left-alone"], message: "defer: An autoscaler owns it." },
  ],
  [
    "gone since",
    statusOf({ current: null, target: null, decision: "missing", action: null, message: "There is none." }, 3),
    { states: ["drift", "left-alone"], message: "3 was applied, nothing is live. missing: There is none." },
  ],
  [
    "pods that can't be read",
    statusOf(kept, 3, new Error("forbidden")),
    { states: ["in-sync"], pods: null, message: "Its pods can't be read: forbidden." },
  ],
])("%s", (_what, status, expected) => {
  expect(status).toMatchObject(expected);
});

test("as a table", () => {
  const plan = { ...samplePlan(), workloads: [entry(kept)], notes: [] };
  const statuses = statusesOf(plan, { workloads: { "dev/gitea": 3 }, queues: {} }, new Map([["dev/gitea", done]]));
  expect(statusTable(statuses, plan, plain, 120).split("\n")).toEqual([
    "WORKLOAD   LIVE  APPLIED  TARGET  PODS  STATE    WHY",
    "dev/gitea  3     3        3       3/3   in-sync",
    "",
    "1 kept.",
    "Workers: 3 ready, 1 cordoned (worker-4). Not counted: 1 dedicated control-plane.",
  ]);
});

test("queues have a row for the maximum of their autoscaler, below the workloads", () => {
  const plan = {
    ...samplePlan(),
    workloads: [entry(kept)],
    queues: [queueEntry({ message: "3 ready workers." })],
    notes: [],
  };
  const statuses = statusesOf(plan, { workloads: { "dev/gitea": 3 }, queues: { "jobs/worker": 2 } }, new Map());
  expect(statuses.queues).toEqual([
    {
      workload: "jobs/worker",
      states: ["drift", "to-apply"],
      live: null,
      applied: 2,
      target: 3,
      pods: null,
      message: "2 was applied, nothing is live. apply would set 3: 3 ready workers.",
    },
  ]);
  expect(statusTable(statuses, plan, plain, 130).split("\n")).toEqual([
    "WORKLOAD           LIVE  APPLIED  TARGET  PODS  STATE            WHY",
    "dev/gitea          3     3        3       –     in-sync",
    "queue jobs/worker  –     2        3       –     drift, to-apply  2 was applied, nothing is live. apply would set 3: 3 ready",
    "                                                                 workers.",
    "",
    "1 kept. Queues: 1 to create.",
    "Workers: 3 ready, 1 cordoned (worker-4). Not counted: 1 dedicated control-plane.",
  ]);
});

test("a plan without queues has no list of them", () => {
  expect(statusesOf(samplePlan(), { workloads: {}, queues: {} }, new Map())).not.toHaveProperty("queues");
});
