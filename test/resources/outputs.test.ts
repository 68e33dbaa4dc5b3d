import { expect, test } from "vitest";
import { outputsOf } from "../../src/resources/outputs.ts";
import { entry, samplePlan } from "../report/plans.ts";

test("what the stack patches, what belongs into git, and what it leaves", () => {
  const plan = {
    ...samplePlan(),
    workloads: [
      entry(),
      entry({ workload: "dev/queue", action: { kind: "hpa", namespace: "dev", name: "queue", maxReplicas: 4 } }),
      entry({ workload: "dev/web", action: { kind: "git", namespace: "dev", name: "web", replicas: 2 } }),
      entry({ workload: "dev/db", decision: "defer", current: 7, target: 7, reasons: ["hpa"], action: null }),
      entry({ workload: "dev/none", decision: "missing", current: null, target: null, action: null }),
    ],
  };
  expect(outputsOf(plan)).toEqual({
    targets: { "dev/gitea": 3, "dev/queue": 4 },
    git: { "dev/web": 2 },
    untouched: { "dev/db": "defer", "dev/none": "missing" },
    reasons: { "dev/db": ["hpa"] },
    workers: 4,
  });
});
