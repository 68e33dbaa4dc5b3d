import { describe, expect, it, onTestFinished, test, vi } from "vitest";
import { nodeObject } from "../../bench/cluster/node-object.ts";
import { Names } from "../../bench/judge/arbitrary.ts";
import { PROBE, probesOf } from "../../bench/judge/probe.ts";
import { type Scenario, scenarioOf } from "../../bench/judge/scenario.ts";
import type { Place } from "../../bench/judge/stage.ts";
import { findingsOf, type Trial } from "../../bench/judge/verdict.ts";
import type { Pod } from "../../src/cluster/snapshot.ts";
import type { NodeVerdict } from "../../src/plan/explain.ts";
import type { PlanEntry } from "../../src/plan/plan.ts";

const node = (name: string, fields: Partial<NodeVerdict> = {}): NodeVerdict => ({
  node: name,
  nonCandidate: null,
  health: "ready",
  rejected: null,
  grow: true,
  keep: true,
  why: "may take new replicas",
  ...fields,
});
const unusable = { rejected: "taint a:NoSchedule is not tolerated", grow: false, keep: false, why: "can't be used" };
const windows = node("c", { ...unusable, rejected: "runs windows, and the pods are for linux" });

const place = (pod: string, on: string | null, message = ""): Place => ({ pod, labels: {}, node: on, message });
const probe = (of: string, on: string | null, message = ""): Place => ({
  ...place(`probe-${of}`, on, message),
  labels: { [PROBE]: of },
});

/** A pod of another workload that stands on a node. */
const stray = (labels: Record<string, string>): Pod => ({
  namespace: "judge-0",
  name: "other",
  labels,
  nodeName: "c",
  finished: false,
  terminating: false,
  unschedulable: false,
  claims: {
    containers: [],
    initContainers: [],
    overhead: {},
    hostPorts: [],
    podAntiAffinity: [],
    tolerations: [],
    priorityClassName: "",
    hasDeadline: false,
  },
});

const planned = (fields: Partial<PlanEntry>): PlanEntry => ({
  workload: "judge-0/web",
  kind: "Deployment",
  decision: "scale-up",
  current: 1,
  target: 2,
  grow: 2,
  keep: 2,
  reasons: [],
  warnings: [],
  message: "",
  action: null,
  ...fields,
});

/** Two usable nodes, one replica on the first, two planned, and three more than those asked for: all agree. */
function trial(fields: Partial<Trial> = {}, topologyKeys: string[] = []): Trial {
  const template = {
    spec: {
      topologySpreadConstraints: topologyKeys.map((topologyKey) => ({
        topologyKey,
        whenUnsatisfiable: "DoNotSchedule",
        labelSelector: { matchLabels: { app: "web" } },
      })),
      affinity: {},
    },
  };
  const scenario: Scenario = {
    names: new Names(1, 0),
    nodes: [
      nodeObject({ name: "a" }),
      nodeObject({ name: "b" }),
      nodeObject({ name: "c", labels: { "kubernetes.io/os": "windows" } }),
    ],
    standing: [],
    deployment: {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web" },
      spec: { replicas: 1, template },
    },
    others: [],
  };
  return {
    scenario,
    nodes: [node("a"), node("b"), windows],
    planned: planned({}),
    pods: [],
    probes: [probe("a", "a"), probe("b", "b"), probe("c", null, "untolerated taint")],
    before: [place("1", "a")],
    after: [place("1", "a"), place("2", "b"), place("3", null), place("4", null), place("5", null)],
    again: planned({ decision: "keep", current: 2 }),
    ...fields,
  };
}

const kindsOf = (one: Trial) => findingsOf(one).map(({ kind }) => kind);
const full = [place("1", "a"), place("2", "b"), place("3", "b"), place("4", null), place("5", null)];

describe("our word against the scheduler's", () => {
  it.for<[string, Trial, string[]]>([
    ["agreement", trial(), []],
    [
      "a probe bound on a node that we call unusable",
      trial({
        nodes: [node("a"), node("b", unusable), windows],
        after: [place("1", "a")],
        planned: planned({ target: 1 }),
      }),
      ["unusable-node-taken"],
    ],
    [
      "a replica bound on a node that we call unusable",
      trial({ nodes: [node("a"), node("b", unusable), windows], probes: [] }),
      ["unusable-node-taken"],
    ],
    ["a node of another system that takes pods", trial({ probes: [probe("c", "c")] }), ["operating-system"]],
    [
      "an unhealthy node that takes pods",
      trial({ nodes: [node("a"), node("b", { health: "settling", grow: false }), windows] }),
      ["health"],
    ],
    [
      "a node that is no worker and takes pods",
      trial({ nodes: [node("a"), node("b", { nonCandidate: "control-plane", health: null, grow: false }), windows] }),
      ["no-candidate"],
    ],
    [
      "a usable node that refuses",
      trial({ probes: [probe("b", null, "0/3 nodes are available: 1 node(s) had untolerated taint(s)")] }),
      ["usable-node-refused"],
    ],
    ["a usable node that is too small", trial({ probes: [probe("b", null, "0/3: 1 Insufficient cpu")] }), []],
    ["a planned pod that is pending", trial({ planned: planned({ target: 3 }) }), ["planned-pod-pending"]],
    [
      "growth that is planned where nothing more fits",
      trial({ again: planned({ current: 2, target: 3 }) }),
      ["planned-pod-pending"],
    ],
    [
      "pods that waited before",
      trial({
        planned: planned({ decision: "hold", target: 1, grow: 1, reasons: ["capacity"] }),
        before: [place("1", null)],
        after: [place("1", null), place("2", null)],
      }),
      [],
    ],
    ["more than the formula wants", trial({ after: full }), []],
    [
      "more than we have placed",
      trial({ after: full, planned: planned({ reasons: ["placement"] }) }),
      ["more-than-planned"],
    ],
    [
      "more than we have found room for, after a pod that waited",
      trial({
        before: [place("1", "a"), place("2", null)],
        after: full,
        planned: planned({ current: 2, reasons: ["capacity"] }),
      }),
      ["trouble"],
    ],
    [
      "more where a stray pod counts for the spread",
      trial({ after: full, pods: [stray({ app: "web" })], planned: planned({ reasons: ["placement"] }) }, ["zone"]),
      ["stray"],
    ],
    [
      "more than planned where it doesn't",
      trial({ after: full, pods: [stray({ app: "db" })], planned: planned({ reasons: ["placement"] }) }, ["zone"]),
      ["more-than-planned"],
    ],
    [
      "more where the order decides",
      trial({ after: full, planned: planned({ reasons: ["placement"] }) }, ["zone", "rack"]),
      ["order"],
    ],
  ])("%s", ([, one, kinds]) => {
    expect(kindsOf(one)).toEqual(kinds);
  });

  it("says what was planned and what was found", () => {
    expect(findingsOf(trial({ planned: planned({ target: 3, grow: 3, reasons: ["capacity"] }) }))).toEqual([
      {
        kind: "planned-pod-pending",
        detail: "planned 3 (scale-up, capacity; grow 3) from 1, of which 1 had a node; of 5 asked for 2 found a node",
      },
    ]);
  });
});

describe("scenarios", () => {
  it("are the same for the same number, and others for another", () => {
    const text = (number: number) => JSON.stringify(scenarioOf(number, 0).deployment);
    expect(text(7)).toBe(text(7));
    expect(new Set(Array.from({ length: 20 }, (_, i) => text(i))).size).toBe(20);
  });

  it("have nothing but namespaces from their place", () => {
    // Their nodes have times, of the present.
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const text = (place: number) => JSON.stringify(scenarioOf(7, place)).replaceAll(`judge-${place}`, "judge");
    expect(text(12)).toBe(text(0).replaceAll('"place":0', '"place":12'));
  });
});

test("a probe is the template without its rules on other pods, held to one node", () => {
  const scenario = trial({}, ["zone"]).scenario;
  const term = (terms: unknown[]) => ({ requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } });
  const here = { key: "metadata.name", operator: "In", values: ["a"] };
  const exists = { matchExpressions: [{ key: "disk", operator: "Exists" }] };
  scenario.deployment.spec.template.spec.affinity = { nodeAffinity: term([exists, {}]), podAntiAffinity: {} };

  expect(probesOf(scenario)[0]).toEqual({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace: "judge-0", name: "probe-0", labels: { "judge/probe": "a" } },
    spec: {
      affinity: { nodeAffinity: term([{ ...exists, matchFields: [here] }, {}]) },
      topologySpreadConstraints: [{ topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule", maxSkew: 1 }],
    },
  });
});
