/**
 * Growth into the room that there is: a plan never makes a pod that the real scheduler leaves Pending. docs/semantics.md,
 * "Room". Each case has a pool of nodes of its own, so that one run plans and applies them all.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Cluster } from "../../bench/cluster/cluster.ts";
import { addNodes, type NodeOptions } from "../../bench/cluster/nodes.ts";
import type { KubeObject } from "../../bench/cluster/objects.ts";
import { startCluster } from "../../bench/cluster/start.ts";
import { waitFor } from "../../bench/cluster/wait.ts";
import { CliStack } from "./support/cli.ts";
import { type Decided, planned } from "./support/plan.ts";
import type { RunResult } from "./support/stack.ts";
import { createWorkloads, deployment, entry } from "./support/workloads.ts";

const LIMITED = "limited";

/** Names of the allowlist, with their namespaces. */
const LISTED = {
  full: "dev",
  "half-full": "dev",
  "own-port": "dev",
  "taken-port": "dev",
  zoned: "dev",
  "with-quota": LIMITED,
} as const;

let cluster: Cluster;
let cli: CliStack;
let plan: Record<string, Decided>;
let up: RunResult;

beforeAll(async () => {
  cluster = await startCluster();
  const { api } = cluster;
  await addNodes(cluster, [
    ...pool("full", 3, { cpu: "1" }),
    ...pool("half-full", 4, { cpu: "1" }),
    ...pool("ports", 3),
    ...pool("zone-a", 3, {}, { zone: "a", labels: { pool: "zoned" } }),
    ...pool("zone-b", 1, { cpu: "1" }, { zone: "b", labels: { pool: "zoned" } }),
    ...pool("quota", 3),
  ]);
  // Others' pods stand there first: on two nodes of the full pool, on three of the half-full one, on one port.
  await createWorkloads(api, [
    onPool("full", "full-others", { cpu: "800m", replicas: 2 }),
    onPool("half-full", "half-full-others", { cpu: "800m", replicas: 3 }),
    onPool("ports", "port-others", { hostPort: 9090 }),
  ]);
  await waitUntilRunning({ "full-others": 2, "half-full-others": 3, "port-others": 1 });
  await api.ensure({ apiVersion: "v1", kind: "Namespace", metadata: { name: LIMITED } });
  await createWorkloads(api, [
    onPool("full", "full", { cpu: "600m" }),
    onPool("half-full", "half-full", { cpu: "300m" }),
    onPool("ports", "own-port", { hostPort: 8080 }),
    onPool("ports", "taken-port", { hostPort: 9090 }),
    onPool("zoned", "zoned", { cpu: "600m", spread: "topology.kubernetes.io/zone" }),
    onPool("quota", "with-quota", { namespace: LIMITED }),
  ]);
  await waitUntilRunning(Object.fromEntries(Object.keys(LISTED).map((name) => [name, 1])));
  await api.create({
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { namespace: LIMITED, name: "pods" },
    spec: { hard: { pods: "2" } },
  });
  await waitFor(async () => (await api.get(`/api/v1/namespaces/${LIMITED}/resourcequotas/pods`)).status.used?.pods, {
    what: "what the quota says is used",
  });

  cli = await CliStack.create(cluster.kubeconfig, {
    rolloutTimeoutSeconds: 30,
    workloads: Object.entries(LISTED).map(([name, namespace]) => entry(name, { namespace })),
  });
  plan = await planned(cli);
  up = await cli.stack.up();
});

afterAll(async () => {
  await cli?.remove();
  await cluster?.stop();
});

/** Nodes `<name>-1`, `<name>-2`, … of a pool of that name. */
function pool(
  name: string,
  count: number,
  allocatable: Record<string, string> = {},
  rest: Partial<NodeOptions> = {},
): NodeOptions[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `${name}-${index + 1}`,
    labels: { pool: name },
    allocatable,
    ...rest,
  }));
}

interface Shape {
  namespace?: string;
  replicas?: number;
  cpu?: string;
  hostPort?: number;
  /** The topology key of a spread constraint with DoNotSchedule and skew 1. */
  spread?: string;
}

/** A Deployment whose pods go to one pool. */
function onPool(pool: string, name: string, shape: Shape): KubeObject {
  const { namespace = "dev", replicas = 1, cpu = "10m", hostPort, spread } = shape;
  return deployment(name, {
    metadata: { namespace },
    spec: { replicas },
    pod: {
      nodeSelector: { pool },
      containers: [
        {
          name: "app",
          image: "registry.example.invalid/app:1",
          resources: { requests: { cpu } },
          ...(hostPort === undefined ? {} : { ports: [{ containerPort: hostPort, hostPort }] }),
        },
      ],
      ...(spread === undefined
        ? {}
        : {
            topologySpreadConstraints: [
              {
                maxSkew: 1,
                topologyKey: spread,
                whenUnsatisfiable: "DoNotSchedule",
                labelSelector: { matchLabels: { app: name } },
              },
            ],
          }),
    },
  });
}

/** Of each Deployment, the nodes of its pods that run, sorted; a pod that waits is on none. */
async function nodesByApp(): Promise<Record<string, string[]>> {
  const pods = await cluster.api.list("/api/v1/pods");
  const byApp = Map.groupBy(pods, ({ metadata }) => metadata.labels?.app ?? "");
  return Object.fromEntries(
    [...byApp].map(([app, own]) => [
      app,
      own.map(({ spec, status }) => (status.phase === "Running" ? spec.nodeName : status.phase)).sort(),
    ]),
  );
}

async function waitUntilRunning(counts: Record<string, number>): Promise<void> {
  await waitFor(
    async () => {
      const nodes = await nodesByApp();
      return Object.entries(counts).every(
        ([app, count]) => nodes[app]?.length === count && !nodes[app].includes("Pending"),
      );
    },
    { what: `Running pods of ${Object.keys(counts).join(", ")}`, timeout: 60_000 },
  );
}

it("applies every plan, and nothing stays Pending", async () => {
  expect(up.code, up.output).toBe(0);
  const waiting = Object.entries(await nodesByApp()).filter(([, nodes]) => nodes.includes("Pending"));
  expect(waiting).toEqual([]);
});

describe("capacity", () => {
  it("holds on full nodes, says why, and writes nothing", async () => {
    expect(plan["dev/full"]).toEqual({ decision: "hold", current: 1, target: 1, reasons: ["capacity"], warnings: [] });
    expect(up.steps).not.toHaveProperty("dev/full");
    expect((await nodesByApp()).full).toHaveLength(1);
  });

  it("grows on half-full nodes to exactly what fits, be it on one node", async () => {
    expect(plan["dev/half-full"]).toMatchObject({ decision: "scale-up", target: 3, reasons: ["capacity"] });
    const nodes = (await nodesByApp())["half-full"] ?? [];
    expect(nodes).toEqual([nodes[0], nodes[0], nodes[0]]);
  });
});

describe("host ports", () => {
  it("one pod a node: as many as there are nodes, each on its own", async () => {
    expect(plan["dev/own-port"]).toMatchObject({ decision: "scale-up", target: 3, reasons: [] });
    expect((await nodesByApp())["own-port"]).toEqual(["ports-1", "ports-2", "ports-3"]);
  });

  it("a node on which another pod has the port takes none", async () => {
    expect(plan["dev/taken-port"]).toMatchObject({ decision: "scale-up", target: 2, reasons: ["capacity"] });
    const nodes = await nodesByApp();
    expect([...(nodes["taken-port"] ?? []), ...(nodes["port-others"] ?? [])].sort()).toEqual([
      "ports-1",
      "ports-2",
      "ports-3",
    ]);
  });
});

it("zones with DoNotSchedule and skew 1: up to where the fullest zone stops the others", async () => {
  // Zone b has room for one pod, so that zone a may have two, though it has three nodes.
  expect(plan["dev/zoned"]).toMatchObject({ decision: "scale-up", target: 3, reasons: ["capacity"] });
  const zones = (await nodesByApp()).zoned?.map((node) => node.replace(/-\d+$/, ""));
  expect(zones).toEqual(["zone-a", "zone-a", "zone-b"]);
});

it("a quota that leaves room for one pod: one more", async () => {
  expect(plan["limited/with-quota"]).toMatchObject({ decision: "scale-up", target: 2, reasons: ["quota"] });
  expect((await nodesByApp())["with-quota"]).toHaveLength(2);
});

it("plans the same counts once they are there", async () => {
  const again = await cli.stack.up();
  expect(again.code, again.output).toBe(0);
  expect(Object.values(again.steps)).toEqual(Object.values(again.steps).map(() => "same"));
  const holds = Object.entries(await planned(cli)).filter(([, { decision }]) => decision === "hold");
  expect(holds.map(([workload]) => workload)).toEqual([
    "dev/full",
    "dev/half-full",
    "dev/taken-port",
    "dev/zoned",
    "limited/with-quota",
  ]);
});

it("grows on the full nodes as soon as there is room", async () => {
  await cluster.api.delete("/apis/apps/v1/namespaces/dev/deployments/full-others");
  await waitFor(async () => !("full-others" in (await nodesByApp())), { what: "the others' pods to be gone" });
  const after = await cli.stack.up();
  expect(after.code, after.output).toBe(0);
  expect((await nodesByApp()).full).toEqual(["full-1", "full-2", "full-3"]);
});
