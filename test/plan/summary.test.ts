import { describe, expect, it } from "vitest";
import type { Snapshot } from "../../src/cluster/snapshot.ts";
import { plan } from "../../src/plan/index.ts";
import {
  CONTROL_PLANE,
  deployment,
  lostNodes,
  node,
  nodes,
  pod,
  policy,
  snapshot,
  taint,
  workload,
} from "./builders.ts";

describe("workers", () => {
  it("counts candidates by state, names up to ten of a state, and says why other nodes are none", () => {
    const cordoned = Array.from({ length: 12 }, (_, i) =>
      node(`c-${String(i).padStart(2, "0")}`, { unschedulable: true }),
    );
    const others = [
      node("cp", { labels: { [CONTROL_PLANE]: "" }, taints: [taint(CONTROL_PLANE)] }),
      node("cp-2", { labels: { [CONTROL_PLANE]: "" }, taints: [taint(CONTROL_PLANE)] }),
      node("v", { labels: { type: "virtual-kubelet" } }),
    ];
    expect(plan(snapshot({ nodes: [...others, ...cordoned, ...nodes(2)] }), policy([])).workers).toEqual({
      candidates: 14,
      byState: { ready: 2, cordoned: 12 },
      names: { cordoned: cordoned.slice(0, 10).map(({ name }) => name) },
      nonCandidates: { "control-plane": 2, virtual: 1 },
    });
  });

  it("is empty without nodes", () => {
    expect(plan(snapshot(), policy([])).workers).toEqual({ candidates: 0, byState: {}, names: {}, nonCandidates: {} });
  });
});

describe("notes", () => {
  const web = deployment("web", { fieldManagers: [{ manager: "kubectl", operation: "Update", ownsCount: true }] });
  const notes = (fields: Partial<Snapshot>, limit = 20_000) =>
    plan(
      snapshot({ nodes: nodes(1), deployments: [web], pods: [pod("web", "web-1", "w-1")], ...fields }),
      policy([workload("web")], { capacityPodLimit: limit }),
    ).notes;

  it("are none for a whole snapshot", () => {
    expect(notes({})).toEqual([]);
  });

  it("say once that nothing tells who writes the counts", () => {
    expect(notes({ deployments: [deployment("web")] })).toEqual([
      "The snapshot has no managedFields, which kubectl leaves out without --show-managed-fields: who else writes the counts is unknown.",
    ]);
  });

  it("say once that there are no Pod objects", () => {
    expect(notes({ pods: [] })).toEqual(["The snapshot has no Pod objects: every node counts as empty."]);
  });

  it("say that there are too many pods", () => {
    expect(notes({}, 0)).toEqual([
      "There are more than 0 pods (capacityPodLimit): the free room is unknown, and growth is not bounded by it.",
    ]);
  });

  it("say what could not be read and what that changes, in one order", () => {
    expect(
      notes({
        pods: [],
        unread: { resourcequotas: "forbidden: grant list on resourcequotas", pods: "forbidden: grant list on pods" },
      }),
    ).toEqual([
      "pods could not be read (forbidden: grant list on pods): the free room is unknown, and growth is not bounded by it.",
      "resourcequotas could not be read (forbidden: grant list on resourcequotas): growth is not bounded by them.",
    ]);
  });

  it("say that the cluster is unhealthy", () => {
    expect(notes({ nodes: lostNodes(5) })).toEqual([
      "5 of 5 workers are not Ready, more than 3 and more than 45 %: no workload shrinks in this plan.",
    ]);
  });
});
