import { describe, expect, it } from "vitest";
import { unfinishedOfClickHouse, unfinishedOfKeeper } from "../../src/plan/clickhouse-done.ts";
import { diagnosis, progressText, remedyOf, staleText } from "../../src/report/cluster-progress.ts";
import { clickHouseWith, condition, keeper, keeperWith } from "../plan/clickhouse-builders.ts";

describe("progress", () => {
  it.each([
    [
      keeperWith(5, condition("ScaleAllowed", { status: "False", reason: "WaitingFollowers" })),
      "member 5 of 5 joined; ScaleAllowed: WaitingFollowers",
    ],
    [keeper(5, { status: { readyReplicas: 4 } }), "member 4 of 5 joined; not all are ready"],
    [keeper(5, { generation: 9 }), "member 5 of 5 joined; the operator has yet to look at the change"],
    [keeper(5, { status: { updateRevision: "b" } }), "member 5 of 5 joined; the change is not everywhere yet"],
    [keeper(5), "member 5 of 5 joined; finished"],
    [keeper(1, { status: { conditions: [] } }), "member 1 of 1 joined; ScaleAllowed: not reported"],
  ])("of a Keeper: %#", (cluster, text) => {
    expect(progressText(cluster, unfinishedOfKeeper(cluster))).toBe(text);
  });

  it("of a Keeper says what keeps it from growing, not only that it grows", () => {
    const cluster = keeperWith(
      5,
      condition("ClusterSizeAligned", { status: "False", reason: "ScalingUp" }),
      condition("ScaleAllowed", { status: "False", reason: "WaitingFollowers" }),
    );
    const unfinished = unfinishedOfKeeper({ ...cluster, status: { ...cluster.status, updateRevision: "b" } });
    expect(progressText(cluster, unfinished)).toBe("member 5 of 5 joined; ScaleAllowed: WaitingFollowers");
    expect(remedyOf(unfinished)).toMatch(/^a member can't reach the leader/);
  });

  it("of ClickHouse counts the replicas of all shards", () => {
    const cluster = clickHouseWith(2, 3, condition("SchemaInSync", { status: "False", reason: "DatabasesNotCreated" }));
    expect(progressText(cluster, unfinishedOfClickHouse(cluster))).toBe(
      "replica 6 of 6 ready; SchemaInSync: DatabasesNotCreated",
    );
  });
});

describe("what usually helps", () => {
  const ofKeeper = (cluster: ReturnType<typeof keeper>) => remedyOf(unfinishedOfKeeper(cluster));

  it.each([
    [
      "an operator that does not look",
      ofKeeper(keeper(3, { generation: 9 })),
      "the operator does not look at the resource",
    ],
    [
      "a lost quorum",
      ofKeeper(keeperWith(3, condition("ScaleAllowed", { status: "False", reason: "NoQuorum" }))),
      "bring members back",
    ],
    [
      "a spec that does not arrive",
      ofKeeper(keeper(3, { status: { updateRevision: "b" } })),
      "a StatefulSet stays on its old spec",
    ],
    ["anything else", ofKeeper(keeper(3, { status: { readyReplicas: 2 } })), "look at the pods that are not ready"],
  ])("with %s", (_what, remedy, text) => {
    expect(remedy).toContain(text);
  });
});

it("a diagnosis has conditions, pods, events, what could not be read, and the remedy", () => {
  const cluster = clickHouseWith(
    2,
    1,
    condition("SchemaInSync", {
      status: "False",
      reason: "ReplicasNotCleanedUp",
      message: "Some stale replicas\nare not cleaned up",
    }),
    condition("Ready", { reason: "AllShardsReady", observedGeneration: 3 }),
  );
  expect(
    diagnosis(cluster, unfinishedOfClickHouse(cluster), {
      pods: [
        { name: "events-clickhouse-0-0-0", phase: "Running", ready: true, node: "w-1" },
        { name: "events-clickhouse-0-1-0", phase: "Pending", ready: false, node: "" },
      ],
      problems: [{ source: "scheduler", pods: 1, text: "0/1 nodes are available" }],
      events: [{ type: "Warning", reason: "ClusterNotReady", message: "Not Ready shards: [0]" }],
      unread: ["events: forbidden"],
    }),
  ).toBe(
    [
      "  conditions:",
      "    ClusterSizeAligned=True UpToDate",
      "    Ready=True AllShardsReady (of an earlier generation)",
      "    SchemaInSync=False ReplicasNotCleanedUp: Some stale replicas are not cleaned up",
      "  pods:",
      "    events-clickhouse-0-0-0: Running, ready, on w-1",
      "    events-clickhouse-0-1-0: Pending, not ready, no node",
      "    1 pod can't be scheduled: 0/1 nodes are available. Free or add room for them, or lower this workload's max.",
      "  events:",
      "    Warning ClusterNotReady: Not Ready shards: [0]",
      "  could not be read:",
      "    events: forbidden",
      "  Usually: something of a removed replica stays registered: on a replica that runs, SYSTEM DROP DATABASE REPLICA '<shard>|<replica>' FROM DATABASE <database>.",
    ].join("\n"),
  );
});

it("StatefulSets that stayed behind are named", () => {
  expect(staleText(["events-clickhouse-0-0"])).toMatch(
    /^events-clickhouse-0-0 is not what the status says: a StatefulSet stays/,
  );
});
