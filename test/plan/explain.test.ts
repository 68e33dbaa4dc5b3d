import { describe, expect, it } from "vitest";
import type { Snapshot } from "../../src/cluster/snapshot.ts";
import { explain } from "../../src/plan/explain.ts";
import { plan } from "../../src/plan/index.ts";
import {
  CONTROL_PLANE,
  deployment,
  labelIn,
  node,
  policy,
  queue,
  secondsAgo,
  snapshot,
  taint,
  workload,
} from "./builders.ts";

const cluster = (fields: Partial<Snapshot> = {}) =>
  snapshot({
    nodes: [
      node("w-2", { unschedulable: true }),
      node("w-1"),
      node("w-3", { ready: { status: "Unknown", since: secondsAgo(900) } }),
      node("w-4", { taints: [taint("gpu", "NoSchedule", { value: "yes" })] }),
      node("w-5", { unschedulable: true, taints: [taint("gpu")] }),
      node("cp", { labels: { [CONTROL_PLANE]: "" }, taints: [taint(CONTROL_PLANE)] }),
      node("v", { labels: { type: "virtual-kubelet" } }),
      node("spot", { labels: { spot: "true" } }),
    ],
    deployments: [deployment("web")],
    ...fields,
  });
const rules = policy([workload("web"), workload("db", { kind: "StatefulSet" })], {
  workers: { exclude: [[labelIn("spot", "true")]] },
});

describe("explain", () => {
  it("gives a verdict on every node, by name", () => {
    expect(explain(cluster(), rules, "shop/web").map(({ node, why }) => `${node} ${why}`)).toEqual([
      "cp is no worker: it is a dedicated control-plane node",
      "spot is no worker: `workers.exclude` matches it",
      "v is no worker: there is no machine behind it",
      "w-1 may take new replicas",
      "w-2 is cordoned: it takes no new replica and keeps those that run",
      "w-3 is lost: it holds no replica",
      "w-4 can't be used: taint gpu=yes:NoSchedule is not tolerated",
      "w-5 can't be used: taint gpu:NoSchedule is not tolerated",
    ]);
  });

  it("gives the parts of a verdict for machines", () => {
    const [cp, , , w1, w2, , w4] = explain(cluster(), rules, "shop/web");
    expect(cp).toMatchObject({ nonCandidate: "control-plane", health: null, rejected: null, grow: false, keep: false });
    expect(w1).toMatchObject({ nonCandidate: null, health: "ready", rejected: null, grow: true, keep: true });
    expect(w2).toMatchObject({ health: "cordoned", grow: false, keep: true });
    expect(w4).toMatchObject({
      health: "ready",
      rejected: "taint gpu=yes:NoSchedule is not tolerated",
      grow: false,
      keep: false,
    });
  });

  it("counts the same nodes as the plan", () => {
    const verdicts = explain(cluster(), rules, "shop/web");
    const [entry] = plan(cluster(), rules).workloads;
    expect(entry).toMatchObject({
      grow: verdicts.filter(({ grow }) => grow).length,
      keep: verdicts.filter(({ keep }) => keep).length,
    });
  });

  it("in strict mode a cordoned node holds no replica", () => {
    const strict = policy([workload("web")], { workers: { strict: true } });
    const verdicts = new Map(explain(cluster(), strict, "shop/web").map((verdict) => [verdict.node, verdict]));
    expect(verdicts.get("w-1")).toMatchObject({ keep: true });
    expect(verdicts.get("w-2")).toMatchObject({ keep: false, why: "is cordoned: it holds no replica" });
  });

  it("knows the worker of a queue too, and counts as its plan does", () => {
    const queues = policy([], { queues: [queue("web")], workers: rules.workers });
    const verdicts = explain(cluster(), queues, "shop/web");
    expect(verdicts).toEqual(explain(cluster(), rules, "shop/web"));
    const [entry] = plan(cluster(), queues).queues ?? [];
    expect(entry).toMatchObject({ grow: verdicts.filter(({ grow }) => grow).length });
    expect(() => explain(cluster(), queues, "shop/api")).toThrow("it lists shop/web");
  });

  it.each([
    ["shop/api", "The policy lists no workload shop/api; it lists shop/web, shop/db"],
    ["shop/db", "shop/db is a StatefulSet: only a Deployment's nodes can be explained"],
  ])("%s: an error that says what to do", (workload, text) => {
    expect(() => explain(cluster(), rules, workload)).toThrow(new Error(text));
  });

  it("a Deployment that is missing, and an empty policy", () => {
    expect(() => explain(cluster({ deployments: [] }), rules, "shop/web")).toThrow(
      new Error("There is no Deployment shop/web in the cluster"),
    );
    expect(() => explain(cluster(), policy([]), "shop/web")).toThrow(
      new Error("The policy lists no workload shop/web; it lists none"),
    );
  });
});
