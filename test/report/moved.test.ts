import { describe, expect, test } from "vitest";
import type { Plan, PlanEntry } from "../../src/plan/plan.ts";
import { planJson } from "../../src/report/json.ts";
import { assertUnmoved, MovedError } from "../../src/report/moved.ts";
import { entry, samplePlan } from "./plans.ts";

const planOf = (...workloads: PlanEntry[]): Plan => ({ ...samplePlan(), workloads });
const reviewed = planJson(planOf(entry(), entry({ workload: "dev/registry" })), "uid-1");

/** What the error says moved. */
function moved(now: Plan, clusterId = "uid-1"): string[] {
  try {
    assertUnmoved(reviewed, now, clusterId);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(MovedError);
    return (error as MovedError).moved;
  }
}

describe("what moved since a review", () => {
  test("nothing, where only sentences and nodes do", () => {
    const now = planOf(entry({ message: "four of them" }), entry({ workload: "dev/registry" }));
    expect(moved({ ...now, workers: { ...now.workers, candidates: 9 } })).toEqual([]);
  });

  test.each<[string, Plan, string[]]>([
    [
      "a number",
      planOf(entry({ current: 2, message: "3 ready." }), entry({ workload: "dev/registry" })),
      ["dev/gitea: reviewed was 1 → 3 (scale-up), now it is 2 → 3 (scale-up): 3 ready."],
    ],
    [
      "a reason",
      planOf(entry({ reasons: ["quota"] }), entry({ workload: "dev/registry" })),
      ["dev/gitea: still 1 → 3 (scale-up), but the reasons were none and are quota"],
    ],
    [
      "a warning",
      planOf(entry({ warnings: ["capacity-unknown"] }), entry({ workload: "dev/registry" })),
      ["dev/gitea: still 1 → 3 (scale-up), but the reasons were none and are capacity-unknown"],
    ],
    [
      "what is written",
      planOf(entry({ action: null }), entry({ workload: "dev/registry" })),
      ["dev/gitea: what would be written is something else"],
    ],
    [
      "the allowlist",
      planOf(entry(), entry({ workload: "dev/other" })),
      ["dev/other is new on the allowlist: 1 → 3 (scale-up)", "dev/registry is no longer on the allowlist"],
    ],
    [
      "its order",
      planOf(entry({ workload: "dev/registry" }), entry()),
      ["the order of the allowlist, in which room is given out, is another one"],
    ],
    [
      "the nodes, with what follows from it",
      {
        ...planOf(entry({ target: 2, message: "2 ready." }), entry({ workload: "dev/registry" })),
        workers: { candidates: 3, byState: { ready: 2, lost: 1 }, names: { lost: ["worker-3"] }, nonCandidates: {} },
      },
      [
        "the nodes. Workers: 3 ready, 1 cordoned (worker-4). Not counted: 1 dedicated control-plane. Now: Workers: 2 ready, 1 lost (worker-3).",
        "dev/gitea: reviewed was 1 → 3 (scale-up), now it is 1 → 2 (scale-up): 2 ready.",
      ],
    ],
  ])("%s", (_what, now, lines) => {
    expect(moved(now)).toEqual(lines);
  });

  test("another cluster, and nothing else, since nothing else can be compared", () => {
    expect(moved(planOf(), "uid-2")).toEqual([
      "the plan is for the cluster uid-1, and this is uid-2 (UID of its namespace kube-system)",
    ]);
  });

  test("as an error it says that nothing was changed, and what to do", () => {
    expect(new MovedError(["the nodes"]).message).toBe(
      "the cluster or the policy moved since the plan was reviewed; nothing was changed:\n  - the nodes\n" +
        "Make a new plan and have it reviewed: cluster-scale plan --out plan.json",
    );
  });
});
