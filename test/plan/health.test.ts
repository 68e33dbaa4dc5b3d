import { describe, expect, it } from "vitest";
import type { Node } from "../../src/cluster/snapshot.ts";
import type { WorkersPolicy } from "../../src/config/policy.ts";
import { healthOf, isHealthTaint } from "../../src/plan/health.ts";
import type { HealthState } from "../../src/plan/plan.ts";
import { node, OBSERVED_AT, secondsAgo, taint, workers } from "./builders.ts";

const ready = (seconds: number) => ({ ready: { status: "True", since: secondsAgo(seconds) } });
const notReady = (seconds: number, status = "False") => ({ ready: { status, since: secondsAgo(seconds) } });
const NOT_READY = "node.kubernetes.io/not-ready";
const UNREACHABLE = "node.kubernetes.io/unreachable";

describe("healthOf", () => {
  it.each<[string, Partial<Node>, HealthState, Partial<WorkersPolicy>?]>([
    ["Ready", {}, "ready"],
    ["Ready for exactly minReadySeconds", ready(30), "ready"],
    ["Ready for less", ready(29), "settling"],
    ["minReadySeconds 0", ready(0), "ready", { minReadySeconds: 0 }],
    ["Ready since a time after the snapshot: clocks differ", ready(-5), "settling"],
    ["Ready since no known time: long ago", { ready: { status: "True", since: null } }, "ready"],
    ["Ready since a time that can't be read", { ready: { status: "True", since: "soon" } }, "ready"],
    ["unschedulable", { unschedulable: true }, "cordoned"],
    ["the taint of a cordon alone", { taints: [taint("node.kubernetes.io/unschedulable")] }, "cordoned"],
    [
      "a soft taint of the same key",
      { taints: [taint("node.kubernetes.io/unschedulable", "PreferNoSchedule")] },
      "ready",
    ],
    ["uninitialized", { taints: [taint("node.cloudprovider.kubernetes.io/uninitialized")] }, "starting"],
    ["unregistered", { taints: [taint("karpenter.sh/unregistered", "NoExecute")] }, "starting"],
    ["no network, by taint", { taints: [taint("node.kubernetes.io/network-unavailable")] }, "starting"],
    ["no network, by condition", { networkUnavailable: true }, "starting"],
    [
      "a startup taint of the policy",
      { taints: [taint("cni.example/agent")] },
      "starting",
      { startupTaints: ["cni.example/agent"] },
    ],
    ["the same taint without the policy: simply tainted", { taints: [taint("cni.example/agent")] }, "ready"],
    ["memory pressure", { taints: [taint("node.kubernetes.io/memory-pressure")] }, "pressure"],
    ["disk pressure", { taints: [taint("node.kubernetes.io/disk-pressure")] }, "pressure"],
    ["pid pressure", { taints: [taint("node.kubernetes.io/pid-pressure")] }, "pressure"],
    ["being deleted", { deleting: true }, "leaving"],
    ["to be deleted by the autoscaler", { taints: [taint("ToBeDeletedByClusterAutoscaler")] }, "leaving"],
    [
      "a candidate for deletion is only asked to rest",
      { taints: [taint("DeletionCandidateOfClusterAutoscaler", "PreferNoSchedule")] },
      "ready",
    ],
    ["disrupted by Karpenter", { taints: [taint("karpenter.sh/disrupted")] }, "leaving"],
    ["disruption by an older Karpenter", { taints: [taint("karpenter.sh/disruption")] }, "leaving"],
    ["shut down", { taints: [taint("node.cloudprovider.kubernetes.io/shutdown")] }, "leaving"],
    ["not Ready for exactly the grace", notReady(300), "unready"],
    ["not Ready for longer", notReady(301), "lost"],
    ["Unknown for longer", notReady(301, "Unknown"), "lost"],
    ["not Ready since no known time", { ready: { status: "False", since: null } }, "unready"],
    [
      "Ready, with the taint for a minute",
      { taints: [taint(NOT_READY, "NoExecute", { timeAdded: secondsAgo(60) })] },
      "unready",
    ],
    [
      "Ready, with the taint for longer than the grace",
      { taints: [taint(UNREACHABLE, "NoExecute", { timeAdded: secondsAgo(301) })] },
      "lost",
    ],
    [
      "Ready, with two taints: the earliest counts",
      {
        taints: [
          taint(NOT_READY, "NoExecute", { timeAdded: secondsAgo(60) }),
          taint(UNREACHABLE, "NoExecute", { timeAdded: secondsAgo(400) }),
        ],
      },
      "lost",
    ],
    ["Ready, with the taint since no known time", { taints: [taint(NOT_READY)] }, "unready"],
    ["Ready, with a soft taint of that key", { taints: [taint(NOT_READY, "PreferNoSchedule")] }, "ready"],
    [
      "not Ready: the condition's time counts, not the taint's",
      { ...notReady(60), taints: [taint(NOT_READY, "NoExecute", { timeAdded: secondsAgo(900) })] },
      "unready",
    ],
    ["no Ready condition", { ready: null }, "lost"],
    ["out of service", { taints: [taint("node.kubernetes.io/out-of-service", "NoExecute")] }, "lost"],
    ["a grace of the policy's own", notReady(40), "lost", { unreadyGraceSeconds: 30 }],
    ["cordoned and settling: cordoned", { ...ready(1), unschedulable: true }, "cordoned"],
    ["cordoned and starting: starting", { unschedulable: true, networkUnavailable: true }, "starting"],
    [
      "pressure and starting: pressure",
      { networkUnavailable: true, taints: [taint("node.kubernetes.io/disk-pressure")] },
      "pressure",
    ],
    [
      "leaving and pressure: leaving",
      { deleting: true, taints: [taint("node.kubernetes.io/disk-pressure")] },
      "leaving",
    ],
    ["leaving and not Ready: unready", { ...notReady(10), deleting: true }, "unready"],
    ["out of service and Ready again: lost", { taints: [taint("node.kubernetes.io/out-of-service")] }, "lost"],
  ])("%s", (_rule, fields, state, policy = {}) => {
    expect(healthOf(node("n-1", fields), workers(policy), Date.parse(OBSERVED_AT))).toBe(state);
  });
});

describe("isHealthTaint", () => {
  it.each([
    ["a key of the table", taint(NOT_READY), true],
    ["a key of the table, soft", taint(NOT_READY, "PreferNoSchedule"), false],
    ["a startup taint of the policy", taint("cni.example/agent"), true],
    ["any other key", taint("nvidia.com/gpu"), false],
  ])("%s", (_rule, given, expected) => {
    expect(isHealthTaint(given, workers({ startupTaints: ["cni.example/agent"] }))).toBe(expected);
  });
});
