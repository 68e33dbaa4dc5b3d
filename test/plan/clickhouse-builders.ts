/** Clusters of the ClickHouse operator and entries of the policy for them, finished and unremarkable but for what a test names. */
import type {
  ClickHouseCluster,
  Condition,
  KeeperCluster,
  OperatorStatus,
  Snapshot,
} from "../../src/cluster/snapshot.ts";
import type { ClickHousePolicy, KeeperPolicy } from "../../src/config/clickhouse.ts";
import type { ClickHouseEntry } from "../../src/plan/clickhouse-plan.ts";
import { plan } from "../../src/plan/index.ts";
import { nodes, OBSERVED_AT, policy, snapshot, template } from "./builders.ts";

const GENERATION = 4;

export function condition(type: string, fields: Partial<Condition> = {}): Condition {
  return {
    type,
    status: "True",
    reason: "",
    message: "",
    observedGeneration: GENERATION,
    since: OBSERVED_AT,
    ...fields,
  };
}

/** The conditions of a status with some of them replaced, each by its type. */
export function replaced(conditions: Condition[], ...others: Condition[]): Condition[] {
  return conditions.map((one) => others.find(({ type }) => type === one.type) ?? one);
}

const KEEPER_DONE = [
  condition("ClusterSizeAligned", { reason: "UpToDate" }),
  condition("Ready", { reason: "ClusterReady" }),
  condition("ScaleAllowed", { reason: "ReadyToScale" }),
  condition("VersionUpgraded", { status: "False", reason: "MinorUpdateAvailable" }),
];

const CLICKHOUSE_DONE = [
  condition("ClusterSizeAligned", { reason: "UpToDate" }),
  condition("Ready", { reason: "AllShardsReady" }),
  condition("SchemaInSync", { reason: "ReplicasInSync" }),
];

function common(name: string, replicas: number, status: Partial<OperatorStatus>): KeeperCluster {
  return {
    namespace: "data",
    name,
    labels: {},
    annotations: {},
    deleting: false,
    ownerReferences: [],
    fieldManagers: [],
    apiVersion: "clickhouse.com/v1alpha1",
    uid: "",
    generation: GENERATION,
    replicas,
    template: template("none", { labels: {} }),
    hostnameKey: "",
    zoneKey: "",
    status: {
      observedGeneration: GENERATION,
      currentRevision: "a",
      updateRevision: "a",
      readyReplicas: replicas,
      conditions: [],
      ...status,
    },
  };
}

/** KeeperCluster data/main, whole. */
export function keeper(
  replicas: number,
  { status = {}, ...fields }: Partial<Omit<KeeperCluster, "status">> & { status?: Partial<OperatorStatus> } = {},
): KeeperCluster {
  return { ...common("main", replicas, { conditions: KEEPER_DONE, ...status }), ...fields };
}

/** A whole Keeper but for one of its conditions. */
export function keeperWith(replicas: number, ...conditions: Condition[]): KeeperCluster {
  return keeper(replicas, { status: { conditions: replaced(KEEPER_DONE, ...conditions) } });
}

/** ClickHouseCluster data/events, finished, with Keeper data/main. */
export function clickHouse(
  replicas: number,
  shards: number,
  { status = {}, ...fields }: Partial<Omit<ClickHouseCluster, "status">> & { status?: Partial<OperatorStatus> } = {},
): ClickHouseCluster {
  return {
    ...common("events", replicas, { conditions: CLICKHOUSE_DONE, readyReplicas: replicas * shards, ...status }),
    shards,
    shardsManagers: [],
    keeper: { namespace: "data", name: "main" },
    databaseSync: true,
    ...fields,
  };
}

export function clickHouseWith(replicas: number, shards: number, ...conditions: Condition[]): ClickHouseCluster {
  return clickHouse(replicas, shards, { status: { conditions: replaced(CLICKHOUSE_DONE, ...conditions) } });
}

/** The policy's entry for data/events. */
export function entry(fields: Partial<ClickHousePolicy> = {}): ClickHousePolicy {
  return {
    namespace: "data",
    name: "events",
    replicas: null,
    max: 10,
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
    ...fields,
  };
}

export function wantedKeeper(replicas: KeeperPolicy["replicas"], fields: Partial<KeeperPolicy> = {}): KeeperPolicy {
  return { name: null, namespace: null, replicas, max: 5, ...fields };
}

/** An entry for Keeper data/main alone. */
export function keeperEntry(replicas: KeeperPolicy["replicas"], fields: Partial<KeeperPolicy> = {}): ClickHousePolicy {
  return entry({ name: null, keeper: wantedKeeper(replicas, { name: "main", ...fields }) });
}

/** The planned entries on six workers, or on what the snapshot says. */
export function planned(entries: ClickHousePolicy[], fields: Partial<Snapshot>): ClickHouseEntry[] {
  return plan(snapshot({ nodes: nodes(6), ...fields }), policy([], { clickhouse: entries })).clickhouse ?? [];
}
