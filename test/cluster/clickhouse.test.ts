import { describe, expect, it } from "vitest";
import { snapshotFromObjects } from "../../src/cluster/dump.ts";

const AT = "2026-01-15T12:00:00Z";
const apiVersion = "clickhouse.com/v1alpha1";
const metadata = { namespace: "data", name: "events" };

const read = (...objects: object[]) => snapshotFromObjects(objects, AT, "test");
const keeper = (more: object = {}) => read({ apiVersion, kind: "KeeperCluster", metadata, ...more }).keeperClusters[0];
const clickHouse = (more: object = {}) =>
  read({ apiVersion, kind: "ClickHouseCluster", metadata, ...more }).clickHouseClusters[0];

describe("a KeeperCluster", () => {
  it("with nothing stated has the API's defaults, and a status of nobody", () => {
    expect(keeper()).toMatchObject({
      namespace: "data",
      name: "events",
      apiVersion,
      uid: "",
      generation: 0,
      replicas: 3,
      hostnameKey: "",
      zoneKey: "",
      status: { observedGeneration: null, currentRevision: "", updateRevision: "", readyReplicas: 0, conditions: [] },
    });
  });

  it("with everything stated", () => {
    const read = keeper({
      metadata: {
        ...metadata,
        uid: "u-1",
        generation: 7,
        managedFields: [{ manager: "cluster-scale", operation: "Apply", fieldsV1: { "f:spec": { "f:replicas": {} } } }],
      },
      spec: {
        replicas: 5,
        podTemplate: {
          nodeHostnameKey: "kubernetes.io/hostname",
          topologyZoneKey: "zone",
          nodeSelector: { pool: "db" },
        },
        containerTemplate: { resources: { requests: { cpu: "2" }, limits: { memory: "4Gi" } } },
      },
      status: {
        observedGeneration: 6,
        currentRevision: "a",
        updateRevision: "b",
        readyReplicas: 4,
        conditions: [
          {
            type: "Ready",
            status: "False",
            reason: "NoLeader",
            message: "No leader in the cluster",
            observedGeneration: 6,
            lastTransitionTime: AT,
          },
        ],
      },
    });
    expect(read).toMatchObject({
      uid: "u-1",
      generation: 7,
      replicas: 5,
      hostnameKey: "kubernetes.io/hostname",
      zoneKey: "zone",
      fieldManagers: [{ manager: "cluster-scale", operation: "Apply", ownsCount: true }],
      template: {
        nodeSelector: { pool: "db" },
        claims: { containers: [{ requests: { cpu: 2000 }, limits: { memory: 4 * 1024 ** 3 } }] },
      },
      status: {
        observedGeneration: 6,
        currentRevision: "a",
        updateRevision: "b",
        readyReplicas: 4,
        conditions: [
          {
            type: "Ready",
            status: "False",
            reason: "NoLeader",
            message: "No leader in the cluster",
            observedGeneration: 6,
            since: AT,
          },
        ],
      },
    });
  });

  it("of which no resources are stated requests what the operator fills in", () => {
    expect(keeper()?.template.claims.containers[0]?.requests).toEqual({ cpu: 250, memory: 512 * 1024 ** 2 });
  });
});

describe("a ClickHouseCluster", () => {
  it("with nothing stated", () => {
    expect(clickHouse()).toMatchObject({
      replicas: 3,
      shards: 1,
      shardsManagers: [],
      keeper: null,
      databaseSync: true,
    });
  });

  it("refers to a Keeper of its own namespace where it names none", () => {
    expect(clickHouse({ spec: { keeperClusterRef: { name: "main" } } })?.keeper).toEqual({
      namespace: "data",
      name: "main",
    });
    expect(clickHouse({ spec: { keeperClusterRef: { name: "main", namespace: "quorum" } } })?.keeper).toEqual({
      namespace: "quorum",
      name: "main",
    });
  });

  it("says who holds its shards, and whether databases are synchronised", () => {
    const managedFields = [{ manager: "me", operation: "Apply", fieldsV1: { "f:spec": { "f:shards": {} } } }];
    const spec = { shards: 2, settings: { enableDatabaseSync: false } };
    expect(clickHouse({ metadata: { ...metadata, managedFields }, spec })).toMatchObject({
      shards: 2,
      shardsManagers: ["me"],
      databaseSync: false,
    });
  });
});

it.each<[object, string]>([
  [{ spec: { replicas: "3" } }, 'spec.replicas must be a whole number of at least 0, not "3"'],
  [{ status: { readyReplicas: -1 } }, "status.readyReplicas must be a whole number of at least 0, not -1"],
  [{ spec: { podTemplate: { tolerations: 3 } } }, "data/events, its pods: spec.tolerations must be a list, not 3"],
])("%j is told with its place", (more, problem) => {
  expect(() => keeper(more)).toThrow(problem);
});

it("a kind of the same name from another operator is none", () => {
  expect(read({ apiVersion: "example.com/v1", kind: "KeeperCluster", metadata }).keeperClusters).toEqual([]);
});
