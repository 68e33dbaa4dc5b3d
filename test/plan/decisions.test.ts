import { describe, expect, it } from "vitest";
import type { Snapshot } from "../../src/cluster/snapshot.ts";
import type { WorkersPolicy, WorkloadPolicy } from "../../src/config/policy.ts";
import { plan } from "../../src/plan/index.ts";
import type { PlanEntry } from "../../src/plan/plan.ts";
import {
  autoscaler,
  deployment,
  lostNodes,
  node,
  nodes,
  pod,
  policy,
  requesting,
  secondsAgo,
  snapshot,
  spread,
  taint,
  workload,
} from "./builders.ts";

const unready = (count: number) => nodes(count, { ready: { status: "False", since: secondsAgo(60) } }, "u");
const inZone = (zone: string, count: number) => nodes(count, { labels: { "topology.kubernetes.io/zone": zone } }, zone);
const cordoned = (name: string) => node(name, { unschedulable: true });

interface Given {
  nodes: Snapshot["nodes"];
  web?: Parameters<typeof deployment>[1];
  entry?: Partial<WorkloadPolicy>;
  workers?: Partial<WorkersPolicy>;
  more?: Partial<Snapshot>;
}

/** The entry of a single Deployment, shop/web. */
function entryOf({ nodes, web = {}, entry = {}, workers = {}, more = {} }: Given): PlanEntry {
  const cluster = snapshot({ nodes, deployments: [deployment("web", web)], ...more });
  const [only] = plan(cluster, policy([workload("web", entry)], { workers })).workloads;
  if (only === undefined) throw new Error("no entry");
  return only;
}

describe("decision and reasons", () => {
  it.each<[string, Given, Partial<PlanEntry>]>([
    ["grows", { nodes: nodes(3) }, { decision: "scale-up", current: 1, target: 3, grow: 3, keep: 3, reasons: [] }],
    ["shrinks", { nodes: nodes(3), web: { replicas: 5 } }, { decision: "scale-down", target: 3, reasons: [] }],
    ["keeps", { nodes: nodes(3), web: { replicas: 3 } }, { decision: "keep", target: 3, reasons: [] }],
    [
      "holds for every state of K that is not ready, in their order",
      {
        nodes: [
          node("w-1"),
          node("w-2", { ready: { status: "False", since: secondsAgo(10) } }),
          node("w-3", { deleting: true }),
          node("w-4", { taints: [taint("node.kubernetes.io/disk-pressure")] }),
          node("w-5", { networkUnavailable: true }),
          cordoned("w-6"),
          node("w-7", { ready: { status: "True", since: secondsAgo(1) } }),
          ...lostNodes(1),
        ],
        web: { replicas: 7 },
      },
      {
        decision: "hold",
        target: 7,
        grow: 1,
        keep: 7,
        reasons: ["settling", "cordoned", "starting", "pressure", "leaving", "unready"],
      },
    ],
    [
      "gives those reasons for a shrink above the formula too",
      { nodes: [node("w-1"), cordoned("w-2")], web: { replicas: 9 } },
      { decision: "scale-down", target: 2, reasons: ["cordoned"] },
    ],
    [
      "gives none where the target is the formula's",
      { nodes: [node("w-1"), cordoned("w-2")] },
      { decision: "keep", target: 1, reasons: [] },
    ],
    [
      "holds when no node may take a new replica",
      { nodes: [cordoned("w-1")] },
      { decision: "hold", target: 1, grow: 0, keep: 1, reasons: ["cordoned"] },
    ],
    [
      "strict: follows the Ready nodes only",
      { nodes: [node("w-1"), cordoned("w-2")], web: { replicas: 2 }, workers: { strict: true } },
      { decision: "scale-down", target: 1, keep: 1, reasons: [] },
    ],
    [
      "holds without a worker",
      { nodes: [], web: { replicas: 4 } },
      { decision: "hold", target: 4, grow: 0, keep: 0, reasons: ["no-ready-worker"] },
    ],
    ["holds when every worker is lost", { nodes: lostNodes(2) }, { decision: "hold", reasons: ["no-ready-worker"] }],
    [
      "strict: holds when every worker is cordoned",
      { nodes: [cordoned("w-1")], workers: { strict: true } },
      { decision: "hold", reasons: ["no-ready-worker"] },
    ],
    [
      "holds when no worker matches",
      { nodes: nodes(2), web: { template: { nodeSelector: { disk: "ssd" } } } },
      { decision: "hold", grow: 0, keep: 0, reasons: ["no-matching-node"] },
    ],
    [
      "an unhealthy cluster does not shrink",
      { nodes: [...nodes(4), ...lostNodes(4)], web: { replicas: 8 } },
      { decision: "hold", target: 8, grow: 4, keep: 4, reasons: ["cluster-unhealthy"] },
    ],
    [
      "an unhealthy cluster grows",
      { nodes: [...nodes(4), ...lostNodes(4)] },
      { decision: "scale-up", target: 4, reasons: [] },
    ],
    [
      "an unhealthy cluster does not shrink in strict mode either",
      { nodes: [...nodes(4), ...lostNodes(4)], web: { replicas: 8 }, workers: { strict: true } },
      { decision: "hold", target: 8, reasons: ["cluster-unhealthy"] },
    ],
    [
      "unready nodes make a cluster unhealthy too",
      { nodes: [...nodes(4), ...unready(4)], web: { replicas: 9 } },
      { decision: "hold", target: 9, keep: 8, reasons: ["unready", "cluster-unhealthy"] },
    ],
    [
      "what raised a target to the formula's is named all the same",
      {
        nodes: [...inZone("a", 4), ...lostNodes(4)],
        web: { replicas: 4, template: { topologySpread: [spread("web", { minDomains: 2 })] } },
        more: { pods: [pod("web", "web-1", "a-1")] },
      },
      { decision: "hold", target: 4, grow: 1, keep: 1, reasons: ["cluster-unhealthy"] },
    ],
    [
      "with pods of others only, the present replicas count as placed",
      {
        nodes: inZone("a", 4),
        web: { replicas: 3, template: { topologySpread: [spread("web", { minDomains: 2 })] } },
        more: { pods: [pod("api", "api-1", "a-1")] },
      },
      { decision: "hold", target: 3, grow: 1, keep: 3, reasons: ["placement"] },
    ],
    [
      "capacity bounds",
      { nodes: nodes(3), web: { template: { claims: requesting({ cpu: 5000 }) } } },
      { decision: "hold", target: 1, grow: 1, keep: 3, reasons: ["capacity"] },
    ],
    [
      "quota bounds",
      {
        nodes: nodes(3),
        more: { resourceQuotas: [{ namespace: "shop", name: "q", hard: { pods: 5 }, used: { pods: 4 }, scopes: [] }] },
      },
      { decision: "scale-up", target: 2, grow: 2, reasons: ["quota"] },
    ],
    [
      "every bound that is as tight is named",
      {
        nodes: nodes(3),
        web: { template: { claims: requesting({ cpu: 5000 }) } },
        more: { resourceQuotas: [{ namespace: "shop", name: "q", hard: { pods: 4 }, used: { pods: 4 }, scopes: [] }] },
      },
      { decision: "hold", target: 1, reasons: ["capacity", "quota"] },
    ],
    [
      "placement bounds",
      {
        nodes: [
          node("a-1", { labels: { "topology.kubernetes.io/zone": "a" } }),
          node("a-2", { labels: { "topology.kubernetes.io/zone": "a" } }),
        ],
        web: { template: { topologySpread: [spread("web", { minDomains: 2 })] } },
      },
      { decision: "hold", target: 1, grow: 1, reasons: ["placement"] },
    ],
    [
      "refuses what is unsafe, with grow and keep",
      { nodes: nodes(3), web: { strategy: { type: "Recreate", maxSurge: 0, maxUnavailable: 0 } } },
      { decision: "refuse", current: 1, target: 1, grow: 3, keep: 3, reasons: ["recreate-strategy"], warnings: [] },
    ],
    [
      "shrinks what is unsafe",
      { nodes: nodes(3), web: { replicas: 5, strategy: { type: "Recreate", maxSurge: 0, maxUnavailable: 0 } } },
      { decision: "scale-down", target: 3 },
    ],
    [
      "one replica is safe whatever the template",
      { nodes: nodes(1), web: { strategy: { type: "Recreate", maxSurge: 0, maxUnavailable: 0 } } },
      { decision: "keep", target: 1 },
    ],
    [
      "says what is missing without numbers",
      { nodes: nodes(1), more: { deployments: [] } },
      { decision: "missing", current: null, target: null, grow: null, keep: null, reasons: [], action: null },
    ],
  ])("%s", (_rule, given, expected) => {
    expect(entryOf(given)).toMatchObject(expected);
  });
});

describe("action", () => {
  const ours = { fieldManagers: [{ manager: "cluster-scale", operation: "Apply" as const, ownsCount: true }] };
  const write = (replicas: number) => ({ kind: "deployment", namespace: "shop", name: "web", replicas });

  it.each<[string, Given, PlanEntry["action"] | object]>([
    ["a change is written", { nodes: nodes(3) }, write(3)],
    ["what is kept is written too", { nodes: nodes(1) }, write(1)],
    ["a hold is not", { nodes: [] }, null],
    ["a hold is, where the field is ours", { nodes: [], web: ours }, write(1)],
    [
      "a refusal is not",
      { nodes: nodes(3), web: { ...ours, strategy: { type: "Recreate", maxSurge: 0, maxUnavailable: 0 } } },
      null,
    ],
    [
      "gitops: write goes to git",
      { nodes: nodes(3), entry: { gitops: "write" } },
      { kind: "git", namespace: "shop", name: "web", replicas: 3 },
    ],
    ["gitops: write holds nothing", { nodes: [], web: ours, entry: { gitops: "write" } }, null],
  ])("%s", (_rule, given, action) => {
    expect(entryOf(given).action).toEqual(action);
  });
});

describe("hpa: bounds", () => {
  const bounded = (fields: Parameters<typeof autoscaler>[1], given: Partial<Given> = {}) =>
    entryOf({
      nodes: nodes(4),
      web: { replicas: 3 },
      ...given,
      entry: { hpa: "bounds", ...given.entry },
      more: { horizontalPodAutoscalers: [autoscaler("web", fields)], ...given.more },
    });
  const write = { kind: "hpa", namespace: "shop", name: "web" };

  it("lowers the maximum to the workers", () => {
    expect(bounded({ maxReplicas: 10, minReplicas: 2, currentReplicas: 3 })).toMatchObject({
      decision: "scale-down",
      current: 10,
      target: 4,
      reasons: [],
      action: { ...write, maxReplicas: 4 },
    });
  });

  it("raises it", () => {
    expect(bounded({ maxReplicas: 2 })).toMatchObject({ decision: "scale-up", current: 2, target: 4 });
  });

  it("never cuts below what runs now", () => {
    expect(bounded({ maxReplicas: 10, currentReplicas: 7 })).toMatchObject({
      target: 7,
      grow: 4,
      keep: 4,
      reasons: ["hpa"],
    });
  });

  it("does not take what runs above the maximum for a reason to raise it", () => {
    expect(bounded({ maxReplicas: 4, currentReplicas: 9 })).toMatchObject({ decision: "keep", target: 4, reasons: [] });
  });

  it("lowers the minimum with the maximum", () => {
    expect(bounded({ maxReplicas: 10, minReplicas: 6 }).action).toEqual({ ...write, maxReplicas: 4, minReplicas: 4 });
  });

  it("goes on writing a minimum that is ours: without the field the API server would reset it", () => {
    const ours = { maxReplicas: 4, minReplicas: 4, minReplicasManagers: ["cluster-scale"] };
    expect(bounded(ours).action).toEqual({ ...write, maxReplicas: 4, minReplicas: 4 });
    expect(bounded(ours, { nodes: nodes(6) }).action).toEqual({ ...write, maxReplicas: 6, minReplicas: 4 });
  });

  it("counts room from the Deployment's replicas", () => {
    const tight = { web: { replicas: 3, template: { claims: requesting({ cpu: 5000 }) } } };
    expect(bounded({ maxReplicas: 2 }, tight)).toMatchObject({
      decision: "scale-up",
      target: 3,
      grow: 3,
      reasons: ["capacity"],
    });
  });

  it("gitops: write says which object the count is of", () => {
    expect(bounded({ maxReplicas: 10, minReplicas: 6 }, { entry: { gitops: "write" } }).action).toEqual({
      kind: "git",
      namespace: "shop",
      name: "web",
      replicas: 4,
      hpa: { minReplicas: 4 },
    });
  });
});
