import { expect, test } from "vitest";
import { planDigest } from "../../src/report/digest.ts";
import { planJson } from "../../src/report/json.ts";
import { samplePlan } from "./plans.ts";

test("exactly the published keys", () => {
  const plan = samplePlan();
  const json = planJson(plan, "uid-1");
  expect(Object.keys(json)).toEqual(["clusterId", "workloads", "workers", "notes", "digest"]);
  expect(json.workloads[1]).toEqual({
    workload: "dev/registry",
    kind: "Deployment",
    decision: "hold",
    current: 4,
    target: 4,
    grow: 3,
    keep: 4,
    reasons: ["cordoned"],
    warnings: ["pdb-blocks-drain"],
    message: "keeping 4: 1 of 4 workers is cordoned (worker-4); 3 could take new replicas.",
    action: { kind: "deployment", namespace: "dev", name: "registry", replicas: 4 },
  });
  expect(json.workers).toEqual(plan.workers);
  expect(json.notes).toEqual(plan.notes);
  expect(json.digest).toBe(planDigest(plan, "uid-1"));
});
