import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ClickHouseCluster, Condition, OperatorStatus } from "../../src/cluster/snapshot.ts";
import { GIB, lostNodes, node, nodes, pod, requesting } from "./builders.ts";
import {
  clickHouse,
  clickHouseWith,
  condition,
  entry,
  keeper,
  keeperWith,
  planned,
  wantedKeeper,
} from "./clickhouse-builders.ts";

const whole = { keeperClusters: [keeper(3)] };

/** What is planned of ClickHouseCluster data/events with a whole Keeper. */
function planOf(cluster: ClickHouseCluster, wanted: Parameters<typeof entry>[0], more: object = {}) {
  const [only] = planned([entry(wanted)], { ...whole, clickHouseClusters: [cluster], ...more });
  if (only === undefined) throw new Error("nothing was planned");
  return only;
}

describe("a ClickHouse cluster that is finished", () => {
  it("takes its replicas in one step", () => {
    expect(planOf(clickHouse(1, 2), { replicas: 3 })).toEqual({
      workload: "data/events",
      kind: "ClickHouseCluster",
      decision: "scale-up",
      current: { replicas: 1, shards: 2 },
      target: { replicas: 3, shards: 2 },
      next: [],
      reasons: [],
      warnings: ["replicated-tables"],
      message:
        "raising from 1 replica of 2 shards to 3 replicas of 2 shards: the policy wants 3 replicas of 2 shards. " +
        "More than one replica serves the same rows only from tables of the engine ReplicatedMergeTree, which is presumed",
      action: {
        kind: "ClickHouseCluster",
        apiVersion: "clickhouse.com/v1alpha1",
        namespace: "data",
        name: "events",
        spec: { replicas: 3 },
      },
    });
  });

  it("takes replicas first, then shards", () => {
    expect(planOf(clickHouse(1, 1), { replicas: 2, shards: 3 })).toMatchObject({
      target: { replicas: 2, shards: 1 },
      next: [{ replicas: 2, shards: 3 }],
      warnings: ["replicated-tables", "shards-not-rebalanced"],
      action: { spec: { replicas: 2, shards: 1 } },
    });
  });

  it("says that no rows move to new shards, and that nobody creates databases there", () => {
    expect(planOf(clickHouse(1, 1, { databaseSync: false }), { shards: 2 })).toMatchObject({
      decision: "scale-up",
      warnings: ["database-sync-off", "shards-not-rebalanced"],
      action: { spec: { shards: 2 } },
    });
  });

  it("at its size is kept and written", () => {
    expect(planOf(clickHouse(3, 2), { replicas: 3, shards: 2 })).toMatchObject({
      decision: "keep",
      action: { spec: { replicas: 3, shards: 2 } },
      warnings: [],
    });
  });

  it("without a schema to synchronise is finished too", () => {
    const off = clickHouseWith(1, 1, condition("SchemaInSync", { reason: "SchemaSyncDisabled" }));
    expect(planOf(off, { replicas: 2 }).decision).toBe("scale-up");
    const unknown = clickHouseWith(
      1,
      1,
      condition("SchemaInSync", { status: "Unknown", reason: "SchemaSyncDisabled" }),
    );
    expect(planOf(unknown, { replicas: 2 }).decision).toBe("scale-up");
  });
});

describe("fewer shards", () => {
  it("are refused: their data would go", () => {
    expect(planOf(clickHouse(1, 3), { shards: 2 })).toMatchObject({
      decision: "refuse",
      target: { replicas: 1, shards: 3 },
      next: [],
      reasons: ["data-loss"],
      message:
        "refused to go from 1 replica of 3 shards to 1 replica of 2 shards: the data of the shards that go would be lost: " +
        "1 of 3 shards would go with all their rows. Move them away first; then `allowShardRemoval: 2` consents to it",
      action: null,
    });
  });

  it("are taken with consent to exactly that number", () => {
    expect(planOf(clickHouse(1, 3), { shards: 2, allowShardRemoval: 2 })).toMatchObject({
      decision: "scale-down",
      target: { replicas: 1, shards: 2 },
    });
    expect(planOf(clickHouse(1, 3), { shards: 2, allowShardRemoval: 1 }).decision).toBe("refuse");
  });

  it("are refused before anything is waited for", () => {
    expect(planOf(clickHouse(1, 3, { generation: 9 }), { shards: 2 }).reasons).toEqual(["data-loss"]);
  });

  it("never come of a field that is ours and that the policy no longer names: it stays in the patch", () => {
    const cluster = clickHouse(1, 3, { shardsManagers: ["cluster-scale"] });
    expect(planOf(cluster, { replicas: 2 }).action).toMatchObject({ spec: { replicas: 2, shards: 3 } });
  });
});

describe("a ClickHouse cluster that is not finished", () => {
  it.each<[string, ClickHouseCluster, string]>([
    [
      "not seen by the operator",
      clickHouse(1, 1, { generation: 5 }),
      "the operator has not looked at the last change yet",
    ],
    [
      "of another revision",
      clickHouse(1, 1, { status: { updateRevision: "b" } }),
      "the last change is not what runs yet",
    ],
    ["with a replica that is not ready", clickHouse(2, 2, { status: { readyReplicas: 3 } }), "3 of 4 are ready"],
    [
      "without its databases",
      clickHouseWith(
        1,
        1,
        condition("SchemaInSync", { status: "False", reason: "DatabasesNotCreated", message: "Some are not" }),
      ),
      "SchemaInSync: DatabasesNotCreated (Some are not)",
    ],
    [
      "with a shard that is down",
      clickHouseWith(1, 1, condition("Ready", { status: "False", reason: "SomeShardsNotReady" })),
      "Ready: SomeShardsNotReady",
    ],
    [
      "whose conditions are all True, of the generation before",
      clickHouse(1, 1, { generation: 5, status: { observedGeneration: 5 } }),
      "ClusterSizeAligned is still that of an earlier generation",
    ],
  ])("is held: one %s", (_what, cluster, clause) => {
    const held = planOf(cluster, { replicas: 3 });
    expect(held).toMatchObject({ decision: "hold", reasons: ["in-progress"], action: null });
    expect(held.target).toEqual(held.current);
    expect(held.message).toContain(clause);
  });
});

describe("Keeper first", () => {
  const both = (keeperSize: number, keeperCluster: ReturnType<typeof keeper>, cluster = clickHouse(1, 1)) =>
    planned([entry({ replicas: 3, keeper: wantedKeeper(keeperSize) })], {
      keeperClusters: [keeperCluster],
      clickHouseClusters: [cluster],
    });

  it("while the Keeper takes steps ClickHouse waits", () => {
    expect(both(5, keeper(1))).toMatchObject([
      { kind: "KeeperCluster", decision: "scale-up", target: { replicas: 3 } },
      {
        kind: "ClickHouseCluster",
        decision: "hold",
        reasons: ["keeper-first"],
        next: [{ replicas: 3, shards: 1 }],
        message: expect.stringContaining("its Keeper goes first: KeeperCluster data/main takes a step"),
      },
    ]);
  });

  it("while the Keeper is held ClickHouse waits", () => {
    const waiting = keeperWith(3, condition("ScaleAllowed", { status: "False", reason: "WaitingFollowers" }));
    expect(both(5, waiting)).toMatchObject([{ decision: "hold" }, { decision: "hold", reasons: ["keeper-first"] }]);
  });

  it("once the Keeper has its size ClickHouse goes", () => {
    expect(both(5, keeper(5))).toMatchObject([{ decision: "keep" }, { decision: "scale-up" }]);
  });

  it("a Keeper that the policy does not scale is waited for all the same", () => {
    expect(planOf(clickHouse(1, 1), { replicas: 3 }, { keeperClusters: [keeper(3, { generation: 9 })] })).toMatchObject(
      {
        decision: "hold",
        reasons: ["keeper-unfinished"],
      },
    );
  });

  it("a Keeper waits for the ClickHouse cluster that is under way, which goes on", () => {
    expect(both(5, keeper(3), clickHouse(3, 1, { generation: 5 }))).toMatchObject([
      { decision: "hold", reasons: ["clickhouse-unfinished"] },
      { decision: "hold", reasons: ["in-progress"] },
    ]);
  });

  it("two clusters with one Keeper: it is planned once, and both wait", () => {
    const clusters = [clickHouse(1, 1), clickHouse(1, 1, { name: "logs" })];
    const entries = planned(
      [entry({ replicas: 2, keeper: wantedKeeper(3) }), entry({ name: "logs", replicas: 2, keeper: wantedKeeper(3) })],
      { keeperClusters: [keeper(1)], clickHouseClusters: clusters },
    );
    expect(entries.map(({ kind, workload, decision }) => [kind, workload, decision])).toEqual([
      ["KeeperCluster", "data/main", "scale-up"],
      ["ClickHouseCluster", "data/events", "hold"],
      ["ClickHouseCluster", "data/logs", "hold"],
    ]);
  });

  it("two entries that want different sizes of one Keeper are refused", () => {
    const [first] = planned(
      [entry({ replicas: 1, keeper: wantedKeeper(3) }), entry({ name: "logs", keeper: wantedKeeper(5) })],
      { keeperClusters: [keeper(1)], clickHouseClusters: [clickHouse(1, 1), clickHouse(1, 1, { name: "logs" })] },
    );
    expect(first).toMatchObject({ decision: "refuse", reasons: ["keeper-conflict"], target: { replicas: 1 } });
  });

  it.each<[string, ClickHouseCluster, object, string]>([
    ["that does not exist", clickHouse(1, 1, { keeper: { namespace: "data", name: "gone" } }), {}, "keeper-missing"],
    ["that it does not name", clickHouse(1, 1, { keeper: null }), {}, "keeper-missing"],
    [
      "other than the policy names",
      clickHouse(1, 1),
      { keeper: wantedKeeper(3, { name: "other" }) },
      "keeper-mismatch",
    ],
  ])("one with a Keeper %s is refused", (_what, cluster, more, reason) => {
    const last = planned([entry({ replicas: 3, ...more })], { ...whole, clickHouseClusters: [cluster] }).at(-1);
    expect(last).toMatchObject({ decision: "refuse", reasons: [reason] });
  });
});

describe("replicas that follow the workers", () => {
  const follow = { replicas: "follow" as const, max: 6 };

  it.each([
    [3, 4, 6, 4],
    [3, 9, 6, 6],
    [1, 2, 6, 2],
    [4, 3, 6, 3],
  ])("%i replicas on %i workers, max %i: %i", (current, workers, max, wanted) => {
    const { target } = planOf(clickHouse(current, 1), { ...follow, max }, { nodes: nodes(workers) });
    expect(target).toEqual({ replicas: wanted, shards: 1 });
  });

  it("say which workers", () => {
    expect(planOf(clickHouse(3, 1), follow, { nodes: nodes(4) }).message).toContain(
      "raising from 3 replicas of 1 shard to 4 replicas of 1 shard: 4 workers can take its pods (w-1, w-2, w-3, w-4)",
    );
  });

  it.each([
    ["cordoned", node("w-4", { unschedulable: true })],
    ["lost", lostNodes(1)[0]],
    ["leaving", node("w-4", { deleting: true })],
  ])("neither grow onto a node that is %s nor shrink for it", (state, extra) => {
    const some = { nodes: [...nodes(3), extra] };
    expect(planOf(clickHouse(4, 1), follow, some)).toMatchObject({
      decision: "hold",
      target: { replicas: 4 },
      reasons: [state],
    });
    expect(planOf(clickHouse(3, 1), follow, some)).toMatchObject({ decision: "keep", target: { replicas: 3 } });
  });

  it("shrink only while every replica is ready", () => {
    expect(planOf(clickHouse(4, 1, { status: { readyReplicas: 3 } }), follow, { nodes: nodes(3) })).toMatchObject({
      decision: "hold",
      reasons: ["in-progress"],
      target: { replicas: 4 },
    });
  });

  it("stay where they are without a worker", () => {
    expect(planOf(clickHouse(3, 1), follow, { nodes: [] })).toMatchObject({
      decision: "hold",
      reasons: ["no-ready-worker"],
    });
  });

  it("count only nodes that the resource lets its pods use", () => {
    const template = { ...clickHouse(1, 1).template, nodeSelector: { pool: "db" } };
    const some = { nodes: [...nodes(3), ...nodes(2, { labels: { pool: "db" } }, "db")] };
    expect(planOf(clickHouse(1, 1, { template }), follow, some).target).toEqual({ replicas: 2, shards: 1 });
  });

  it("of several shards that the operator keeps apart share the nodes", () => {
    const apart = clickHouse(1, 2, { hostnameKey: "kubernetes.io/hostname" });
    expect(planOf(apart, follow, { nodes: nodes(5) }).target).toEqual({ replicas: 2, shards: 2 });
    expect(planOf(clickHouse(1, 2), follow, { nodes: nodes(5) }).target).toEqual({ replicas: 5, shards: 2 });
  });

  it("never share a node within a shard, even where only one has room", () => {
    const big = pod("other", "big", "w-2", { claims: requesting({ memory: 16 * GIB }) });
    const own = pod("x", "events-0", "w-1", {
      namespace: "data",
      labels: { app: "events-clickhouse", "clickhouse.com/shard-id": "0" },
    });
    const template = { ...clickHouse(1, 1).template, claims: requesting({ memory: GIB }) };
    const some = { nodes: nodes(2), pods: [big, own] };
    expect(planOf(clickHouse(1, 1, { template }), follow, some)).toMatchObject({
      decision: "hold",
      target: { replicas: 1, shards: 1 },
      reasons: ["capacity"],
    });
    expect(planOf(clickHouse(1, 1, { template }), { ...follow, sharedNodes: true }, some).target?.replicas).toBe(2);
  });
});

it("an explicit number that the nodes have no room for is not begun", () => {
  const template = { ...clickHouse(1, 1).template, claims: requesting({ memory: 10 * GIB }) };
  const pods = [pod("other", "big", "w-1", { claims: requesting({ memory: 10 * GIB }) })];
  expect(planOf(clickHouse(1, 1, { template }), { replicas: 3 }, { nodes: nodes(2), pods })).toMatchObject({
    decision: "hold",
    reasons: ["capacity"],
    action: null,
  });
});

it("one that is not there is missing, and its Keeper, which it alone names, is not guessed", () => {
  expect(planned([entry({ replicas: 3, keeper: wantedKeeper(3) })], whole)).toMatchObject([
    { workload: "data/events", decision: "missing", current: null, target: null, action: null },
  ]);
});

describe("on any status", () => {
  const some = <T>(...values: T[]) => fc.constantFrom(...values);
  const conditions = fc.array(
    fc.record({
      type: some("Ready", "ScaleAllowed", "ClusterSizeAligned", "SchemaInSync", "SpecValid", ""),
      status: some("True", "False", "Unknown", ""),
      reason: some("ReadyToScale", "NoQuorum", "UpToDate", "AllShardsReady", "ReplicasInSync", "__proto__", ""),
      message: some("", "a message"),
      observedGeneration: some<number | null>(null, 3, 4, 5),
      since: some<string | null>(null, "2026-01-15T12:00:00Z"),
    } satisfies { [Key in keyof Condition]: unknown }),
    { maxLength: 6 },
  ) as fc.Arbitrary<Condition[]>;
  const status: fc.Arbitrary<Partial<OperatorStatus>> = fc.record(
    {
      observedGeneration: some<number | null>(null, 3, 4),
      currentRevision: some("", "a", "b"),
      readyReplicas: fc.nat(6),
      conditions,
    },
    { requiredKeys: [] },
  );
  const size = fc.nat(5);
  const wanted = fc.constantFrom<number | "follow">(1, 3, 5, "follow");

  it("there is a plan: never 0, one step at a time, and no write on a Keeper that is not whole", () => {
    fc.assert(
      fc.property(
        status,
        status,
        fc.tuple(size, size, size),
        wanted,
        wanted,
        fc.nat(5),
        (a, b, [members, replicas, shards], k, r, workers) => {
          const entries = planned([entry({ replicas: r, keeper: wantedKeeper(k) })], {
            nodes: nodes(workers),
            keeperClusters: [keeper(members, { status: a })],
            clickHouseClusters: [clickHouse(replicas, shards, { status: b })],
          });
          expect(entries).toHaveLength(2);
          expect(
            entries.filter(({ decision }) => decision === "scale-up" || decision === "scale-down").length,
          ).toBeLessThan(2);
          for (const { kind, decision, current, target, action } of entries) {
            if (action === null) continue;
            expect(action.spec.replicas).toBeGreaterThan(0);
            expect(action.spec.replicas).toBe(target?.replicas);
            if (kind !== "KeeperCluster" || decision === "keep") continue;
            expect(a.readyReplicas ?? members).toBe(members);
            expect(a.observedGeneration ?? 4).toBe(4);
            expect((action.spec.replicas ?? 0) % 2).toBe(1);
            expect(Math.abs((target?.replicas ?? 0) - (current?.replicas ?? 0))).toBeLessThanOrEqual(2);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
