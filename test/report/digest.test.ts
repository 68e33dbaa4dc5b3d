import { describe, expect, test } from "vitest";
import type { Plan, PlanEntry } from "../../src/plan/plan.ts";
import { planDigest } from "../../src/report/digest.ts";
import { entry, samplePlan } from "./plans.ts";

const digestOf = (changes: Partial<PlanEntry>) => planDigest({ ...samplePlan(), workloads: [entry(changes)] }, "uid-1");
const digest = digestOf({});

describe("planDigest", () => {
  test("is a sha256, the same for the same plan", () => {
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(digestOf({})).toBe(digest);
  });

  test.each<[string, Partial<PlanEntry>]>([
    ["workload", { workload: "dev/other" }],
    ["kind", { kind: "StatefulSet" }],
    ["decision", { decision: "keep" }],
    ["current", { current: 2 }],
    ["target", { target: 2 }],
    ["reasons", { reasons: ["capacity"] }],
    ["warnings", { warnings: ["capacity-unknown"] }],
    ["action", { action: null }],
    ["action.replicas", { action: { kind: "deployment", namespace: "dev", name: "gitea", replicas: 2 } }],
    ["action.kind", { action: { kind: "git", namespace: "dev", name: "gitea", replicas: 3 } }],
  ])("another %s is another plan", (_what, changes) => {
    expect(digestOf(changes)).not.toBe(digest);
  });

  test.each<[string, Partial<PlanEntry>]>([
    ["message", { message: "3 nodes are ready." }],
    ["grow", { grow: 5 }],
    ["keep", { keep: 5 }],
    ["order of the action's keys", { action: { replicas: 3, name: "gitea", namespace: "dev", kind: "deployment" } }],
  ])("another %s is the same plan", (_what, changes) => {
    expect(digestOf(changes)).toBe(digest);
  });

  test("reasons and warnings are sets", () => {
    expect(digestOf({ reasons: ["quota", "capacity"], warnings: ["quota", "capacity"] })).toBe(
      digestOf({ reasons: ["capacity", "quota"], warnings: ["capacity", "quota"] }),
    );
  });

  test("nodes and notes don't count, the cluster and the order do", () => {
    const plan: Plan = samplePlan();
    const workers = { candidates: 9, byState: {}, names: {}, nonCandidates: {} };
    expect(planDigest({ ...plan, workers, notes: [] }, "uid-1")).toBe(planDigest(plan, "uid-1"));
    expect(planDigest(plan, "uid-2")).not.toBe(planDigest(plan, "uid-1"));
    expect(planDigest({ ...plan, workloads: plan.workloads.toReversed() }, "uid-1")).not.toBe(
      planDigest(plan, "uid-1"),
    );
  });
});
