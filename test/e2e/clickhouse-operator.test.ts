/**
 * The bench's own ClickHouse operator: what the tests of the product take for granted. Each fact is one of
 * ClickHouse/clickhouse-operator; where it comes from is said in bench/clickhouse.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from "vitest";
import {
  clickHouseRef,
  clusterObject,
  conditionOf,
  createCluster,
  keeperRef,
  memberNames,
  patchCluster,
  readCluster,
  waitForReason,
  waitUntilDone,
} from "../../bench/clickhouse/clusters.ts";
import { type SimulatedOperator, startOperator } from "../../bench/clickhouse/operator.ts";
import type { Cluster } from "../../bench/cluster/cluster.ts";
import { waitFor } from "../../bench/cluster/wait.ts";
import { startWithThreeWorkers } from "./support/cluster.ts";

let cluster: Cluster;
let operator: SimulatedOperator;

const keeper = keeperRef("keeper");
const events = clickHouseRef("events");

beforeAll(async () => {
  cluster = await startWithThreeWorkers();
  // Slow enough that a busy machine sees each stage.
  operator = await startOperator(cluster, { delays: { join: 400, leave: 500 } });
});

afterEach(() => operator.heal());

afterAll(async () => {
  await operator?.stop();
  await cluster?.stop();
});

describe("the definitions", () => {
  it("are served with a status and without a scale subresource", async () => {
    const { resources } = await cluster.api.get<{ resources: { name: string }[] }>("/apis/clickhouse.com/v1alpha1");
    expect(resources.map(({ name }) => name).sort()).toEqual([
      "clickhouseclusters",
      "clickhouseclusters/status",
      "keeperclusters",
      "keeperclusters/status",
    ]);
  });

  const dryRun = "/apis/clickhouse.com/v1alpha1/namespaces/default";
  const send = (plural: string, object: object) => cluster.api.post(`${dryRun}/${plural}?dryRun=All`, object);

  it("fill in the operator's defaults", async () => {
    const bare = await send("keeperclusters", clusterObject(keeperRef("bare", "default"), {}));
    expect(bare.spec).toEqual({ replicas: 3 });
    const spec = { keeperClusterRef: { name: "keeper" } };
    const { spec: filled } = await send("clickhouseclusters", clusterObject(clickHouseRef("bare", "default"), spec));
    expect(filled).toEqual({ ...spec, replicas: 3, shards: 1, settings: { enableDatabaseSync: true } });
  });

  test.for([
    [2, "2"],
    [4, "4"],
    [17, "17"],
  ] as const)("refuse a Keeper of %i", async ([replicas, value]) => {
    await expect(send("keeperclusters", clusterObject(keeperRef("even", "default"), { replicas }))).rejects.toThrow(
      `KeeperCluster.clickhouse.com "even" is invalid: spec.replicas: Unsupported value: ${value}: supported values: "0", "1", "3", "5", "7", "9", "11", "13", "15"`,
    );
  });

  it("refuse a ClickHouseCluster without a Keeper", async () => {
    await expect(send("clickhouseclusters", clusterObject(clickHouseRef("bare", "default"), {}))).rejects.toThrow(
      "spec.keeperClusterRef: Required value",
    );
  });
});

describe("a Keeper", () => {
  it("comes up, and its status has no replicas", async () => {
    const { status } = await createCluster(cluster.api, keeper, { replicas: 1 });
    expect(Object.keys(status ?? {}).sort()).toEqual([
      "conditions",
      "configurationRevision",
      "currentRevision",
      "observedGeneration",
      "readyReplicas",
      "statefulSetRevision",
      "updateRevision",
      "version",
    ]);
    expect(await reasons("KeeperCluster")).toEqual({
      ClusterSizeAligned: "UpToDate",
      ConfigurationInSync: "UpToDate",
      Healthy: "ReplicasReady",
      Ready: "StandaloneReady",
      ReconcileSucceeded: "ReconcileFinished",
      ReplicaStartupSucceeded: "ReplicasRunning",
      ScaleAllowed: "ReadyToScale",
      SpecValid: "SpecValid",
      VersionInSync: "VersionMatch",
      VersionUpgraded: "MinorUpdateAvailable",
    });
    expect(status?.conditions.filter((each) => each.status !== "True").map(({ type }) => type)).toEqual([
      "VersionUpgraded",
    ]);
    expect(await memberNames(cluster.api, keeper)).toEqual(["keeper-keeper-0"]);
  });

  it("keeps its old status for a while after a patch, all True", async () => {
    const before = await readCluster(cluster.api, keeper);
    const patched = await patchCluster(cluster.api, keeper, { replicas: 3 });
    expect(patched.metadata.generation).toBe(before.metadata.generation + 1);
    expect(patched.status).toEqual(before.status);
    await waitUntilDone(cluster.api, keeper);
  });

  it("grows member by member, each after the one before has joined", async () => {
    await patchCluster(cluster.api, keeper, { replicas: 5 });
    const size = await waitForReason(cluster.api, keeper, "ClusterSizeAligned", "ScalingUp");
    expect([size.status, size.message]).toEqual(["False", "Cluster has less replicas than requested"]);
    const done = await waitUntilDone(cluster.api, keeper);
    expect(done.status?.readyReplicas).toBe(5);
    expect(walk(done.metadata.generation)).toEqual([
      "spec",
      "created keeper-keeper-3",
      "joined keeper-keeper-3",
      "created keeper-keeper-4",
      "joined keeper-keeper-4",
      "done",
    ]);
  });

  it("shrinks from its highest number, and waits until each has left", async () => {
    await patchCluster(cluster.api, keeper, { replicas: 3 });
    const { message } = await waitForReason(cluster.api, keeper, "ScaleAllowed", "WaitingFollowers");
    expect(message).toMatch(
      /^Leader has more followers than expected: \d\/\d\. Obsolete replica has not left the quorum yet$/,
    );
    const { metadata } = await waitUntilDone(cluster.api, keeper);
    expect(walk(metadata.generation)).toEqual(["spec", "removed keeper-keeper-4", "removed keeper-keeper-3", "done"]);
    expect(await memberNames(cluster.api, keeper)).toEqual(["keeper-keeper-0", "keeper-keeper-1", "keeper-keeper-2"]);
  });

  it("has a budget that leaves a quorum", async () => {
    const budget = await cluster.api.get("/apis/policy/v1/namespaces/dev/poddisruptionbudgets/keeper-keeper");
    expect(budget.spec).toEqual({ maxUnavailable: 1, selector: { matchLabels: { app: "keeper-keeper" } } });
  });

  test.for([
    [
      "follower-lag",
      "WaitingFollowers",
      "Leader has less followers than expected: 1/2. Some replicas unavailable or not joined the quorum yet",
      { Ready: "ClusterReady", Healthy: "ReplicasReady" },
      3,
    ],
    ["lost-quorum", "NoQuorum", "No leader in the cluster", { Ready: "NoLeader", Healthy: "ReplicasNotReady" }, 0],
    [
      "replica-not-ready",
      "ReplicaNotReady",
      "Waiting for 2/3 to be Ready",
      { Ready: "ClusterReady", Healthy: "ReplicasNotReady" },
      2,
    ],
    [
      "pending-changes",
      "ReplicaHasPendingChanges",
      "Waiting for 2/3 to be updated",
      { Ready: "ClusterReady", ConfigurationInSync: "ConfigurationChanged" },
      3,
    ],
  ] as const)("%s shows as %s, holds every member, and heals", async ([type, reason, message, others, ready]) => {
    operator.inject({ type, on: keeper });
    const blocked = await waitForReason(cluster.api, keeper, "ScaleAllowed", reason);
    expect([blocked.status, blocked.message]).toEqual(["False", message]);
    expect(await reasons("KeeperCluster")).toMatchObject({ ...others, ClusterSizeAligned: "UpToDate" });
    expect((await readCluster(cluster.api, keeper)).status?.readyReplicas).toBe(ready);

    await patchCluster(cluster.api, keeper, { replicas: 5 });
    await waitForReason(cluster.api, keeper, "ScaleAllowed", reason);
    await waitForReason(cluster.api, keeper, "ClusterSizeAligned", "ScalingUp");
    expect(await memberNames(cluster.api, keeper)).toHaveLength(3);
    await patchCluster(cluster.api, keeper, { replicas: 3 });
    await waitForReason(cluster.api, keeper, "ClusterSizeAligned", "UpToDate");

    operator.heal({ type, on: keeper });
    await waitUntilDone(cluster.api, keeper);
  });

  it("stale-status: nothing of the status changes after a patch", async () => {
    operator.inject({ type: "stale-status", on: keeper });
    const before = await readCluster(cluster.api, keeper);
    const { generation } = (await patchCluster(cluster.api, keeper, { replicas: 5 })).metadata;
    await waitFor(() => walk(generation).length > 0, { what: "the operator to see the patch" });
    expect((await readCluster(cluster.api, keeper)).status).toEqual(before.status);
    await patchCluster(cluster.api, keeper, { replicas: 3 });
    operator.heal();
    await waitUntilDone(cluster.api, keeper);
  });

  it("stale-conditions: the generation is observed, and every condition is that of the one before", async () => {
    operator.inject({ type: "stale-conditions", on: keeper });
    const before = await readCluster(cluster.api, keeper);
    const { generation } = (await patchCluster(cluster.api, keeper, { replicas: 5 })).metadata;
    const { status } = await waitFor(
      async () => {
        const now = await readCluster(cluster.api, keeper);
        return now.status?.observedGeneration === generation ? now : undefined;
      },
      { what: "the generation to be observed" },
    );
    expect(status?.conditions).toEqual(before.status?.conditions);
    expect(status?.currentRevision).toBe(before.status?.currentRevision);
    expect(status?.updateRevision).not.toBe(before.status?.updateRevision);
    await patchCluster(cluster.api, keeper, { replicas: 3 });
    operator.heal();
    await waitUntilDone(cluster.api, keeper);
  });
});

describe("a ClickHouseCluster", () => {
  it("has a StatefulSet for each replica of each shard, and a budget for each shard", async () => {
    const spec = { shards: 2, replicas: 2, keeperClusterRef: { name: "keeper" } };
    const { status } = await createCluster(cluster.api, events, spec);
    expect(await memberNames(cluster.api, events)).toEqual([
      "events-clickhouse-0-0",
      "events-clickhouse-0-1",
      "events-clickhouse-1-0",
      "events-clickhouse-1-1",
    ]);
    expect(status?.readyReplicas).toBe(4);
    expect(await reasons("ClickHouseCluster")).toMatchObject({
      ClusterSizeAligned: "UpToDate",
      Ready: "AllShardsReady",
      SchemaInSync: "ReplicasInSync",
      VersionUpgraded: "MinorUpdateAvailable",
    });
    const budgets = await cluster.api.list("/apis/policy/v1/namespaces/dev/poddisruptionbudgets");
    expect(budgets.map(({ metadata, spec: { minAvailable } }) => [metadata.name, minAvailable])).toEqual([
      ["events-clickhouse-0", 1],
      ["events-clickhouse-1", 1],
      ["keeper-keeper", undefined],
    ]);
  });

  it("grows by a replica in each shard; their databases come last", async () => {
    operator.inject({ type: "databases-not-created", on: events });
    await patchCluster(cluster.api, events, { replicas: 3 });
    await waitForReason(cluster.api, events, "Healthy", "ReplicasReady");
    await waitForReason(cluster.api, events, "SchemaInSync", "DatabasesNotCreated");
    expect((await readCluster(cluster.api, events)).status?.readyReplicas).toBe(6);
    operator.heal();
    await waitUntilDone(cluster.api, events);
  });

  it("cleanup-hangs: after fewer replicas everything is aligned but the schema", async () => {
    operator.inject({ type: "cleanup-hangs", on: events });
    await patchCluster(cluster.api, events, { replicas: 2 });
    const { message } = await waitForReason(cluster.api, events, "SchemaInSync", "ReplicasNotCleanedUp");
    expect(message).toBe("Some stale replicas are not cleaned up");
    await waitForReason(cluster.api, events, "ClusterSizeAligned", "UpToDate");
    expect(await memberNames(cluster.api, events)).toHaveLength(4);
    operator.heal();
    await waitUntilDone(cluster.api, events);
  });

  it("replica-not-ready: one answers not, and its shard is ready all the same", async () => {
    operator.inject({ type: "replica-not-ready", on: events });
    const { message } = await waitForReason(cluster.api, events, "Healthy", "ReplicasNotReady");
    expect(message).toBe("Not ready replicas: [(1:1)]");
    const { status } = await readCluster(cluster.api, events);
    expect(status?.readyReplicas).toBe(3);
    expect(await reasons("ClickHouseCluster")).toMatchObject({ Ready: "AllShardsReady" });
    operator.heal();
    await waitUntilDone(cluster.api, events);
  });

  it("shard-0-stuck: new shards come, and the old one keeps its revision until its StatefulSets are deleted", async () => {
    operator.inject({ type: "shard-0-stuck", on: events });
    await patchCluster(cluster.api, events, { shards: 3 });
    await waitForReason(cluster.api, events, "ClusterSizeAligned", "UpToDate");
    const stuck = await waitFor(
      async () => {
        const now = await readCluster(cluster.api, events);
        const pending = conditionOf(now, "ConfigurationInSync")?.message;
        return pending === "Replicas has pending updates: [(0:0) (0:1)]" ? now : undefined;
      },
      { what: "only shard 0 to be old" },
    );
    expect(stuck.status?.readyReplicas).toBe(6);
    expect(stuck.status?.currentRevision).not.toBe(stuck.status?.updateRevision);
    expect(await published("FailedUpdate")).toMatch(/^Update StatefulSet events-clickhouse-0-0 failed: .*Forbidden/);

    const sets = "/apis/apps/v1/namespaces/dev/statefulsets";
    for (const name of ["events-clickhouse-0-0", "events-clickhouse-0-1"]) await cluster.api.delete(`${sets}/${name}`);
    await waitUntilDone(cluster.api, events);
  });

  it("shard-0-stuck-silently: only the annotations of its StatefulSets tell", async () => {
    operator.inject({ type: "shard-0-stuck-silently", on: events });
    await patchCluster(cluster.api, events, { shards: 4, replicas: 1 });
    const { metadata, status } = await waitUntilDone(cluster.api, events);
    const sets = await cluster.api.list(
      "/apis/apps/v1/namespaces/dev/statefulsets?labelSelector=app%3Devents-clickhouse",
    );
    const old = sets.filter(
      (each) => each.metadata.annotations?.["checksum/configuration"] !== status?.configurationRevision,
    );
    expect(old.map((each) => each.metadata.name)).toEqual(["events-clickhouse-0-0"]);
    operator.heal();
    const updated = () => walk(metadata.generation, events).at(-1) === "updated events-clickhouse-0-0";
    await waitFor(updated, { what: "shard 0 to be updated" });
  });

  it("says so where the schema is nobody's business", async () => {
    await patchCluster(cluster.api, events, { shards: 1, settings: { enableDatabaseSync: false } });
    const done = await waitUntilDone(cluster.api, events);
    expect(conditionOf(done, "SchemaInSync")).toMatchObject({ status: "True", reason: "SchemaSyncDisabled" });
  });

  it("restarts its pods when its Keeper has another size, and is not ready meanwhile", async () => {
    const pod = async () =>
      (await cluster.api.find("/api/v1/namespaces/dev/pods/events-clickhouse-0-0-0"))?.metadata.uid;
    const before = await pod();
    await patchCluster(cluster.api, keeper, { replicas: 1 });
    await waitForReason(cluster.api, events, "Ready", "SomeShardsNotReady");
    await waitUntilDone(cluster.api, events);
    expect(await pod()).not.toBe(before);
    await waitUntilDone(cluster.api, keeper);
  });

  it("is unknown in everything while its Keeper is missing", async () => {
    const lost = clickHouseRef("lost");
    await cluster.api.create(clusterObject(lost, { keeperClusterRef: { name: "nobody" } }));
    await waitForReason(cluster.api, lost, "ReconcileSucceeded", "ReconcileStepFailed");
    expect(conditionOf(await readCluster(cluster.api, lost), "Ready")?.status).toBe("Unknown");
    expect(await memberNames(cluster.api, lost)).toEqual([]);
  });
});

it("the journal tells whether a change came while the one before was under way", async () => {
  await patchCluster(cluster.api, keeper, { replicas: 3 });
  await waitForReason(cluster.api, keeper, "ClusterSizeAligned", "ScalingUp");
  const { metadata } = await patchCluster(cluster.api, keeper, { replicas: 5 });
  await waitUntilDone(cluster.api, keeper);
  const [early, orderly] = [metadata.generation, metadata.generation - 1].map((generation) =>
    operator.journal.find(
      (entry) => entry.event === "spec" && entry.on.name === "keeper" && entry.generation === generation,
    ),
  );
  expect(orderly).toMatchObject({ replicas: 3, settled: true, reasons: { ScaleAllowed: "ReadyToScale" } });
  expect(early).toMatchObject({ replicas: 5, settled: false, reasons: { ClusterSizeAligned: "ScalingUp" } });
});

it("an operator that starts again finds its members as they are", async () => {
  await operator.stop();
  const before = await readCluster(cluster.api, keeper);
  operator = await startOperator(cluster);
  await waitFor(() => operator.journal.some(({ event, on }) => event === "done" && on.name === "keeper"), {
    what: "the new operator to look",
  });
  expect((await readCluster(cluster.api, keeper)).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  expect(operator.journal.filter(({ member }) => member !== undefined)).toEqual([]);
});

/** The reasons of all conditions, by type. */
async function reasons(kind: "KeeperCluster" | "ClickHouseCluster"): Promise<Record<string, string>> {
  const { status } = await readCluster(cluster.api, kind === "KeeperCluster" ? keeper : events);
  return Object.fromEntries(status?.conditions.map(({ type, reason }) => [type, reason]) ?? []);
}

/** What the journal says of one generation of a cluster. */
function walk(generation: number, { kind } = keeper): string[] {
  return operator.journal
    .filter((entry) => entry.generation === generation && entry.on.kind === kind)
    .map(({ event, member }) => (member ? `${event} ${member}` : event));
}

/** The last event with that reason. */
async function published(reason: string): Promise<string | undefined> {
  const items = await cluster.api.list("/api/v1/namespaces/dev/events");
  return items.findLast((item) => item.reason === reason)?.message;
}
