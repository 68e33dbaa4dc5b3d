/**
 * ClickHouse and Keeper by their custom resources, one safe step at a time: what the API server holds, and what the operator saw.
 */
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  clickHouseRef,
  createCluster,
  keeperRef,
  readCluster,
  waitForReason,
  waitUntilDone,
} from "../../bench/clickhouse/clusters.ts";
import {
  type ClusterRef,
  type FaultType,
  type SimulatedOperator,
  startOperator,
} from "../../bench/clickhouse/operator.ts";
import { auditWrites } from "../../bench/cluster/audit.ts";
import type { Cluster } from "../../bench/cluster/cluster.ts";
import { addNodes, cordon, removeNode, uncordon } from "../../bench/cluster/nodes.ts";
import type { KubeObject } from "../../bench/cluster/objects.ts";
import { restrictedAccess } from "../../bench/cluster/restricted.ts";
import { startCluster } from "../../bench/cluster/start.ts";
import { CliStack } from "./support/cli.ts";
import type { TestStack } from "./support/stack.ts";

let cluster: Cluster;
let operator: SimulatedOperator;
let cli: CliStack;
let stack: TestStack;
/** Names of their own for each test: what another one left is none of its business. */
let keeper: ClusterRef;
let clickHouse: ClusterRef;
let since: Date;

const NAMESPACE = "dev";
let number = 0;

beforeAll(async () => {
  cluster = await startCluster({ audit: true });
  await addNodes(
    cluster,
    ["worker-1", "worker-2", "worker-3", "worker-4", "worker-5"].map((name) => ({ name })),
  );
  operator = await startOperator(cluster);
});

afterAll(async () => {
  await operator?.stop();
  await cluster?.stop();
});

beforeEach(async () => {
  number += 1;
  keeper = keeperRef(`keeper-${number}`);
  clickHouse = clickHouseRef(`events-${number}`);
  cli = await CliStack.create(cluster.kubeconfig, { workloads: [] });
  stack = cli.stack;
  since = new Date();
  return () => cli.remove();
});

afterEach(async () => {
  operator.heal();
  // Their pods would take the room of the tests that follow.
  for (const { kind, name } of [clickHouse, keeper]) {
    await cluster.api.delete(`/apis/clickhouse.com/v1alpha1/namespaces/dev/${kind.toLowerCase()}s/${name}`);
  }
});

/** The policy of the stack: these entries, and nodes that count from their first second on. */
async function want(...clickhouse: object[]): Promise<void> {
  const entries = clickhouse.map((entry) => ({ namespace: NAMESPACE, stepTimeoutSeconds: 60, ...entry }));
  await stack.setConfig({ workloads: [], workers: { minReadySeconds: 0 }, clickhouse: entries });
}

const wantKeeper = (replicas: number | "follow") => want({ keeper: { name: keeper.name, replicas } });

/** Creates a Keeper and a ClickHouse cluster that uses it, both finished. */
async function createBoth(members: number, spec: object): Promise<void> {
  await createCluster(cluster.api, keeper, { replicas: members });
  await createCluster(cluster.api, clickHouse, { keeperClusterRef: { name: keeper.name }, ...spec });
  since = new Date();
}

async function sizeOf(ref: ClusterRef): Promise<number> {
  return (await readCluster(cluster.api, ref)).spec.replicas;
}

/** The specs that the operator saw of a cluster, each with whether the one before was finished then. */
function specsOf({ kind, name }: ClusterRef) {
  return operator.journal.filter(({ event, on }) => event === "spec" && on.kind === kind && on.name === name);
}

/** Writes to the resources of the operator by anyone but it, since the test began to look. */
function writes(): string[] {
  return ["keeperclusters", "clickhouseclusters", "statefulsets"].flatMap((resource) =>
    auditWrites(cluster, { user: "admin", since, resource })
      .filter(({ userAgent = "", objectRef }) => /pulumi/i.test(userAgent) && objectRef?.name !== undefined)
      .map(({ verb, objectRef }) => `${verb} ${resource} ${objectRef?.name}`),
  );
}

async function converge(...args: string[]) {
  return await cli.run(["converge", "--yes", ...args]);
}

/** The same with a fault that begins once a step is written: before, the plan would not be the one that was looked at. */
async function convergeWith(on: ClusterRef, step: string, type: FaultType, onLine: (line: string) => void = () => {}) {
  const absent = { type: "stale-status" as const, on };
  return await cli.run(["converge", "--yes"], {
    onLine: (line) => {
      if (line.endsWith(`: ${step}: patching`)) operator.inject(absent);
      if (line.endsWith(`: ${step}: patched`)) {
        operator.inject({ type, on });
        operator.heal(absent);
      }
      onLine(line);
    },
  });
}

describe("up", () => {
  it("takes one step a run, says which follow, and a run without one is silent", async () => {
    await createCluster(cluster.api, keeper, { replicas: 1 });
    await wantKeeper(5);

    const preview = await stack.preview();
    expect(preview.code, preview.output).toBe(0);
    expect(preview.steps).toEqual({ [`KeeperCluster dev/${keeper.name}`]: "create" });
    expect(preview.output).toContain("1 → 3, then 5");
    expect(await sizeOf(keeper)).toBe(1);

    for (const size of [3, 5]) {
      const up = await stack.up();
      expect(up.code, up.output).toBe(0);
      expect(await sizeOf(keeper)).toBe(size);
      await waitUntilDone(cluster.api, keeper);
    }
    const { metadata } = await readCluster(cluster.api, keeper);
    const silent = await stack.up();
    expect(silent.code, silent.output).toBe(0);
    expect(silent.steps).toEqual({ [`KeeperCluster dev/${keeper.name}`]: "same" });
    expect((await readCluster(cluster.api, keeper)).metadata.generation).toBe(metadata.generation);
    expect(specsOf(keeper).map(({ replicas }) => replicas)).toEqual([1, 3, 5]);
  });

  it("patches the custom resource and nothing below it", async () => {
    await createBoth(1, { replicas: 1, shards: 1 });
    await want({ name: clickHouse.name, replicas: 2, keeper: { replicas: 1 } });
    expect((await stack.up()).code).toBe(0);
    expect(writes().sort()).toEqual([
      `patch clickhouseclusters ${clickHouse.name}`,
      `patch keeperclusters ${keeper.name}`,
    ]);
    const { metadata } = await readCluster(cluster.api, clickHouse);
    const ours = metadata.managedFields?.filter(({ manager }: { manager: string }) => manager === "cluster-scale");
    expect(ours).toMatchObject([{ operation: "Apply", fieldsV1: { "f:spec": { "f:replicas": {} } } }]);
  });

  it.each<[FaultType, string, string]>([
    ["follower-lag", "WaitingFollowers", "waiting-followers"],
    ["lost-quorum", "NoQuorum", "no-quorum"],
    ["replica-not-ready", "ReplicaNotReady", "replica-not-ready"],
    ["pending-changes", "ReplicaHasPendingChanges", "replica-has-pending-changes"],
  ])("with %s of a Keeper (%s) writes nothing", async (type, reason, code) => {
    await createCluster(cluster.api, keeper, { replicas: 3 });
    await wantKeeper(5);
    operator.inject({ type, on: keeper });
    await waitForReason(cluster.api, keeper, "ScaleAllowed", reason);

    const planned = await cli.run(["plan", "--output", "json", "--no-preview"]);
    expect(JSON.parse(planned.stdout).clickhouse).toMatchObject([
      { decision: "hold", reasons: [code], next: [{ replicas: 5 }] },
    ]);
    const up = await stack.up();
    expect(up.code, up.output).toBe(0);
    expect(await sizeOf(keeper)).toBe(3);
    expect(writes()).toEqual([]);
  });

  it.each<FaultType>(["stale-status", "stale-conditions"])(
    "right after a patch takes no %s of before for done",
    async (type) => {
      await createCluster(cluster.api, keeper, { replicas: 1 });
      await wantKeeper(5);
      operator.inject({ type, on: keeper });
      for (let run = 0; run < 3; run++) {
        const up = await stack.up();
        expect(up.code, up.output).toBe(0);
        expect(await sizeOf(keeper)).toBe(3);
      }
    },
  );

  it("a Keeper of 4 is refused with the sizes that there are, before anything is read", async () => {
    await createCluster(cluster.api, keeper, { replicas: 3 });
    await wantKeeper(4);
    const up = await stack.up();
    expect(up.code).not.toBe(0);
    expect(up.output).toContain(
      "clickhouse[0].keeper.replicas: must be one of 1, 3, 5, 7, 9, 11, 13, 15 or follow, not 4",
    );
    expect(await sizeOf(keeper)).toBe(3);
  });

  it("fewer shards are refused, also once the shards are in a patch of ours and the policy forgets them", async () => {
    await createBoth(1, { replicas: 1, shards: 3 });
    await want({ name: clickHouse.name, shards: 3 });
    expect((await stack.up()).code).toBe(0);
    await want({ name: clickHouse.name, shards: 2 });
    const refused = await stack.up();
    expect(refused.code, refused.output).toBe(0);
    expect(refused.output).toMatch(/the data of the shards that go would be\s+lost/);
    expect((await readCluster(cluster.api, clickHouse)).spec.shards).toBe(3);
    await want({ name: clickHouse.name, replicas: 1 });
    expect((await stack.up()).code).toBe(0);
    expect((await readCluster(cluster.api, clickHouse)).spec.shards).toBe(3);
  });

  it("destroy, and leaving the policy, change nothing", async () => {
    await createBoth(3, { replicas: 2, shards: 2 });
    await want({ name: clickHouse.name, replicas: 2, shards: 2, keeper: { replicas: 3 } });
    expect((await stack.up()).code).toBe(0);
    const specs = async () => [
      (await readCluster(cluster.api, keeper)).spec,
      (await readCluster(cluster.api, clickHouse)).spec,
    ];
    const before = await specs();
    await want();
    const left = await stack.up();
    expect(left.code, left.output).toBe(0);
    expect(await specs()).toEqual(before);

    await want({ name: clickHouse.name, replicas: 2, shards: 2, keeper: { replicas: 3 } });
    expect((await stack.up()).code).toBe(0);
    expect((await stack.destroy()).code).toBe(0);
    expect(await specs()).toEqual(before);
  });

  it("what is not there gets no stub", async () => {
    await createCluster(cluster.api, keeper, { replicas: 1 });
    await want({ name: "nobody", replicas: 3 }, { keeper: { name: "nothing", replicas: 3 } });
    const up = await stack.up();
    expect(up.code, up.output).toBe(0);
    expect(up.output).toContain("missing: there is no ClickHouseCluster dev/nobody");
    expect(await names()).toEqual(expect.not.arrayContaining(["nobody", "nothing"]));
  });

  it("nor does what is gone by the time of the patch, or another one of its name", async () => {
    await createCluster(cluster.api, keeper, { replicas: 1 });
    await wantKeeper(1);
    expect((await stack.up()).code).toBe(0);
    // What a plan was made for, and what is there by then, told apart by the UID alone.
    const { apiVersion, kind, metadata } = await readCluster(cluster.api, keeper);
    await cluster.api.delete(`/apis/clickhouse.com/v1alpha1/namespaces/dev/keeperclusters/${keeper.name}`);
    const patch = cluster.api.apply(
      {
        apiVersion,
        kind,
        metadata: { name: keeper.name, namespace: NAMESPACE, uid: metadata.uid },
        spec: { replicas: 3 },
      },
      { fieldManager: "cluster-scale" },
    );
    await expect(patch).rejects.toThrow(/uid mismatch/);
    expect(await names()).not.toContain(keeper.name);

    // Made anew it is another object, and is patched like one.
    await createCluster(cluster.api, keeper, { replicas: 3 });
    await wantKeeper(5);
    const up = await stack.up();
    expect(up.code, up.output).toBe(0);
    expect(await sizeOf(keeper)).toBe(5);
  });
});

/** Names of all clusters that there are. */
async function names(): Promise<string[]> {
  const lists = await Promise.all(
    ["keeperclusters", "clickhouseclusters"].map((resource) =>
      cluster.api.list(`/apis/clickhouse.com/v1alpha1/namespaces/dev/${resource}`),
    ),
  );
  return lists.flat().map(({ metadata }) => metadata.name);
}

describe("replicas that follow the workers", () => {
  it("grow with a fourth one up to max, and no drain takes one away", async () => {
    for (const name of ["worker-4", "worker-5"]) await removeNode(cluster, name);
    await createBoth(1, { replicas: 3, shards: 1 });
    await want({ name: clickHouse.name, replicas: "follow", max: 4 });
    expect((await stack.up()).code).toBe(0);
    expect(await sizeOf(clickHouse)).toBe(3);

    await addNodes(cluster, [{ name: "worker-4" }]);
    expect((await stack.up()).code).toBe(0);
    expect(await sizeOf(clickHouse)).toBe(4);
    await waitUntilDone(cluster.api, clickHouse);

    await cordon(cluster, "worker-4");
    const drained = await stack.up();
    await uncordon(cluster, "worker-4");
    expect(drained.code, drained.output).toBe(0);
    expect(await sizeOf(clickHouse)).toBe(4);

    await addNodes(cluster, [{ name: "worker-5" }]);
    expect((await stack.up()).code).toBe(0);
    expect(await sizeOf(clickHouse)).toBe(4);
  });
});

describe("converge", () => {
  it("takes a Keeper from 1 to 5 by 3, each step when the one before is finished, killed in between", async () => {
    await createCluster(cluster.api, keeper, { replicas: 1 });
    await wantKeeper(5);
    // The operator is kept from its work, so that the command waits for certain when it is killed.
    const killed = await cli.run(["converge", "--yes"], {
      onLine: (line, send) => {
        if (line.endsWith(": patching")) operator.inject({ type: "stale-status", on: keeper });
        if (line.startsWith(`KeeperCluster dev/${keeper.name}: member`)) send("SIGKILL");
      },
    });
    expect(killed.code).toBeUndefined();
    expect(await sizeOf(keeper)).toBe(3);

    operator.heal();
    const { code, stdout, stderr } = await convergeWith(keeper, "3 → 5", "follower-lag", (line) => {
      if (line.includes("of 5 joined; ScaleAllowed: WaitingFollowers")) operator.heal();
    });
    expect(code, stderr).toBe(0);
    expect(stdout).toBe(`keeper dev/${keeper.name}: 3 → 5\nThe policy holds.`);
    expect(stderr).toMatch(
      new RegExp(
        `^KeeperCluster dev/${keeper.name}: member [345] of 5 joined; ScaleAllowed: WaitingFollowers, \\d+ s$`,
        "m",
      ),
    );
    expect(stderr).toMatch(
      new RegExp(`^KeeperCluster dev/${keeper.name}: member 5 of 5 joined; finished, \\d+ s$`, "m"),
    );
    const specs = specsOf(keeper);
    expect(specs.map(({ replicas }) => replicas)).toEqual([1, 3, 5]);
    expect(specs.slice(1).map(({ settled }) => settled)).toEqual([true, true]);
    await waitUntilDone(cluster.api, keeper);
  });

  it("takes it down again in the same way, and has nothing to do after that", async () => {
    await createCluster(cluster.api, keeper, { replicas: 5 });
    await wantKeeper(1);
    const down = await converge("--output", "json");
    expect(down.code, down.stderr).toBe(0);
    expect(JSON.parse(down.stdout)).toMatchObject({
      steps: [
        { cluster: `keeper dev/${keeper.name}`, from: { replicas: 5 }, to: { replicas: 3 } },
        { cluster: `keeper dev/${keeper.name}`, from: { replicas: 3 }, to: { replicas: 1 } },
      ],
    });
    expect(specsOf(keeper).map(({ replicas, settled }) => [replicas, settled])).toEqual([
      [5, expect.anything()],
      [3, true],
      [1, true],
    ]);
    const again = await converge();
    expect(again).toMatchObject({ code: 0, stdout: "The policy holds; no step was needed." });
  });

  it("takes the Keeper first, then ClickHouse, and never both at once", async () => {
    await createBoth(1, { replicas: 1, shards: 1 });
    await want({ name: clickHouse.name, replicas: 2, shards: 2, keeper: { replicas: 3 } });
    const { code, stdout, stderr } = await converge();
    expect(code, stderr).toBe(0);
    expect(stdout.split("\n")).toEqual([
      `keeper dev/${keeper.name}: 1 → 3`,
      `clickhouse dev/${clickHouse.name}: 1 → 2`,
      `clickhouse dev/${clickHouse.name}: 2×1 → 2×2`,
      "The policy holds.",
    ]);
    const order = operator.journal
      .filter(
        ({ on, event }) => [keeper.name, clickHouse.name].includes(on.name) && (event === "spec" || event === "done"),
      )
      .map(({ on, event, generation }) => `${on.kind} ${event} ${generation}`);
    expect(order.slice(4)).toEqual([
      "KeeperCluster spec 2",
      "KeeperCluster done 2",
      "ClickHouseCluster spec 2",
      "ClickHouseCluster done 2",
      "ClickHouseCluster spec 3",
      "ClickHouseCluster done 3",
    ]);
  });

  it("is finished where schema synchronisation is switched off, and says what that means", async () => {
    await createBoth(1, { replicas: 1, shards: 1, settings: { enableDatabaseSync: false } });
    await want({ name: clickHouse.name, replicas: 2 });
    const { code, stderr } = await converge();
    expect(code, stderr).toBe(0);
    expect(stderr).toContain("database-sync-off");
    expect(await sizeOf(clickHouse)).toBe(2);
  });

  it("a clean-up that hangs ends in a diagnosis, and undoes nothing", async () => {
    await createBoth(1, { replicas: 3, shards: 1 });
    await want({ name: clickHouse.name, replicas: 2, stepTimeoutSeconds: 5 });
    const { code, stdout, stderr } = await convergeWith(clickHouse, "3 → 2", "cleanup-hangs");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    const said = stderr.slice(stderr.indexOf("cluster-scale: "));
    expect(said).toContain(
      `cluster-scale: ClickHouseCluster dev/${clickHouse.name} has not finished after 5 s (stepTimeoutSeconds). Nothing was undone`,
    );
    expect(said).toMatch(/^ {4}SchemaInSync=False ReplicasNotCleanedUp: /m);
    expect(said).toMatch(new RegExp(`^ {4}${clickHouse.name}-clickhouse-0-0-0: Running, ready, on worker-\\d$`, "m"));
    expect(said).toContain("Usually: something of a removed replica stays registered");
    expect(await sizeOf(clickHouse)).toBe(2);

    operator.heal();
    const healed = await converge();
    expect(healed.code, healed.stderr).toBe(0);
  });

  it("a lost quorum ends in a diagnosis with the events of it, for machines as JSON", async () => {
    await createCluster(cluster.api, keeper, { replicas: 3 });
    operator.inject({ type: "lost-quorum", on: keeper });
    await waitForReason(cluster.api, keeper, "ScaleAllowed", "NoQuorum");
    await want({ keeper: { name: keeper.name, replicas: 5 }, stepTimeoutSeconds: 3 });
    const { code, stderr } = await converge("--quiet", "--output", "json");
    expect(code).toBe(1);
    const { error } = JSON.parse(stderr);
    expect(error).toMatchObject({ code: "stalled", exitCode: 1 });
    expect(error.message).toContain("Warning HorizontalScaleBlocked");
    expect(error.message).toContain("bring members back until more than half of them run");
    expect(await sizeOf(keeper)).toBe(3);
  });

  it("what only a person can end is no wait", async () => {
    await createBoth(1, { replicas: 1, shards: 3 });
    await want({ name: clickHouse.name, shards: 2 });
    const { code, stderr } = await converge();
    expect(code).toBe(1);
    expect(stderr).toContain("the policy does not hold, and no further step can be taken:\n  - clickhouse dev/");
    expect((await readCluster(cluster.api, clickHouse)).spec.shards).toBe(3);
  });

  it("tells of a shard 0 that stayed on its old spec although the status says that all is done", async () => {
    await createBoth(1, { replicas: 1, shards: 1 });
    operator.inject({ type: "shard-0-stuck-silently", on: clickHouse });
    await want({ name: clickHouse.name, shards: 2 });
    const { code, stderr } = await converge();
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(
      `warning: ClickHouseCluster dev/${clickHouse.name}: ${clickHouse.name}-clickhouse-0-0 is not what the status says`,
    );
  });

  it("cancelled while it waits it ends in order, and goes on when it is run again", async () => {
    await createCluster(cluster.api, keeper, { replicas: 1 });
    operator.inject({ type: "stale-status", on: keeper });
    await wantKeeper(3);
    const cancelled = await cli.run(["converge", "--yes"], {
      onLine: (line, send) => {
        if (line.startsWith(`KeeperCluster dev/${keeper.name}: member`)) send("SIGTERM");
      },
    });
    expect(cancelled.code, cancelled.stderr).toBe(130);
    operator.heal();
    const again = await converge();
    expect(again.code, again.stderr).toBe(0);
    expect(await sizeOf(keeper)).toBe(3);
  });
});

describe("as the documented role", () => {
  const MANIFEST = fileURLToPath(new URL("../../deploy/rbac.yaml", import.meta.url));

  it("plans, takes steps and waits for them", async () => {
    await createCluster(cluster.api, keeper, { replicas: 1 });
    const { kubeconfig } = await restrictedAccess(cluster, MANIFEST);
    const restricted = await CliStack.create(kubeconfig, {
      workloads: [],
      clickhouse: [{ namespace: NAMESPACE, keeper: { name: keeper.name, replicas: 3 } }],
    });
    const { code, stderr } = await restricted.run(["converge", "--yes"]);
    await restricted.remove();
    expect(code, stderr).toBe(0);
    expect(await sizeOf(keeper)).toBe(3);
  });

  it("without list on keeperclusters there is no plan, and the error says what to grant", async () => {
    const change = (objects: KubeObject[]) =>
      objects.map((object) => ({
        ...object,
        ...(object.rules && {
          rules: object.rules.filter(({ apiGroups }: { apiGroups: string[] }) => !apiGroups.includes("clickhouse.com")),
        }),
      }));
    const { kubeconfig } = await restrictedAccess(cluster, MANIFEST, { change });
    const restricted = await CliStack.create(kubeconfig, {
      workloads: [],
      clickhouse: [{ namespace: NAMESPACE, keeper: { name: keeper.name, replicas: 3 } }],
    });
    const { code, stderr } = await restricted.run(["plan", "--no-preview"]);
    await restricted.remove();
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /grant list on (keeper|clickhouse)clusters\.clickhouse\.com in namespace dev, as in the role of the README/,
    );
  });
});
