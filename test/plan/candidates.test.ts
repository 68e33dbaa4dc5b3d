import { describe, expect, it } from "vitest";
import type { Node } from "../../src/cluster/snapshot.ts";
import type { WorkersPolicy } from "../../src/config/policy.ts";
import { isHard, whyNoCandidate } from "../../src/plan/candidates.ts";
import type { NonCandidate } from "../../src/plan/plan.ts";
import { CONTROL_PLANE, labelIn, node, taint, workers } from "./builders.ts";

const ETCD = "node-role.kubernetes.io/etcd";
const MICROK8S = "node.kubernetes.io/microk8s-controlplane";

describe("whyNoCandidate", () => {
  it.each<[string, Partial<WorkersPolicy>, Partial<Node>, NonCandidate | null]>([
    ["an ordinary node counts", {}, {}, null],
    [
      "auto: a tainted control plane",
      {},
      { labels: { [CONTROL_PLANE]: "" }, taints: [taint(CONTROL_PLANE)] },
      "control-plane",
    ],
    [
      "auto: NoExecute is a hard taint too",
      {},
      { labels: { [ETCD]: "true" }, taints: [taint(ETCD, "NoExecute")] },
      "control-plane",
    ],
    [
      "auto: the taint may have another of the keys",
      {},
      { labels: { [ETCD]: "" }, taints: [taint(CONTROL_PLANE)] },
      "control-plane",
    ],
    ["auto: without a taint it runs applications", {}, { labels: { [CONTROL_PLANE]: "true" } }, null],
    [
      "auto: a soft taint only asks",
      {},
      { labels: { [CONTROL_PLANE]: "" }, taints: [taint(CONTROL_PLANE, "PreferNoSchedule")] },
      null,
    ],
    ["auto: a taint of another key", {}, { labels: { [CONTROL_PLANE]: "" }, taints: [taint("dedicated")] }, null],
    ["auto: the taint without the label", {}, { taints: [taint(CONTROL_PLANE)] }, null],
    ["auto: a vendor's label", {}, { labels: { [MICROK8S]: "x" }, taints: [taint(CONTROL_PLANE)] }, "control-plane"],
    ["never: the label alone", { controlPlane: "never" }, { labels: { [CONTROL_PLANE]: "" } }, "control-plane"],
    [
      "always: like any other node",
      { controlPlane: "always" },
      { labels: { [CONTROL_PLANE]: "" }, taints: [taint(CONTROL_PLANE)] },
      null,
    ],
    [
      "labels of the policy's own",
      { controlPlaneLabels: ["cp"], controlPlane: "never" },
      { labels: { [CONTROL_PLANE]: "" } },
      null,
    ],
    ["a virtual kubelet", {}, { labels: { type: "virtual-kubelet" } }, "virtual"],
    ["Fargate", {}, { labels: { "eks.amazonaws.com/compute-type": "fargate" } }, "virtual"],
    ["excluded", { exclude: [[labelIn("spot", "true")]] }, { labels: { spot: "true" } }, "excluded"],
    [
      "one of several exclusions",
      { exclude: [[labelIn("a", "1")], [labelIn("b", "1")]] },
      { labels: { b: "1" } },
      "excluded",
    ],
    ["selected", { selector: [labelIn("pool", "app")] }, { labels: { pool: "app" } }, null],
    ["not selected", { selector: [labelIn("pool", "app")] }, { labels: { pool: "db" } }, "not-selected"],
  ])("%s", (_rule, policy, fields, why) => {
    expect(whyNoCandidate(node("n-1", fields), workers(policy))).toBe(why);
  });
});

it("NoSchedule and NoExecute are hard, PreferNoSchedule is soft", () => {
  expect([taint("k"), taint("k", "NoExecute"), taint("k", "PreferNoSchedule")].map(isHard)).toEqual([
    true,
    true,
    false,
  ]);
});
