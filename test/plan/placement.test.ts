import { describe, expect, it } from "vitest";
import type { Node, PodTemplate } from "../../src/cluster/snapshot.ts";
import { admit } from "../../src/plan/admitted-pod.ts";
import { indexSnapshot } from "../../src/plan/cluster-index.ts";
import { isSelfExcluding, placement, surgeFits } from "../../src/plan/placement.ts";
import {
  affinityTerm,
  claims,
  deployment,
  labelIn,
  node,
  policy,
  snapshot,
  spread,
  taint,
  toleration,
  workload,
} from "./builders.ts";

const ZONE = "topology.kubernetes.io/zone";
const HOST = "kubernetes.io/hostname";
const PORT = { port: 80, protocol: "TCP", ip: "0.0.0.0" };

/** A node `<zone>-<number>`, further labels after it. */
const zoned = (name: string, fields: Partial<Node> = {}): Node =>
  node(name, { ...fields, labels: { [ZONE]: name.split("-")[0] ?? "", ...fields.labels } });
const ABB = [zoned("a-1"), zoned("b-1"), zoned("b-2")];

const excluding = (...keys: string[]): Partial<PodTemplate> => ({
  claims: claims({ podAntiAffinity: keys.map((topologyKey) => affinityTerm("web", { topologyKey })) }),
});
const withPort: Partial<PodTemplate> = { claims: claims({ hostPorts: [PORT] }) };
const spreading = (fields: Partial<ReturnType<typeof spread>>, ...more: Partial<ReturnType<typeof spread>>[]) => ({
  topologySpread: [fields, ...more].map((one) => spread("web", one)),
});

/** The template on the named nodes of a cluster (on all, where none is named). */
function placed(
  all: Node[],
  template: Partial<PodTemplate>,
  names: string[] = all.map(({ name }) => name),
  enough = 20,
) {
  const index = indexSnapshot(snapshot({ nodes: all }), policy([]));
  const pod = admit(deployment("web", { template }), workload("web"), index);
  return placement(
    pod,
    index.nodes.filter(({ name }) => names.includes(name)),
    index,
    enough,
  );
}

describe("placement", () => {
  it.each<[string, Node[], Partial<PodTemplate>, string[] | undefined, number]>([
    ["a plain pod: nothing bounds it", ABB, {}, undefined, Number.POSITIVE_INFINITY],
    ["no node", ABB, {}, [], 0],
    ["a host port: one a node", ABB, withPort, undefined, 3],
    ["anti-affinity by hostname: one a node", ABB, excluding(HOST), undefined, 3],
    ["anti-affinity by zone: one a zone", ABB, excluding(ZONE), undefined, 2],
    ["anti-affinity by zone and by hostname", ABB, excluding(HOST, ZONE), undefined, 2],
    ["anti-affinity by a label no node has bounds nothing", ABB, excluding("rack"), undefined, 20],
    [
      "anti-affinity towards others bounds nothing",
      ABB,
      { claims: claims({ podAntiAffinity: [affinityTerm("api")] }) },
      undefined,
      Number.POSITIVE_INFINITY,
    ],
    ["spread over two zones with skew 1", ABB, spreading({}), undefined, 20],
    ["spread where one zone can't be used", ABB, spreading({}), ["b-1", "b-2"], 1],
    ["the same with skew 3", ABB, spreading({ maxSkew: 3 }), ["b-1", "b-2"], 3],
    [
      "spread with one pod a node: the smaller zone bounds the larger",
      ABB,
      { ...withPort, ...spreading({}) },
      undefined,
      3,
    ],
    [
      "four nodes in the larger zone: one more than in the smaller",
      [...ABB, zoned("b-3"), zoned("b-4")],
      { ...withPort, ...spreading({}) },
      undefined,
      3,
    ],
    ["too few zones for minDomains: skew counts from 0", ABB, spreading({ minDomains: 3 }), undefined, 2],
    ["enough zones for minDomains", ABB, spreading({ minDomains: 2 }), undefined, 20],
    [
      "a selector for other pods bounds nothing",
      ABB,
      spreading({ selector: [labelIn("app", "api")] }),
      undefined,
      Number.POSITIVE_INFINITY,
    ],
    ["a selector for no pod bounds nothing", ABB, spreading({ selector: null }), undefined, Number.POSITIVE_INFINITY],
    [
      "an empty selector bounds nothing: the scheduler counts no pod for it",
      ABB,
      spreading({ selector: [] }),
      ["b-1"],
      Number.POSITIVE_INFINITY,
    ],
    [
      "zones and hostnames, one zone of one node: its node and the others hold each other down",
      ABB,
      spreading({}, { topologyKey: HOST }),
      undefined,
      5,
    ],
  ])("%s", (_, all, template, names, expected) => {
    expect(placed(all, template, names)).toBe(expected);
  });

  it("counts no further than asked", () => {
    expect(placed(ABB, withPort, undefined, 2)).toBe(2);
    expect(placed(ABB, spreading({}), undefined, 7)).toBe(7);
  });

  describe("the domains of a spread constraint", () => {
    const tainted = zoned("c-1", { taints: [taint("dedicated")] });
    const cordoned = zoned("c-1", { taints: [taint("node.kubernetes.io/unschedulable")] });
    const usable = ["a-1", "b-1", "b-2"];
    const tolerant = { claims: claims({ tolerations: [toleration({ key: "dedicated" })] }) };
    const onlyAB = { nodeAffinity: [{ matchExpressions: [labelIn(ZONE, "a", "b")], matchFields: [] }] };

    it.each<[string, Node, Partial<PodTemplate>, number]>([
      ["a zone whose taint is not tolerated is one all the same", tainted, spreading({}), 2],
      ["and is none where taints are honored", tainted, spreading({ nodeTaintsPolicy: "Honor" }), 20],
      [
        "but is one where the taint is tolerated",
        tainted,
        { ...tolerant, ...spreading({ nodeTaintsPolicy: "Honor" }) },
        2,
      ],
      ["a taint of health is a taint there", cordoned, spreading({ nodeTaintsPolicy: "Honor" }), 20],
      ["a zone that the affinity leaves out is none", zoned("c-1"), { ...onlyAB, ...spreading({}) }, 20],
      [
        "and is one where the affinity is ignored",
        zoned("c-1"),
        { ...onlyAB, ...spreading({ nodeAffinityPolicy: "Ignore" }) },
        2,
      ],
      ["a nodeSelector is part of the affinity", zoned("c-1"), { nodeSelector: { pool: "app" }, ...spreading({}) }, 2],
      [
        "a node without the label of another constraint is in no domain of any",
        node("x", { labels: { [ZONE]: "c" } }),
        spreading({}, { topologyKey: "rack", maxSkew: 9 }),
        20,
      ],
    ])("%s", (_, extra, template, expected) => {
      const pooled = ABB.map((one) => ({ ...one, labels: { ...one.labels, pool: "app", rack: one.name } }));
      const last = template.nodeSelector === undefined ? extra : { ...extra, labels: { ...extra.labels, pool: "app" } };
      expect(placed([...pooled, last], template, usable)).toBe(expected);
    });

    it("takes nodes of its own as healthy", () => {
      const nodes = [zoned("a-1"), zoned("a-2"), zoned("a-3"), zoned("b-1", { taints: cordoned.taints })];
      const template = { ...withPort, ...spreading({ nodeTaintsPolicy: "Honor" }) };
      // One on b-1, and so no more than two in the other zone.
      expect(placed(nodes, template)).toBe(3);
      expect(placed(nodes, template, ["a-1", "a-2", "a-3"])).toBe(3);
    });
  });

  it("counts the fewest that the scheduler may end with where domains cross", () => {
    const at = (name: string, zone: string, rack: string) => node(name, { labels: { [ZONE]: zone, rack } });
    // Pods on the first and second node go together; one on the third leaves no other.
    const nodes = [at("n-1", "a", "r2"), at("n-2", "b", "r1"), at("n-3", "a", "r1")];
    expect(placed(nodes, excluding(ZONE, "rack"))).toBe(1);
    expect(placed(nodes.slice(0, 2), excluding(ZONE, "rack"))).toBe(2);
  });
});

describe("isSelfExcluding", () => {
  it.each<[string, Partial<PodTemplate>, boolean]>([
    ["a plain pod", {}, false],
    ["a host port", withPort, true],
    ["anti-affinity towards itself", excluding(HOST), true],
    ["anti-affinity towards others", { claims: claims({ podAntiAffinity: [affinityTerm("api")] }) }, false],
    ["a spread constraint", spreading({}), false],
  ])("%s", (_, template, expected) => {
    const index = indexSnapshot(snapshot(), policy([]));
    expect(isSelfExcluding(admit(deployment("web", { template }), workload("web"), index), index)).toBe(expected);
  });
});

describe("surgeFits", () => {
  const byRevision = {
    claims: claims({ podAntiAffinity: [affinityTerm("web", { matchLabelKeys: ["pod-template-hash"] })] }),
  };

  it.each<[string, Partial<PodTemplate>, number, boolean]>([
    ["a node is left", excluding(HOST), 2, true],
    ["no node is left", excluding(HOST), 3, false],
    ["replicas beyond the nodes", excluding(HOST), 5, false],
    ["a zone is left", excluding(ZONE), 1, true],
    ["no zone is left", excluding(ZONE), 2, false],
    ["no host port is left", withPort, 3, false],
    ["rules among pods of one revision leave every node", byRevision, 3, true],
  ])("%s", (_, template, replicas, expected) => {
    const index = indexSnapshot(snapshot({ nodes: ABB }), policy([]));
    const pod = admit(deployment("web", { template }), workload("web"), index);
    expect(surgeFits(pod, index.nodes, index, replicas)).toBe(expected);
  });
});
