import { snapshotFromObjects } from "../../src/cluster/dump.ts";
import type { Snapshot } from "../../src/cluster/snapshot.ts";
import type { Policy } from "../../src/config/policy.ts";
import { parsePolicy } from "../../src/config/schema.ts";
import { plan } from "../../src/plan/index.ts";
import { interleaved, type Times } from "./measure.ts";
import { type Result, table } from "./results.ts";

const ROUNDS = 9;
const OBSERVED_AT = "2026-01-15T12:00:00Z";
type Size = [nodes: number, workloads: number, podsEach: number];

const POOLS = ["app", "batch", "edge", "gpu"];

/** Time of the planner alone, on clusters of several pools with a few unhealthy nodes, with ten pods a workload or none. */
export async function planBenchmark(): Promise<Result> {
  const times = await planTimes(ROUNDS, [
    [500, 1000, 0],
    [5000, 100, 0],
    [5000, 1000, 0],
    [5000, 1000, 10],
  ]);
  const [small = Number.NaN, , large = Number.NaN] = times.map(({ median }) => median * 1000);
  const rows = times.map(({ name, seconds, median }) => [
    name,
    (median * 1000).toFixed(0),
    (Math.min(...seconds) * 1000).toFixed(0),
    (Math.max(...seconds) * 1000).toFixed(0),
  ]);
  return {
    title: "Planning large clusters",
    command: "npm run benchmark -- plan",
    body: `Milliseconds of \`plan(snapshot, policy)\`, ${ROUNDS} interleaved rounds.\n\n${table(["nodes × workloads", "median", "least", "most"], rows)}`,
    checks: [
      { what: "milliseconds for 5000 nodes × 1000 workloads", value: Math.round(large), atMost: 100 },
      { what: "time for ten times the nodes", value: Number((large / small).toFixed(1)), atMost: 11 },
    ],
  };
}

/** Times of planning clusters of these sizes. */
export function planTimes(rounds: number, sizes: Size[]): Promise<Times[]> {
  const things = sizes.map(([nodes, workloads, podsEach]) => {
    const [snapshot, policy] = cluster(nodes, workloads, podsEach);
    return [`${nodes} × ${workloads}, ${workloads * podsEach} pods`, () => plan(snapshot, policy)] as const;
  });
  return interleaved(rounds, Object.fromEntries(things));
}

function cluster(nodes: number, workloads: number, podsEach: number): [Snapshot, Policy] {
  const objects = [
    ...Array.from({ length: nodes }, (_, i) => node(i)),
    ...Array.from({ length: workloads }, (_, i) => deployment(i)),
    ...Array.from({ length: workloads * podsEach }, (_, i) => pod(i % workloads, i, i % nodes)),
  ];
  const policy = {
    layers: {
      small: { max: 10 },
      wide: { max: 5000 },
      stepped: {
        max: 50,
        formula: {
          ladder: [
            [1, 1],
            [16, 3],
            [64, 9],
          ],
        },
      },
    },
    workloads: Array.from({ length: workloads }, (_, i) => ({
      namespace: `team-${i % 20}`,
      name: `app-${i}`,
      layer: i % 50 === 0 ? "wide" : ["small", "stepped"][i % 2],
    })),
  };
  return [snapshotFromObjects(objects, OBSERVED_AT), parsePolicy(policy)];
}

function node(i: number): object {
  const name = `node-${i}`;
  const pool = POOLS[i % POOLS.length];
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      labels: {
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": i % 5 === 0 ? "arm64" : "amd64",
        "topology.kubernetes.io/zone": `zone-${i % 3}`,
        pool,
      },
    },
    spec: {
      ...(i % 50 === 0 ? { unschedulable: true } : {}),
      ...(pool === "gpu" ? { taints: [{ key: "nvidia.com/gpu", value: "present", effect: "NoSchedule" }] } : {}),
    },
    status: {
      allocatable: { cpu: i % 2 === 0 ? "7910m" : "15890m", memory: "30Gi", pods: "110" },
      conditions: [
        { type: "Ready", status: i % 97 === 0 ? "Unknown" : "True", lastTransitionTime: "2026-01-10T09:00:00Z" },
      ],
    },
  };
}

/** The pod template of a workload: one of twelve mixtures of selectors, tolerations and sizes. */
function podSpec(i: number): Record<string, unknown> {
  const pool = POOLS[i % POOLS.length];
  return {
    ...(i % 2 === 0 ? { nodeSelector: { pool } } : {}),
    ...(pool === "gpu" ? { tolerations: [{ key: "nvidia.com/gpu", operator: "Exists" }] } : {}),
    ...(i % 6 === 1
      ? {
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [
                  { matchExpressions: [{ key: "kubernetes.io/arch", operator: "In", values: ["amd64"] }] },
                ],
              },
            },
          },
        }
      : {}),
    containers: [
      {
        name: "app",
        image: "registry.example.invalid/app:1",
        resources: { requests: { cpu: `${50 * (1 + (i % 3))}m`, memory: "128Mi" } },
      },
    ],
  };
}

function deployment(i: number): object {
  const labels = { app: `app-${i}` };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace: `team-${i % 20}`, name: `app-${i}` },
    spec: { replicas: 3, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec(i) } },
  };
}

function pod(workload: number, i: number, onNode: number): object {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace: `team-${workload % 20}`, name: `app-${workload}-${i}`, labels: { app: `app-${workload}` } },
    spec: { ...podSpec(workload), nodeName: `node-${onNode}` },
    status: { phase: "Running" },
  };
}
