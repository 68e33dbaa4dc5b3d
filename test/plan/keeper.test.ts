import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PodDisruptionBudget } from "../../src/cluster/snapshot.ts";
import { keeperSteps } from "../../src/plan/keeper.ts";
import { labelIn, lostNodes, node, nodes } from "./builders.ts";
import { clickHouseWith, condition, keeper, keeperEntry, keeperWith, planned } from "./clickhouse-builders.ts";

/** What is planned of Keeper data/main with so many members, for another number. */
function planOf(cluster: ReturnType<typeof keeper>, wanted: number | "follow", more: object = {}) {
  const [entry] = planned([keeperEntry(wanted)], { keeperClusters: [cluster], ...more });
  if (entry === undefined) throw new Error("nothing was planned");
  return entry;
}

describe("the steps from one size to another", () => {
  it.each([
    [1, 5, [3, 5]],
    [3, 5, [5]],
    [5, 3, [3]],
    [7, 1, [5, 3, 1]],
    [3, 3, []],
    [4, 7, [5, 7]],
    [4, 1, [3, 1]],
    [1, 15, [3, 5, 7, 9, 11, 13, 15]],
  ])("%i → %i: %j", (current, wanted, steps) => {
    expect(keeperSteps(current, wanted)).toEqual(steps);
  });

  it("are odd, two apart, and end where they should, never at 0", () => {
    const size = fc.constantFrom(1, 3, 5, 7, 9, 11, 13, 15);
    fc.assert(
      fc.property(size, size, (current, wanted) => {
        const steps = keeperSteps(current, wanted);
        expect([current, ...steps].at(-1)).toBe(wanted);
        for (const [at, step] of steps.entries()) {
          expect(step % 2).toBe(1);
          expect(Math.abs(step - ([current, ...steps][at] ?? 0))).toBe(2);
        }
      }),
    );
  });
});

describe("a Keeper that is whole", () => {
  it("takes one step, and says those that follow", () => {
    expect(planOf(keeper(1), 5)).toEqual({
      workload: "data/main",
      kind: "KeeperCluster",
      decision: "scale-up",
      current: { replicas: 1 },
      target: { replicas: 3 },
      next: [{ replicas: 5 }],
      reasons: [],
      warnings: [],
      message:
        "raising from 1 member to 3 members: the policy wants 5; the member is ready and ScaleAllowed is ReadyToScale; then 5 members",
      action: {
        kind: "KeeperCluster",
        apiVersion: "clickhouse.com/v1alpha1",
        namespace: "data",
        name: "main",
        spec: { replicas: 3 },
      },
    });
  });

  it("comes down in the same way", () => {
    expect(planOf(keeper(5), 1)).toMatchObject({
      decision: "scale-down",
      target: { replicas: 3 },
      next: [{ replicas: 1 }],
    });
  });

  it("at its size is kept, and written, so that a second run is silent", () => {
    expect(planOf(keeper(3), 3)).toMatchObject({
      decision: "keep",
      next: [],
      message: "keeping 3 members: as the policy wants it",
      action: { spec: { replicas: 3 } },
    });
  });
});

describe("a Keeper that is not whole", () => {
  const blocked = (reason: string, message = "") =>
    keeperWith(3, condition("ScaleAllowed", { status: "False", reason, message }));

  it.each([
    [
      "ReplicaHasPendingChanges",
      "replica-has-pending-changes",
      "a member has yet to take over a changed configuration (ReplicaHasPendingChanges)",
    ],
    ["ReplicaNotReady", "replica-not-ready", "not every member is ready (ReplicaNotReady)"],
    ["NoQuorum", "no-quorum", "there is no quorum to agree on another member (NoQuorum)"],
    ["WaitingFollowers", "waiting-followers", "the leader waits for members to join or to leave (WaitingFollowers)"],
  ])("holds on %s with its own sentence", (reason, code, sentence) => {
    expect(planOf(blocked(reason, "2/3"), 5)).toMatchObject({
      decision: "hold",
      target: { replicas: 3 },
      next: [{ replicas: 5 }],
      reasons: [code],
      message: `keeping 3 members for now: ${sentence}: 2/3; then 5 members`,
      action: null,
    });
  });

  it("holds on a reason that is not known here", () => {
    expect(planOf(blocked("Restoring", "from backup"), 5)).toMatchObject({
      decision: "hold",
      reasons: ["scale-not-allowed"],
      message:
        "keeping 3 members for now: the operator allows no other size now: ScaleAllowed is False for Restoring (from backup); then 5 members",
    });
  });

  it.each<[string, ReturnType<typeof keeper>, string]>([
    [
      "of which the operator has not seen the last change",
      keeper(3, { generation: 5 }),
      "the operator has not looked at the last change yet",
    ],
    [
      "of which another revision runs",
      keeper(3, { status: { currentRevision: "b" } }),
      "the last change is not what runs yet",
    ],
    ["of which a member is not ready", keeper(3, { status: { readyReplicas: 2 } }), "2 of 3 members ready"],
    [
      "that grows",
      keeperWith(3, condition("ClusterSizeAligned", { status: "False", reason: "ScalingUp" })),
      "ClusterSizeAligned: ScalingUp",
    ],
    [
      "that serves nobody",
      keeperWith(3, condition("Ready", { status: "False", reason: "NoLeader" })),
      "Ready: NoLeader",
    ],
    [
      "of which nothing is reported",
      keeper(3, { status: { conditions: [] } }),
      "ClusterSizeAligned is not reported, Ready is not reported, ScaleAllowed is not reported",
    ],
    [
      "whose conditions say nothing of their generation",
      keeperWith(3, condition("ScaleAllowed", { reason: "ReadyToScale", observedGeneration: null })),
      "ScaleAllowed is still that of an earlier generation",
    ],
  ])("holds: one %s", (_what, cluster, clause) => {
    const entry = planOf(cluster, 5);
    expect(entry).toMatchObject({ decision: "hold", reasons: ["in-progress"], target: { replicas: 3 }, action: null });
    expect(entry.message).toContain(clause);
  });

  it("is held too where it has its size already", () => {
    expect(planOf(blocked("WaitingFollowers"), 3)).toMatchObject({ decision: "hold", reasons: ["waiting-followers"] });
  });

  it("all conditions True, but of the generation before: right after a patch", () => {
    const cluster = keeper(3, { generation: 5, status: { observedGeneration: 5, updateRevision: "a" } });
    expect(planOf(cluster, 5)).toMatchObject({ decision: "hold", reasons: ["in-progress"] });
  });

  it("whose field is ours keeps its patch at the present value", () => {
    const fieldManagers = [{ manager: "cluster-scale", operation: "Apply" as const, ownsCount: true }];
    expect(planOf({ ...blocked("NoQuorum"), fieldManagers }, 5).action).toMatchObject({ spec: { replicas: 3 } });
  });
});

describe("a Keeper and the ClickHouse clusters that use it", () => {
  it("waits while one of them is unfinished, in the policy or not", () => {
    const cluster = clickHouseWith(3, 1, condition("SchemaInSync", { status: "False", reason: "DatabasesNotCreated" }));
    expect(planOf(keeper(3), 5, { clickHouseClusters: [cluster] })).toMatchObject({
      decision: "hold",
      reasons: ["clickhouse-unfinished"],
      message: expect.stringContaining("ClickHouseCluster data/events, SchemaInSync: DatabasesNotCreated"),
    });
  });

  it("does not wait for one that is switched off", () => {
    const off = clickHouseWith(0, 1, condition("Ready", { status: "False", reason: "SomeShardsNotReady" }));
    expect(planOf(keeper(3), 5, { clickHouseClusters: [off] }).decision).toBe("scale-up");
  });
});

describe("budgets", () => {
  const budget = (
    name: string,
    maxUnavailable: number | string | null,
    minAvailable: number | null = null,
  ): PodDisruptionBudget => ({
    namespace: "data",
    name,
    selector: [labelIn("app", "main-keeper")],
    maxUnavailable,
    minAvailable,
  });

  it.each([
    [3, budget("main-keeper", 1), false],
    [3, budget("by-hand", 2), true],
    [3, budget("by-hand", "50%"), true],
    [3, budget("by-hand", null, 2), false],
    [3, budget("by-hand", null, 1), true],
    [5, budget("main-keeper", 2), false],
    [1, budget("main-keeper", 0), false],
    [1, budget("by-hand", 1), true],
  ])("of %i members %j lets a drain take the quorum: %s", (members, one, breaks) => {
    const { warnings } = planOf(keeper(members), members, { podDisruptionBudgets: [one] });
    expect(warnings).toEqual(breaks ? ["pdb-breaks-quorum"] : []);
  });

  it("the operator's own follows the size, and stands in no way", () => {
    expect(planOf(keeper(5), 3, { podDisruptionBudgets: [budget("main-keeper", 2)] }).decision).toBe("scale-down");
  });

  it("another one refuses the size at which it would take the quorum", () => {
    expect(planOf(keeper(5), 3, { podDisruptionBudgets: [budget("by-hand", 2)] })).toMatchObject({
      decision: "refuse",
      target: { replicas: 5 },
      reasons: ["pdb-breaks-quorum"],
      message:
        "refused to go from 5 members to 3 members: a drain could take the quorum: with 3 members PodDisruptionBudget by-hand would allow it; change that first",
    });
  });

  it("one of other pods is none", () => {
    const other = { ...budget("by-hand", 2), selector: [labelIn("app", "other-keeper")] };
    expect(planOf(keeper(3), 3, { podDisruptionBudgets: [other] }).warnings).toEqual([]);
  });
});

describe("a Keeper that follows the workers", () => {
  it.each([
    [1, 1],
    [2, 1],
    [3, 3],
    [4, 3],
    [5, 5],
    [9, 5],
  ])("on %i workers wants %i members", (workers, wanted) => {
    const { target, next } = planOf(keeper(1), "follow", { nodes: nodes(workers) });
    expect([target, ...next].at(-1)).toEqual({ replicas: wanted });
  });

  it("never comes down by itself: fewer members survive no more", () => {
    expect(planOf(keeper(5), "follow", { nodes: nodes(2) })).toMatchObject({
      decision: "keep",
      target: { replicas: 5 },
    });
  });

  it("counts no cordoned and no lost node", () => {
    const some = [...nodes(2), node("w-3", { unschedulable: true }), ...lostNodes(1)];
    expect(planOf(keeper(1), "follow", { nodes: some }).target).toEqual({ replicas: 1 });
  });
});

describe("an explicit size", () => {
  it("that the nodes can't hold is not begun", () => {
    const apart = keeper(1, { hostnameKey: "kubernetes.io/hostname" });
    expect(planOf(apart, 5, { nodes: nodes(2) })).toMatchObject({
      decision: "hold",
      target: { replicas: 1 },
      reasons: ["placement"],
    });
  });

  it("larger than there are nodes warns, where nothing keeps members apart", () => {
    expect(planOf(keeper(3), 5, { nodes: nodes(4) })).toMatchObject({
      decision: "scale-up",
      warnings: ["shared-nodes"],
    });
  });
});

it.each([
  [{ deleting: true }, "refuse", "being-deleted"],
  [{ ownerReferences: [{ kind: "HelmRelease", name: "db" }] }, "refuse", "operator-owned"],
  [{ replicas: 0 }, "skip", "scaled-to-zero"],
  [{ labels: { "kustomize.toolkit.fluxcd.io/name": "db" } }, "defer", "flux"],
  [{ fieldManagers: [{ manager: "somebody", operation: "Apply" as const, ownsCount: true }] }, "defer", "field-owner"],
])("one with %j is left alone", (fields, decision, reason) => {
  expect(planOf(keeper(3, fields), 5)).toMatchObject({ decision, reasons: [reason], action: null });
});

it("one that is not there is missing, and nothing is written", () => {
  expect(planned([keeperEntry(3)], {})).toEqual([
    {
      workload: "data/main",
      kind: "KeeperCluster",
      decision: "missing",
      current: null,
      target: null,
      next: [],
      reasons: [],
      warnings: [],
      message:
        "missing: there is no KeeperCluster data/main; it is created by whoever installs it, and scaled once it is there",
      action: null,
    },
  ]);
});
