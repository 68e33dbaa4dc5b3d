import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Awaited, awaitedIn, Waiting } from "../../src/cli/convergence.ts";
import type { ClusterDetails, ClusterLook } from "../../src/cluster/clickhouse-look.ts";
import type { ClickHouseCluster, KeeperCluster } from "../../src/cluster/snapshot.ts";
import { snapshot } from "../plan/builders.ts";
import {
  clickHouse,
  condition,
  entry,
  keeper,
  keeperEntry,
  keeperWith,
  wantedKeeper,
} from "../plan/clickhouse-builders.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MAIN: Awaited = {
  kind: "KeeperCluster",
  apiVersion: "clickhouse.com/v1alpha1",
  namespace: "data",
  name: "main",
  timeoutSeconds: 30,
};

const DETAILS: ClusterDetails = { pods: [], problems: [], events: [], unread: [] };

/** A cluster that shows one state after the other, the last one for ever. */
function showing(...states: (KeeperCluster | ClickHouseCluster | null)[]): ClusterLook {
  let at = 0;
  return {
    read: async () => states[Math.min(at++, states.length - 1)] ?? null,
    details: async () => DETAILS,
    stale: async () => [],
  };
}

const blocked = (reason: string) => keeperWith(3, condition("ScaleAllowed", { status: "False", reason }));

async function wait(look: ClusterLook, { isCalledOff = (): boolean => false } = {}) {
  const told: string[] = [];
  const waiting = new Waiting((line) => told.push(line)).untilNext([MAIN], look, isCalledOff).then(
    (finished) => finished.map(({ name }) => name),
    (error: Error) => error.message,
  );
  await vi.runAllTimersAsync();
  return { told, end: await waiting };
}

describe("waiting for a cluster", () => {
  it("says each change, with the seconds since its step, and ends with it", async () => {
    const states = [blocked("NoQuorum"), blocked("NoQuorum"), blocked("WaitingFollowers"), keeper(3)];
    expect(await wait(showing(...states))).toEqual({
      told: [
        "KeeperCluster data/main: member 3 of 3 joined; ScaleAllowed: NoQuorum, 0 s",
        "KeeperCluster data/main: member 3 of 3 joined; ScaleAllowed: WaitingFollowers, 2 s",
        "KeeperCluster data/main: member 3 of 3 joined; finished, 3 s",
      ],
      end: ["main"],
    });
  });

  it("says the same again after a while, so that nobody takes it for dead", async () => {
    const { told } = await wait(showing(...Array<KeeperCluster>(20).fill(blocked("NoQuorum")), keeper(3)));
    expect(told.map((line) => line.slice(line.lastIndexOf(",") + 2))).toEqual(["0 s", "15 s", "20 s"]);
  });

  it("tells of a step that was finished before the first look at it", async () => {
    const told: string[] = [];
    const waiting = new Waiting((line) => told.push(line));
    waiting.begin(MAIN);
    const finished = await waiting.untilNext([MAIN], showing(keeper(3)), () => false);
    expect(finished).toEqual([MAIN]);
    expect(told).toEqual(["KeeperCluster data/main: member 3 of 3 joined; finished, 0 s"]);
  });

  it("is no wait where it is finished, or gone", async () => {
    expect(await wait(showing(keeper(3)))).toEqual({ told: [], end: [] });
    expect(await wait(showing(null))).toEqual({ told: [], end: [] });
  });

  it("ends in a diagnosis after its timeout, counted from its last change on", async () => {
    const later = { ...blocked("NoQuorum"), generation: 5 };
    const { end } = await wait(showing(...Array<KeeperCluster>(20).fill(blocked("NoQuorum")), later));
    expect(end).toMatch(
      /^KeeperCluster data\/main has not finished after 30 s \(stepTimeoutSeconds\)\. Nothing was undone and nothing further begun: /,
    );
  });

  it("can be called off", async () => {
    let looks = 0;
    expect((await wait(showing(blocked("NoQuorum")), { isCalledOff: () => looks++ > 3 })).end).toEqual([]);
  });
});

describe("what is waited for", () => {
  const names = (awaited: Awaited[]) => awaited.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`);
  const clusters = {
    keeperClusters: [keeper(3), keeper(1, { name: "other" })],
    clickHouseClusters: [
      clickHouse(1, 1),
      clickHouse(1, 1, { name: "logs" }),
      clickHouse(1, 1, { name: "apart", keeper: { namespace: "data", name: "other" } }),
    ],
  };

  it("is a cluster, its Keeper, and what else uses that", () => {
    expect(names(awaitedIn(snapshot(clusters), [entry({ replicas: 3 })]))).toEqual([
      "KeeperCluster data/main",
      "ClickHouseCluster data/events",
      "ClickHouseCluster data/logs",
    ]);
  });

  it("is a Keeper alone and what uses it", () => {
    expect(names(awaitedIn(snapshot(clusters), [keeperEntry(3, { name: "other" })]))).toEqual([
      "KeeperCluster data/other",
      "ClickHouseCluster data/apart",
    ]);
  });

  it("has the timeout of its entry, and the longest of all where it has none", () => {
    const entries = [
      entry({ replicas: 3, stepTimeoutSeconds: 5, keeper: wantedKeeper(3) }),
      keeperEntry(1, { name: "other" }),
    ];
    expect(awaitedIn(snapshot(clusters), entries).map(({ name, timeoutSeconds }) => [name, timeoutSeconds])).toEqual([
      ["main", 5],
      ["other", 900],
      ["events", 5],
      ["logs", 900],
      ["apart", 900],
    ]);
  });
});
