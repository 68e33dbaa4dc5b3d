import { describe, expect, it } from "vitest";
import type { ClickHousePolicy } from "../../src/config/clickhouse.ts";
import { ConfigError } from "../../src/config/problems.ts";
import { parsePolicy } from "../../src/config/schema.ts";

const events = { namespace: "data", name: "events", replicas: 3 };

function entriesOf(...clickhouse: object[]): ClickHousePolicy[] {
  return parsePolicy({ workloads: [], clickhouse }).clickhouse;
}

function problemsOf(...clickhouse: unknown[]): string[] {
  try {
    parsePolicy({ workloads: [], clickhouse });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const SIZES = "1, 3, 5, 7, 9, 11, 13, 15";

describe("an entry", () => {
  it("has every default", () => {
    expect(entriesOf(events)).toEqual([
      {
        namespace: "data",
        name: "events",
        replicas: 3,
        max: 3,
        min: 1,
        formula: "linear",
        spare: 0,
        shards: null,
        allowShardRemoval: null,
        sharedNodes: false,
        capacity: "enforce",
        gitops: "defer",
        keeper: null,
        stepTimeoutSeconds: 900,
      } satisfies ClickHousePolicy,
    ]);
  });

  it("may follow the workers, as a workload does", () => {
    const [entry] = entriesOf({ ...events, replicas: "follow", max: 6, min: 2, spare: 1, formula: "ha" });
    expect(entry).toMatchObject({ replicas: "follow", max: 6, min: 2, spare: 1, formula: "ha" });
  });

  it("may be for a Keeper alone, or for a ClickHouseCluster and the Keeper that it refers to", () => {
    const keepers = entriesOf(
      { namespace: "data", keeper: { name: "main", replicas: 5 } },
      { ...events, keeper: { replicas: "follow" } },
    ).map(({ name, keeper }) => ({ name, keeper }));
    expect(keepers).toEqual([
      { name: null, keeper: { name: "main", namespace: null, replicas: 5, max: 5 } },
      { name: "events", keeper: { name: null, namespace: null, replicas: "follow", max: 5 } },
    ]);
  });
});

describe("one mistake", () => {
  it.each<[object, string]>([
    [{ ...events, replicas: 0 }, "clickhouse[0].replicas: must be follow or a whole number of at least 1, not 0"],
    [{ ...events, replicas: 1.5 }, "clickhouse[0].replicas: must be follow or a whole number of at least 1, not 1.5"],
    [
      { ...events, replicas: "all" },
      'clickhouse[0].replicas: must be follow or a whole number of at least 1, not "all"',
    ],
    [{ ...events, shards: 0 }, "clickhouse[0].shards: must be a whole number of at least 1, not 0"],
    [
      { ...events, replicas: "follow" },
      "clickhouse[0].max: is missing; must be a whole number of at least 1, since replicas is follow",
    ],
    [{ ...events, replicas: "follow", max: 2, min: 3 }, "clickhouse[0]: min must be at most max, which is 2, not 3"],
    [{ ...events, replicas: 5, max: 4 }, "clickhouse[0].replicas: must be at most max, which is 4, not 5"],
    [{ ...events, spare: 1 }, "clickhouse[0].spare: goes with replicas: follow only"],
    [{ namespace: "data", name: "events" }, "clickhouse[0]: says nothing to scale; give replicas, shards or keeper"],
    [
      { namespace: "data", keeper: { replicas: 3 } },
      "clickhouse[0]: needs name, that of a ClickHouseCluster, or keeper.name for a Keeper alone",
    ],
    [
      { namespace: "data", shards: 2, keeper: { name: "main", replicas: 3 } },
      "clickhouse[0].name: is missing; replicas and shards are those of a ClickHouseCluster",
    ],
    [
      { ...events, allowShardRemoval: 2 },
      "clickhouse[0].allowShardRemoval: goes with shards only, and names the same number",
    ],
    [{ ...events, keeper: { replicas: 3, max: 5 } }, "clickhouse[0].keeper.max: goes with replicas: follow only"],
    [
      { ...events, shard: 2 },
      "clickhouse[0].shard: unknown key (did you mean shards?); allowed: namespace, name, replicas, max, min, formula, spare, shards, allowShardRemoval, sharedNodes, capacity, gitops, keeper, stepTimeoutSeconds",
    ],
  ])("%j", (entry, problem) => {
    expect(problemsOf(entry)).toEqual([problem]);
  });

  it.each([2, 4, 6, 17, "3", 1.5])("a Keeper of %j names the sizes that there are", (replicas) => {
    expect(problemsOf({ ...events, keeper: { replicas } })).toEqual([
      `clickhouse[0].keeper.replicas: must be one of ${SIZES} or follow, not ${JSON.stringify(replicas)}`,
    ]);
  });

  it("a Keeper of 0 has a sentence of its own", () => {
    expect(problemsOf({ ...events, keeper: { replicas: 0 } })).toEqual([
      "clickhouse[0].keeper.replicas: must be at least 1 (without a member there is no Keeper, and every ClickHouse cluster that refers to it turns read-only), not 0",
    ]);
  });

  it("a Keeper's max is one of its sizes too", () => {
    expect(problemsOf({ ...events, keeper: { replicas: "follow", max: 4 } })).toEqual([
      `clickhouse[0].keeper.max: must be one of ${SIZES}, not 4`,
    ]);
  });

  it("a cluster or a Keeper that is listed twice", () => {
    expect(
      problemsOf({ ...events, keeper: { name: "main", replicas: 3 } }, events, {
        namespace: "data",
        keeper: { name: "main", replicas: 5 },
      }),
    ).toEqual([
      "clickhouse[1]: ClickHouseCluster data/events is listed already, as clickhouse[0]; list it once",
      "clickhouse[2].keeper: KeeperCluster data/main is listed already, as clickhouse[0].keeper; list it once",
    ]);
  });
});

it("every mistake is told at once, those of the workloads among them", () => {
  expect(() =>
    parsePolicy({ workloads: [{ namespace: "shop", name: "web" }], clickhouse: [{ ...events, shards: -1 }, 3] }),
  ).toThrow(`The policy: 3 problems
  - clickhouse[0].shards: must be a whole number of at least 1, not -1
  - clickhouse[1]: must be a map with keys of: namespace, name, replicas, max, min, formula, spare, shards, allowShardRemoval, sharedNodes, capacity, gitops, keeper, stepTimeoutSeconds, not 3
  - workloads[0].max: is missing; must be a whole number of at least 1, here or in defaults`);
});
