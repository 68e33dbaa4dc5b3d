import { describe, expect, it } from "vitest";
import type { PodDisruptionBudget, Snapshot } from "../../src/cluster/snapshot.ts";
import type { WorkloadPolicy } from "../../src/config/policy.ts";
import { plan } from "../../src/plan/index.ts";
import type { Warning } from "../../src/plan/plan.ts";
import {
  affinityTerm,
  claims,
  deployment,
  labelIn,
  node,
  nodes,
  pod,
  policy,
  requesting,
  snapshot,
  taint,
  toleration,
  workload,
} from "./builders.ts";

type Web = Parameters<typeof deployment>[1];

function warnings(web: Web, more: Partial<Snapshot> = {}, entry: Partial<WorkloadPolicy> = {}): Warning[] {
  const cluster = snapshot({ nodes: nodes(3), deployments: [deployment("web", web)], ...more });
  return plan(cluster, policy([workload("web", entry)])).workloads.flatMap((planned) => planned.warnings);
}

const alone = { template: { claims: claims({ podAntiAffinity: [affinityTerm("web")] }) } };
const rolling = (maxSurge: number | string, maxUnavailable: number | string) => ({
  strategy: { type: "RollingUpdate" as const, maxSurge, maxUnavailable },
});

describe("rollout-deadlock", () => {
  it.each<[string, Web, Partial<WorkloadPolicy>, boolean]>([
    ["a pod a node, and 25 % of three is no pod", alone, {}, true],
    [
      "a host port",
      { template: { claims: claims({ hostPorts: [{ port: 80, protocol: "TCP", ip: "0.0.0.0" }] }) } },
      {},
      true,
    ],
    ["one may be unavailable", { ...alone, ...rolling(1, 1) }, {}, false],
    ["34 % of three is one", { ...alone, ...rolling(1, "34%") }, {}, false],
    ["no surge and none unavailable: Kubernetes makes it one", { ...alone, ...rolling(0, 0) }, {}, false],
    ["a surge of 0 % too", { ...alone, ...rolling("0%", "10%") }, {}, false],
    ["a node is left for the surge", alone, { max: 2 }, false],
    ["pods that may share a node", {}, {}, false],
    [
      "Recreate stops before it starts",
      { ...alone, replicas: 3, strategy: { type: "Recreate", maxSurge: 0, maxUnavailable: 0 } },
      {},
      false,
    ],
  ])("%s", (_rule, web, entry, due) => {
    expect(warnings(web, {}, entry).includes("rollout-deadlock")).toBe(due);
  });

  it("is not due where no node may take a pod at all", () => {
    expect(warnings(alone, { nodes: nodes(3, { unschedulable: true }) })).toEqual([]);
  });
});

describe("pdb-blocks-drain", () => {
  const budget = (fields: Partial<PodDisruptionBudget>): Partial<Snapshot> => ({
    podDisruptionBudgets: [
      {
        namespace: "shop",
        name: "b",
        selector: [labelIn("app", "web")],
        minAvailable: null,
        maxUnavailable: null,
        ...fields,
      },
    ],
  });

  it.each<[string, Partial<PodDisruptionBudget>, boolean]>([
    ["minAvailable below the target", { minAvailable: 2 }, false],
    ["minAvailable equal to the target", { minAvailable: 3 }, true],
    ["minAvailable above it", { minAvailable: 5 }, true],
    ["100 %", { minAvailable: "100%" }, true],
    ["67 % of three, rounded up, is all", { minAvailable: "67%" }, true],
    ["66 % of three is two", { minAvailable: "66%" }, false],
    ["maxUnavailable 0", { maxUnavailable: 0 }, true],
    ["maxUnavailable 0 %", { maxUnavailable: "0%" }, true],
    ["maxUnavailable 1 % is rounded up to one", { maxUnavailable: "1%" }, false],
    ["neither: every pod may go", {}, false],
    ["the empty selector selects all", { selector: [], minAvailable: 3 }, true],
    ["no selector selects none", { selector: null, minAvailable: 3 }, false],
    ["another workload's", { selector: [labelIn("app", "api")], minAvailable: 3 }, false],
    ["another namespace's", { namespace: "other", minAvailable: 3 }, false],
  ])("%s", (_rule, fields, due) => {
    expect(warnings({}, budget(fields))).toEqual(due ? ["pdb-blocks-drain"] : []);
  });
});

describe("tolerated-pool", () => {
  const tolerant = { template: { claims: claims({ tolerations: [toleration({ key: "gpu" })] }) } };
  const pool = nodes(2, { taints: [taint("gpu")], labels: { pool: "gpu" } });

  it.each<[string, Web, Snapshot["nodes"], boolean]>([
    ["beside other nodes", tolerant, [...pool, node("cpu-1")], true],
    ["alone, with nothing that selects it", tolerant, pool, true],
    [
      "asked for",
      { template: { ...tolerant.template, nodeSelector: { pool: "gpu" } } },
      [...pool, node("cpu-1")],
      false,
    ],
    [
      "selected, but beside other nodes",
      { template: { ...tolerant.template, nodeSelector: { os: "x" } } },
      [...pool, node("cpu-1")].map((n) => ({ ...n, labels: { ...n.labels, os: "x" } })),
      true,
    ],
    [
      "a taint of health is no pool",
      { template: { claims: claims({ tolerations: [toleration()] }) } },
      [node("w-1"), node("w-2", { unschedulable: true, taints: [taint("node.kubernetes.io/unschedulable")] })],
      false,
    ],
    ["a soft taint is none", {}, nodes(2, { taints: [taint("gpu", "PreferNoSchedule")] }), false],
  ])("%s", (_rule, web, workers, due) => {
    expect(warnings(web, { nodes: workers })).toEqual(due ? ["tolerated-pool"] : []);
  });
});

describe("capacity-unknown", () => {
  const unread = { unread: { pods: "forbidden: grant list on pods" } };

  it("is due where the pods could not be read and the target grows", () => {
    expect(warnings({}, unread)).toEqual(["capacity-unknown"]);
    expect(warnings({ replicas: 3 }, unread)).toEqual([]);
    expect(warnings({}, unread, { capacity: "off" })).toEqual([]);
  });

  it("is due where a node states no allocatable", () => {
    expect(warnings({}, { nodes: [...nodes(2), node("x", { allocatable: null })] })).toEqual(["capacity-unknown"]);
  });
});

describe("capacity and quota under capacity: warn", () => {
  const large = { template: { claims: requesting({ cpu: 5000 }) } };
  const full = { resourceQuotas: [{ namespace: "shop", name: "q", hard: { pods: 1 }, used: { pods: 1 }, scopes: [] }] };

  it.each<[WorkloadPolicy["capacity"], Warning[]]>([
    ["warn", ["capacity", "quota"]],
    ["enforce", []],
    ["off", []],
  ])("%s", (capacity, due) => {
    expect(warnings(large, full, { capacity })).toEqual(due);
  });

  it("are not due where they would not have been tighter", () => {
    expect(warnings({}, {}, { capacity: "warn" })).toEqual([]);
    expect(warnings({ ...large, replicas: 3 }, {}, { capacity: "warn" })).toEqual([]);
  });
});

describe("the others", () => {
  it("rollout-paused", () => {
    expect(warnings({ paused: true })).toEqual(["rollout-paused"]);
  });

  it("gitops-override only where the count is not free and the policy overrides", () => {
    const flux = { labels: { "kustomize.toolkit.fluxcd.io/name": "apps" } };
    const free = {
      ...flux,
      fieldManagers: [{ manager: "kustomize-controller", operation: "Apply" as const, ownsCount: false }],
    };
    expect(warnings(flux, {}, { gitops: "override" })).toEqual(["gitops-override"]);
    expect(warnings(free, {}, { gitops: "override" })).toEqual([]);
    expect(warnings(flux, {}, { gitops: "write" })).toEqual([]);
  });

  it.each<[string, Web, boolean]>([
    ["required affinity to pods", { template: { podAffinity: [affinityTerm("cache")] } }, true],
    [
      "anti-affinity to other pods",
      { template: { claims: claims({ podAntiAffinity: [affinityTerm("batch")] }) } },
      true,
    ],
    ["anti-affinity to its own", { ...alone, ...rolling(1, 1) }, false],
    ["an ephemeral volume", { template: { volumes: [{ type: "ephemeral", name: "d" }] } }, true],
    ["the same where nothing grows", { replicas: 3, template: { volumes: [{ type: "ephemeral", name: "d" }] } }, false],
  ])("not-modelled: %s", (_rule, web, due) => {
    expect(warnings(web)).toEqual(due ? ["not-modelled"] : []);
  });

  it("a hold warns too, a refusal and an owner do not", () => {
    expect(warnings({ paused: true }, { nodes: [] })).toEqual(["rollout-paused"]);
    expect(warnings({ paused: true, strategy: { type: "Recreate", maxSurge: 0, maxUnavailable: 0 } })).toEqual([]);
    expect(warnings({ paused: true, replicas: 0 })).toEqual([]);
  });

  it("a waiting pod of its own is no reason to warn", () => {
    expect(warnings({}, { pods: [pod("web", "web-1", "")] })).toEqual([]);
  });
});
