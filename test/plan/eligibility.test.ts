import { describe, expect, it } from "vitest";
import type { Node, NodeSelectorTerm, PodTemplate, Snapshot } from "../../src/cluster/snapshot.ts";
import { admit } from "../../src/plan/admitted-pod.ts";
import { indexSnapshot } from "../../src/plan/cluster-index.ts";
import { eligibleNodes, rejects, selectsNodes } from "../../src/plan/eligibility.ts";
import {
  claims,
  deployment,
  labelIn,
  node,
  nodes,
  policy,
  snapshot,
  spread,
  taint,
  toleration,
  workload,
} from "./builders.ts";

const term = (fields: Partial<NodeSelectorTerm>): NodeSelectorTerm => ({
  matchExpressions: [],
  matchFields: [],
  ...fields,
});
const expression = (
  key: string,
  operator: "In" | "NotIn" | "Exists" | "DoesNotExist" | "Gt" | "Lt",
  ...values: string[]
) => term({ matchExpressions: [{ key, operator, values }] });
const tolerating = (key: string) => ({ claims: claims({ tolerations: [toleration({ key })] }) });

/** What the only node of a cluster is rejected for, and whether the list of eligible nodes agrees. */
function verdict(fields: Partial<Node>, template: Partial<PodTemplate>, cluster: Partial<Snapshot> = {}) {
  const index = indexSnapshot(
    snapshot({ nodes: [node("w-1", fields)], ...cluster }),
    policy([], { workers: { startupTaints: ["cni.example/agent"] } }),
  );
  const [only] = index.nodes;
  if (only === undefined) throw new Error("no node");
  const pod = admit(deployment("web", { template }), workload("web"), index);
  const clause = rejects(pod, only, index);
  expect(eligibleNodes(pod, index.nodes, index)).toEqual(clause === null ? [only] : []);
  return clause;
}

describe("rejects and eligibleNodes", () => {
  const affinityClause = "does not match the required node affinity";
  const ssd = { labels: { disk: "ssd", gen: "5" } };

  it.each<[string, Partial<Node>, Partial<PodTemplate>, string | null]>([
    ["a plain pod on a plain node", {}, {}, null],
    ["nodeName", {}, { nodeName: "w-1" }, null],
    ["another nodeName", {}, { nodeName: "w-2" }, "is not w-2, which spec.nodeName asks for"],
    ["nodeSelector", ssd, { nodeSelector: { disk: "ssd" } }, null],
    [
      "a nodeSelector for another value",
      ssd,
      { nodeSelector: { disk: "hdd" } },
      "does not match nodeSelector disk=hdd",
    ],
    ["a nodeSelector for a missing label", {}, { nodeSelector: { disk: "" } }, "does not match nodeSelector disk="],
    ["affinity In", ssd, { nodeAffinity: [expression("disk", "In", "hdd", "ssd")] }, null],
    ["affinity not In", ssd, { nodeAffinity: [expression("disk", "In", "hdd")] }, affinityClause],
    ["affinity NotIn", ssd, { nodeAffinity: [expression("disk", "NotIn", "hdd")] }, null],
    ["affinity NotIn a missing label", {}, { nodeAffinity: [expression("disk", "NotIn", "hdd")] }, null],
    ["affinity Exists", ssd, { nodeAffinity: [expression("disk", "Exists")] }, null],
    ["affinity DoesNotExist", ssd, { nodeAffinity: [expression("disk", "DoesNotExist")] }, affinityClause],
    ["affinity Gt", ssd, { nodeAffinity: [expression("gen", "Gt", "4")] }, null],
    ["affinity Lt", ssd, { nodeAffinity: [expression("gen", "Lt", "5")] }, affinityClause],
    ["one of several terms", ssd, { nodeAffinity: [expression("x", "Exists"), expression("disk", "Exists")] }, null],
    [
      "all of one term",
      ssd,
      { nodeAffinity: [term({ matchExpressions: [labelIn("disk", "ssd"), labelIn("x", "y")] })] },
      affinityClause,
    ],
    ["a field", {}, { nodeAffinity: [term({ matchFields: [labelIn("metadata.name", "w-1")] })] }, null],
    ["another field", {}, { nodeAffinity: [term({ matchFields: [labelIn("metadata.name", "w-2")] })] }, affinityClause],
    [
      "expressions and fields together",
      ssd,
      {
        nodeAffinity: [
          term({ matchExpressions: [labelIn("disk", "ssd")], matchFields: [labelIn("metadata.name", "w-2")] }),
        ],
      },
      affinityClause,
    ],
    ["an empty term", {}, { nodeAffinity: [term({})] }, affinityClause],
    ["no term", {}, { nodeAffinity: [] }, affinityClause],
    ["a hard taint", { taints: [taint("gpu")] }, {}, "taint gpu:NoSchedule is not tolerated"],
    [
      "a hard taint with a value",
      { taints: [taint("gpu", "NoExecute", { value: "a100" })] },
      {},
      "taint gpu=a100:NoExecute is not tolerated",
    ],
    ["a soft taint", { taints: [taint("gpu", "PreferNoSchedule")] }, {}, null],
    ["a tolerated taint", { taints: [taint("gpu")] }, tolerating("gpu"), null],
    [
      "one of two tolerated",
      { taints: [taint("gpu"), taint("spot")] },
      tolerating("gpu"),
      "taint spot:NoSchedule is not tolerated",
    ],
    ["a taint of health", { taints: [taint("node.kubernetes.io/unschedulable")] }, {}, null],
    ["a startup taint of the policy", { taints: [taint("cni.example/agent")] }, {}, null],
    [
      "the label of a spread constraint",
      {},
      { topologySpread: [spread("web")] },
      "has no label topology.kubernetes.io/zone, over which the pods must spread",
    ],
    [
      "the label of a spread constraint that selects no pod",
      {},
      { topologySpread: [spread("web", { selector: null })] },
      "has no label topology.kubernetes.io/zone, over which the pods must spread",
    ],
    ["a spread constraint", {}, { topologySpread: [spread("web", { topologyKey: "kubernetes.io/hostname" })] }, null],
    [
      "another system, by label",
      { labels: { "kubernetes.io/os": "windows" } },
      {},
      "runs windows, and the pods are for linux",
    ],
    [
      "another system that a selector asks for",
      { labels: { "kubernetes.io/os": "windows" } },
      { nodeSelector: { "kubernetes.io/os": "windows" } },
      null,
    ],
    ["another system than spec.os", {}, { os: "windows" }, "runs linux, and the pods are for windows"],
    ["a RuntimeClass that does not exist", {}, { runtimeClassName: "kata" }, "RuntimeClass kata does not exist"],
  ])("%s", (_, fields, template, expected) => {
    expect(verdict(fields, template)).toBe(expected);
  });

  it.each<[string, Partial<Node>, string | null]>([
    ["its label", { labels: { "kubernetes.io/os": "linux" }, operatingSystem: "windows" }, null],
    [
      "the older label",
      { labels: { "beta.kubernetes.io/os": "windows" }, operatingSystem: "linux" },
      "runs windows, and the pods are for linux",
    ],
    ["the kubelet's word", { operatingSystem: "windows" }, "runs windows, and the pods are for linux"],
    ["nothing: linux", { operatingSystem: "" }, null],
  ])("a node's system by %s", (_, fields, expected) => {
    const { labels = {}, ...rest } = fields;
    const bare = { ...node("w-1", rest), labels };
    expect(verdict({}, {}, { nodes: [bare] })).toBe(expected);
  });

  it.each<[string, Record<string, string>, string | null]>([
    ["there", { zone: "a", sandbox: "yes" }, null],
    ["elsewhere", { zone: "b", sandbox: "yes" }, "the volume of claim data can't be mounted there"],
    ["outside the RuntimeClass", { zone: "a" }, "does not match nodeSelector sandbox=yes of RuntimeClass gvisor"],
  ])("a bound volume and a RuntimeClass: %s", (_, labels, expected) => {
    const template: Partial<PodTemplate> = {
      runtimeClassName: "gvisor",
      volumes: [{ type: "claim", name: "v", claimName: "data", readOnly: false }],
    };
    const cluster: Partial<Snapshot> = {
      runtimeClasses: [{ name: "gvisor", nodeSelector: { sandbox: "yes" }, tolerations: [], overhead: {} }],
      persistentVolumeClaims: [{ namespace: "shop", name: "data", accessModes: [], volumeName: "pv" }],
      persistentVolumes: [{ name: "pv", nodeAffinity: [expression("zone", "In", "a")] }],
    };
    expect(verdict({ labels }, template, cluster)).toBe(expected);
  });

  it("keeps the order of the candidates, and one list for pods that can use the same", () => {
    const index = indexSnapshot(snapshot({ nodes: nodes(3) }), policy([]));
    const candidates = index.nodes.toReversed().slice(0, 2);
    const eligible = (name: string, template: Partial<PodTemplate> = {}) =>
      eligibleNodes(admit(deployment(name, { template }), workload(name), index), candidates, index);
    expect(eligible("web").map(({ name }) => name)).toEqual(["w-3", "w-2"]);
    expect(eligible("api")).toBe(eligible("web"));
    expect(eligible("ssd", { nodeSelector: { disk: "ssd" } })).toEqual([]);
  });
});

describe("selectsNodes", () => {
  it.each<[string, Partial<PodTemplate>, boolean]>([
    ["nothing", {}, false],
    ["tolerations alone", tolerating("gpu"), false],
    ["a name", { nodeName: "w-1" }, true],
    ["a nodeSelector", { nodeSelector: { pool: "gpu" } }, true],
    ["an affinity", { nodeAffinity: [expression("pool", "Exists")] }, true],
    ["a RuntimeClass with nodes of its own", { runtimeClassName: "gvisor" }, true],
  ])("%s", (_, template, expected) => {
    const runtimeClasses = [{ name: "gvisor", nodeSelector: { sandbox: "yes" }, tolerations: [], overhead: {} }];
    const index = indexSnapshot(snapshot({ runtimeClasses }), policy([]));
    expect(selectsNodes(admit(deployment("web", { template }), workload("web"), index))).toBe(expected);
  });
});
