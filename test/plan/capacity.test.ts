import { describe, expect, it } from "vitest";
import type { Deployment, Node, Pod, Snapshot } from "../../src/cluster/snapshot.ts";
import { admit } from "../../src/plan/admitted-pod.ts";
import { createRoom } from "../../src/plan/capacity.ts";
import { type ClusterIndex, indexSnapshot } from "../../src/plan/cluster-index.ts";
import {
  affinityTerm,
  claims,
  container,
  deployment,
  GIB,
  labelIn,
  node,
  nodes,
  pod,
  policy,
  requesting,
  snapshot,
  spread,
  workload,
} from "./builders.ts";

const ZONE = "topology.kubernetes.io/zone";
const core = (count: number) => ({ allocatable: { cpu: 1000 * count, memory: 16 * GIB, pods: 110 } });
const PORT = { port: 80, protocol: "TCP", ip: "0.0.0.0" };

const indexOf = (fields: Partial<Snapshot>, capacityPodLimit = 20000) =>
  indexSnapshot(snapshot(fields), policy([], { capacityPodLimit }));

/** What there is room for with every node in G, for 10 replicas of `web` unless said. */
function capacityOf(web: Deployment, index: ClusterIndex, wanted = 10) {
  return createRoom(index).capacity(admit(web, workload("web"), index), web, index.nodes, wanted);
}

const web = (template: Partial<Deployment["template"]> = {}, fields: Partial<Omit<Deployment, "template">> = {}) =>
  deployment("web", { ...fields, template });
const asking = (cpu: number) => web({ claims: requesting({ cpu }) });
const excluding = claims({ podAntiAffinity: [affinityTerm("web")] });

describe("capacity", () => {
  const running = (name: string, nodeName: string, fields: Partial<Pod> = {}) => pod("other", name, nodeName, fields);
  const large = { claims: requesting({ cpu: 600 }) };

  it.each<[string, Node[], Pod[], Deployment, number]>([
    ["current and what fits, node by node", nodes(3, core(1)), [], asking(400), 1 + 6],
    ["an exact fit fits", nodes(1, core(1)), [], asking(500), 1 + 2],
    ["one that is too large for any", nodes(3, core(1)), [], asking(1001), 1],
    ["by the scarcest resource", nodes(1), [], web({ claims: requesting({ cpu: 100, memory: 5 * GIB }) }), 1 + 3],
    [
      "by ephemeral storage",
      [node("w", { allocatable: { pods: 9, "ephemeral-storage": 5 } })],
      [],
      web({ claims: requesting({ "ephemeral-storage": 2 }) }),
      1 + 2,
    ],
    [
      "by devices: a node without them has none",
      nodes(1),
      [],
      web({ claims: requesting({ "example.com/dev": 1 }) }),
      1,
    ],
    ["a request of 0 needs none", nodes(1), [], web({ claims: requesting({ "example.com/dev": 0 }) }), 10],
    [
      "by the number of pods",
      nodes(2, { allocatable: { cpu: 1000, memory: GIB, pods: 2 } }),
      [running("a", "w-1")],
      web(),
      1 + 3,
    ],
    ["standing pods take room", nodes(2, core(1)), [running("a", "w-1", large)], asking(400), 1 + 1 + 2],
    ["finished ones don't", nodes(1, core(1)), [running("a", "w-1", { ...large, finished: true })], asking(400), 1 + 2],
    [
      "terminating ones do",
      nodes(1, core(1)),
      [running("a", "w-1", { ...large, terminating: true })],
      asking(400),
      1 + 1,
    ],
    ["pods on a node that is gone don't", nodes(1, core(1)), [running("a", "gone", large)], asking(400), 1 + 2],
    ["own pods that wait take room first", nodes(1, core(1)), [pod("web", "web-1", "")], asking(400), 1 + 1],
    [
      "and may take it all",
      nodes(1, core(1)),
      [pod("web", "a", ""), pod("web", "b", ""), pod("web", "c", "")],
      asking(400),
      1,
    ],
    ["waiting pods of others don't", nodes(1, core(1)), [running("a", "", large)], asking(400), 1 + 2],
    [
      "current where one of them is unschedulable",
      nodes(3),
      [pod("web", "web-1", "", { unschedulable: true })],
      web(),
      1,
    ],
    ["unschedulable pods of others say nothing", nodes(3), [running("a", "", { unschedulable: true })], web(), 10],
    ["a node that states nothing bounds nothing", [node("w-1", { allocatable: null })], [], asking(9999), 10],
    [
      "a full node, and a request of nothing",
      nodes(1, core(1)),
      [running("a", "w-1", { claims: requesting({ cpu: 2000 }) })],
      asking(0),
      10,
    ],
  ])("%s", (_, all, pods, subject, expected) => {
    expect(capacityOf(subject, indexOf({ nodes: all, pods })).capacity).toBe(expected);
  });

  it("is current where creating pods fails", () => {
    const refused = web({}, { replicas: 2, replicaFailure: "quota exceeded" });
    expect(capacityOf(refused, indexOf({ nodes: nodes(3) }))).toEqual({ capacity: 2, known: true });
  });

  it("is never below current", () => {
    expect(capacityOf(web({}, { replicas: 5 }), indexOf({ nodes: nodes(3) }), 2).capacity).toBe(5);
  });

  it("counts new pods on G alone", () => {
    const index = indexOf({ nodes: nodes(3, core(1)) });
    const subject = asking(1000);
    const room = createRoom(index);
    expect(room.capacity(admit(subject, workload("web"), index), subject, index.nodes.slice(0, 1), 10).capacity).toBe(
      2,
    );
  });

  it.each<[string, ClusterIndex, { capacity: number; known: boolean }]>([
    [
      "pods that can't be read",
      indexOf({ nodes: nodes(1), unread: { pods: "forbidden" } }),
      { capacity: Number.POSITIVE_INFINITY, known: false },
    ],
    [
      "more pods than are counted",
      indexOf({ nodes: nodes(1), pods: [pod("a", "a", "w-1")] }, 0),
      { capacity: Number.POSITIVE_INFINITY, known: false },
    ],
    [
      "a node without allocatable",
      indexOf({ nodes: [node("w-1", { allocatable: null }), node("w-2")] }),
      { capacity: 10, known: false },
    ],
    ["all known", indexOf({ nodes: nodes(1) }), { capacity: 10, known: true }],
  ])("known or not: %s", (_, index, expected) => {
    expect(capacityOf(web(), index)).toEqual(expected);
  });

  describe("beside standing pods", () => {
    const three = nodes(3);
    const withPort = (name: string, nodeName: string, port: Partial<typeof PORT> = {}, fields: Partial<Pod> = {}) =>
      running(name, nodeName, { claims: claims({ hostPorts: [{ ...PORT, ...port }] }), ...fields });
    const port80 = web({ claims: claims({ hostPorts: [PORT] }) });
    const apart = web({
      claims: { ...requesting({ cpu: 4000 }), podAntiAffinity: [affinityTerm("other")] },
    });
    const onlyOneAddress = web({ claims: claims({ hostPorts: [{ ...PORT, ip: "10.0.0.1" }] }) });
    const hating = (
      name: string,
      nodeName: string,
      term: Parameters<typeof affinityTerm>[1] = {},
      fields: Partial<Pod> = {},
    ) => running(name, nodeName, { claims: claims({ podAntiAffinity: [affinityTerm("web", term)] }), ...fields });

    it.each<[string, Pod[], Deployment, number]>([
      ["a host port in use", [withPort("a", "w-1")], port80, 1 + 2],
      ["by a terminating pod", [withPort("a", "w-1", {}, { terminating: true })], port80, 1 + 2],
      ["another port", [withPort("a", "w-1", { port: 81 })], port80, 1 + 3],
      ["another protocol", [withPort("a", "w-1", { protocol: "UDP" })], port80, 1 + 3],
      ["the port on one address, wanted on all", [withPort("a", "w-1", { ip: "10.0.0.1" })], port80, 1 + 2],
      ["the port on all, wanted on one address", [withPort("a", "w-1")], onlyOneAddress, 1 + 2],
      ["the port on another address", [withPort("a", "w-1", { ip: "10.0.0.2" })], onlyOneAddress, 1 + 3],
      [
        "own pods that keep new ones away",
        [pod("web", "web-1", "w-1", { claims: excluding })],
        web({ claims: excluding }),
        1 + 2,
      ],
      [
        "an own pod that is terminating, too",
        [pod("web", "web-1", "w-1", { claims: excluding, terminating: true })],
        web({ claims: excluding }),
        1 + 2,
      ],
      ["others that the pod keeps away from", [running("a", "w-1")], apart, 1 + 2],
      ["terminating ones too", [running("a", "w-1", { terminating: true })], apart, 1 + 2],
      ["but not those of another namespace", [running("a", "w-1", { namespace: "x" })], apart, 1 + 3],
      [
        "others whose term is narrowed to the labels they share",
        [hating("a", "w-1", { matchLabelKeys: ["track"] }, { labels: { app: "other", track: "canary" } })],
        web({ claims: requesting({ cpu: 4000 }) }),
        1 + 3,
      ],
      ["others that keep the pod away", [hating("a", "w-1"), hating("b", "w-2"), hating("c", "w-3")], web(), 1],
      ["some of them", [hating("a", "w-1")], web({ claims: requesting({ cpu: 4000 }) }), 1 + 2],
      [
        "a terminating one, too",
        [hating("a", "w-1", {}, { terminating: true })],
        web({ claims: requesting({ cpu: 4000 }) }),
        1 + 2,
      ],
      [
        "others that keep pods of another app away",
        [hating("a", "w-1", { selector: [labelIn("app", "api")] })],
        web({ claims: requesting({ cpu: 4000 }) }),
        1 + 3,
      ],
      [
        "others elsewhere that mean their own namespace",
        [hating("a", "w-1", {}, { namespace: "x" })],
        web({ claims: requesting({ cpu: 4000 }) }),
        1 + 3,
      ],
      [
        "others elsewhere that mean this one",
        [hating("a", "w-1", { namespaces: ["shop"] }, { namespace: "x" })],
        web({ claims: requesting({ cpu: 4000 }) }),
        1 + 2,
      ],
      [
        "others that shut a label no node has",
        [hating("a", "w-1", { topologyKey: "rack" })],
        web({ claims: requesting({ cpu: 4000 }) }),
        1 + 3,
      ],
    ])("%s", (_, pods, subject, expected) => {
      expect(capacityOf(subject, indexOf({ nodes: three, pods })).capacity).toBe(expected);
    });

    const zoned = (name: string, zone: string) => node(name, { labels: { [ZONE]: zone } });
    const twoZones = [zoned("a", "a"), zoned("b", "b")];
    const spreading = (fields: Parameters<typeof spread>[1] = {}) => web({ topologySpread: [spread("web", fields)] });
    const own = (name: string, nodeName: string, fields: Partial<Pod> = {}) => pod("web", name, nodeName, fields);

    it.each<[string, Pod[], Deployment, string[], number]>([
      ["matching pods count for the skew", [own("1", "a"), own("2", "a")], spreading(), ["a"], 1],
      ["and let others catch up", [own("1", "a"), own("2", "a")], spreading(), ["b"], 1 + 3],
      [
        "those of others too, where the selector matches them",
        [running("1", "a")],
        spreading({ selector: [labelIn("app", "other")] }),
        ["a"],
        10,
      ],
      [
        "and shut a zone for good where the pod itself is not counted",
        [running("1", "a"), running("2", "a")],
        spreading({ selector: [labelIn("app", "other")] }),
        ["a"],
        1,
      ],
      ["not those of another namespace", [own("1", "a", { namespace: "x" })], spreading(), ["a"], 1 + 1],
      ["not terminating ones", [own("1", "a", { terminating: true })], spreading(), ["a"], 1 + 1],
    ])("a spread constraint: %s", (_, pods, subject, names, expected) => {
      const index = indexOf({ nodes: twoZones, pods });
      const grow = index.nodes.filter(({ name }) => names.includes(name));
      const room = createRoom(index);
      expect(room.capacity(admit(subject, workload("web"), index), subject, grow, 10).capacity).toBe(expected);
    });

    it("counts no pods on nodes that the constraint leaves out", () => {
      const subject = web({ nodeSelector: { pool: "app" }, topologySpread: [spread("web")] });
      const all = [zoned("a-old", "a"), ...twoZones.map((one) => ({ ...one, labels: { ...one.labels, pool: "app" } }))];
      const index = indexOf({ nodes: all, pods: [own("1", "a-old"), own("2", "a-old")] });
      const grow = index.nodes.filter(({ name }) => name !== "a-old");
      const room = createRoom(index);
      expect(room.capacity(admit(subject, workload("web"), index), subject, grow, 10).capacity).toBe(10);
    });
  });
});

describe("a settling node, which is not counted and which the scheduler takes all the same", () => {
  const placed = (name: string, zone: string, rack: string, pods: number) =>
    node(name, { labels: { [ZONE]: zone, rack }, allocatable: { cpu: 2000, memory: GIB, pods } });
  // Found by the scheduler: with two pods on the new node, zone a is two ahead of b, and rack 1 is one ahead of rack 2.
  const all = [
    placed("a-1", "a", "2", 4),
    placed("a-2", "a", "2", 2),
    placed("b", "b", "1", 4),
    placed("new", "a", "1", 2),
  ];
  const subject = web({
    topologySpread: [
      spread("web", { topologyKey: ZONE, maxSkew: 2, matchLabelKeys: ["pod-template-hash"] }),
      spread("web", { topologyKey: "rack" }),
    ],
  });
  const labels = { app: "web", "pod-template-hash": "h" };
  const index = indexOf({ nodes: all, pods: [pod("web", "orphan", "a-2"), pod("web", "1", "new", { labels })] });
  const grow = index.nodes.filter(({ name }) => name !== "new");
  const settling = index.nodes.filter(({ name }) => name === "new");
  const capacity = (others?: typeof settling) =>
    createRoom(index).capacity(admit(subject, workload("web"), index), subject, grow, 3, others).capacity;

  it("can shut the others under several topology keys", () => {
    expect(capacity(settling)).toBe(1 + 1);
    expect(capacity()).toBe(1 + 2);
  });
});

describe("room that is taken", () => {
  /** Names of the nodes on which a probe of so much CPU still fits, once `web` has taken room for so many replicas. */
  function openFor(cpu: number, fields: Partial<Snapshot>, subject: Deployment, replicas: number): string[] {
    const index = indexOf(fields);
    const room = createRoom(index);
    room.take(admit(subject, workload("web"), index), subject, index.nodes, replicas);
    const probe = deployment("probe", { template: { claims: requesting({ cpu }) } });
    const admitted = admit(probe, workload("probe"), index);
    return index.nodes.filter((one) => room.capacity(admitted, probe, [one], 2).capacity === 2).map(({ name }) => name);
  }

  const one = asking(1000);
  it.each<[string, Partial<Snapshot>, Deployment, number, string[]]>([
    ["none, without new replicas", { nodes: nodes(3, core(1)) }, one, 1, ["w-1", "w-2", "w-3"]],
    ["by name, where nothing else tells nodes apart", { nodes: nodes(3, core(1)) }, one, 2, ["w-2", "w-3"]],
    [
      "where the most CPU is free",
      { nodes: [node("w-1", core(1)), node("w-2", core(2)), node("w-3", core(1))] },
      one,
      3,
      ["w-2", "w-3"],
    ],
    [
      "before that, where the fewest own pods are",
      { nodes: [node("w-1", core(8)), node("w-2", core(1))], pods: [pod("web", "web-1", "w-1")] },
      one,
      2,
      ["w-1"],
    ],
    [
      "a node that states nothing counts as the most free",
      { nodes: [node("w-1", core(1)), node("w-2", { allocatable: null })] },
      one,
      2,
      ["w-1", "w-2"],
    ],
    [
      "that of waiting pods, without new replicas",
      { nodes: nodes(2, core(1)), pods: [pod("web", "web-1", "")] },
      one,
      1,
      ["w-2"],
    ],
    [
      "none for a waiting pod that is unschedulable",
      { nodes: nodes(1, core(1)), pods: [pod("web", "web-1", "", { unschedulable: true })] },
      one,
      1,
      ["w-1"],
    ],
    ["no more than there is", { nodes: nodes(2, core(1)) }, one, 10, []],
    [
      "one a node, where pods keep each other away",
      { nodes: nodes(3, core(2)) },
      web({ claims: { ...excluding, containers: [container({ cpu: 1500 })] } }),
      3,
      ["w-3"],
    ],
  ])("%s", (_, fields, subject, replicas, expected) => {
    expect(openFor(1000, fields, subject, replicas)).toEqual(expected);
  });

  it("is taken by spreading: a zone opens again when another has caught up", () => {
    const zoned = (name: string, zone: string) => node(name, { ...core(4), labels: { [ZONE]: zone } });
    const subject = web({ claims: requesting({ cpu: 1000 }), topologySpread: [spread("web")] });
    // Two on each of a-1 and b-1, where a-1 alone would take the first of every round.
    expect(openFor(2001, { nodes: [zoned("a-1", "a"), zoned("b-1", "b")] }, subject, 5)).toEqual([]);
    expect(openFor(2000, { nodes: [zoned("a-1", "a"), zoned("b-1", "b")] }, subject, 5)).toEqual(["a-1", "b-1"]);
  });

  it.each<[string, Partial<Deployment["template"]>]>([
    ["by host port", { claims: claims({ hostPorts: [PORT] }) }],
    ["by the next workload's anti-affinity", { claims: claims({ podAntiAffinity: [affinityTerm("first")] }) }],
  ])("keeps the next workload away %s", (_, template) => {
    const index = indexOf({ nodes: nodes(3) });
    const room = createRoom(index);
    const first = deployment("first", { template: { claims: claims({ hostPorts: [PORT] }) } });
    room.take(admit(first, workload("first"), index), first, index.nodes, 3);
    const next = deployment("next", {
      template: { ...template, claims: { ...claims(), ...template.claims, containers: [container({ cpu: 3000 })] } },
    });
    expect(room.capacity(admit(next, workload("next"), index), next, index.nodes, 9).capacity).toBe(1 + 1);
  });

  it("keeps the next workload away by the first one's anti-affinity", () => {
    const index = indexOf({ nodes: nodes(3) });
    const room = createRoom(index);
    const first = deployment("first", { template: { claims: claims({ podAntiAffinity: [affinityTerm("next")] }) } });
    room.take(admit(first, workload("first"), index), first, index.nodes, 3);
    const next = deployment("next", { template: { claims: requesting({ cpu: 3000 }) } });
    expect(room.capacity(admit(next, workload("next"), index), next, index.nodes, 9).capacity).toBe(1 + 1);
  });

  it("is no longer there for the same pod", () => {
    const index = indexOf({ nodes: nodes(4) });
    const room = createRoom(index);
    const subject = web({ claims: claims({ hostPorts: [PORT] }) });
    const admitted = admit(subject, workload("web"), index);
    expect(room.capacity(admitted, subject, index.nodes, 9).capacity).toBe(1 + 4);
    room.take(admitted, subject, index.nodes, 3);
    expect(room.capacity(admitted, subject, index.nodes, 9).capacity).toBe(1 + 2);
  });

  it("is nobody's where the pods are unknown", () => {
    const index = indexOf({ nodes: nodes(1, core(1)), unread: { pods: "forbidden" } });
    const room = createRoom(index);
    room.take(admit(one, workload("web"), index), one, index.nodes, 5);
    expect(room.capacity(admit(one, workload("web"), index), one, index.nodes, 5)).toEqual({
      capacity: Number.POSITIVE_INFINITY,
      known: false,
    });
  });
});
