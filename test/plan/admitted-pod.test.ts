import { describe, expect, it } from "vitest";
import type { Deployment, Namespace, RuntimeClass, Snapshot } from "../../src/cluster/snapshot.ts";
import { type AdmittedPod, admit, ofRevision } from "../../src/plan/admitted-pod.ts";
import { indexSnapshot } from "../../src/plan/cluster-index.ts";
import {
  affinityTerm,
  claims,
  container,
  deployment,
  labelIn,
  pod,
  policy,
  snapshot,
  spread,
  toleration,
  workload,
} from "./builders.ts";

const gvisor: RuntimeClass = {
  name: "gvisor",
  nodeSelector: { sandbox: "yes" },
  tolerations: [toleration({ key: "sandbox" })],
  overhead: { cpu: 50 },
};

const namespace = (fields: Partial<Namespace>): Namespace => ({
  name: "shop",
  labels: {},
  nodeSelector: null,
  defaultTolerations: null,
  openshiftNodeSelector: null,
  ...fields,
});

function admitted(template: Partial<Deployment["template"]>, fields: Partial<Snapshot> = {}): AdmittedPod {
  return admit(deployment("web", { template }), workload("web"), indexSnapshot(snapshot(fields), policy([])));
}

describe("admit", () => {
  it("fills in what LimitRanges say and adds up the requests", () => {
    const limitRanges = [
      { namespace: "shop", name: "l", containers: [{ default: { cpu: 500 }, defaultRequest: { cpu: 250 } }] },
      { namespace: "other", name: "l", containers: [{ default: { cpu: 900 }, defaultRequest: { cpu: 900 } }] },
    ];
    const { requests, claims: filled } = admitted(
      { claims: claims({ containers: [container(), container()] }) },
      { limitRanges },
    );
    expect(requests).toEqual({ cpu: 500 });
    expect(filled.containers[1]?.limits).toEqual({ cpu: 500 });
  });

  it("follows the RuntimeClass: its nodes, its tolerations, its overhead", () => {
    const { requests, tolerations, addedNodeSelectors, refusal } = admitted(
      { runtimeClassName: "gvisor", claims: claims({ containers: [container({ cpu: 100 })] }) },
      { runtimeClasses: [gvisor] },
    );
    expect(requests).toEqual({ cpu: 150 });
    expect(tolerations).toContainEqual(toleration({ key: "sandbox" }));
    expect(addedNodeSelectors).toEqual([{ of: "RuntimeClass gvisor", labels: { sandbox: "yes" } }]);
    expect(refusal).toBeNull();
  });

  it.each<[string, Partial<Namespace>, AdmittedPod["addedNodeSelectors"]]>([
    ["without an annotation", {}, []],
    [
      "with one",
      { nodeSelector: "disk=ssd, zone = a" },
      [{ of: "namespace shop", labels: { disk: "ssd", zone: "a" } }],
    ],
    ["with OpenShift's", { openshiftNodeSelector: "pool=app" }, [{ of: "namespace shop", labels: { pool: "app" } }]],
    ["with an empty one", { openshiftNodeSelector: "" }, []],
    ["with one that is no list of labels", { nodeSelector: "disk in (ssd)" }, []],
  ])("a namespace %s", (_, fields, expected) => {
    expect(admitted({}, { namespaces: [namespace(fields)] }).addedNodeSelectors).toEqual(expected);
  });

  it.each<[string, Partial<Deployment["template"]>, Partial<Snapshot>, string | null]>([
    ["a RuntimeClass that does not exist", { runtimeClassName: "kata" }, {}, "RuntimeClass kata does not exist"],
    [
      "a RuntimeClass where they can't be read",
      { runtimeClassName: "kata" },
      { unread: { runtimeclasses: "forbidden" } },
      null,
    ],
    [
      "a RuntimeClass for other nodes",
      { runtimeClassName: "gvisor", nodeSelector: { sandbox: "no" } },
      { runtimeClasses: [gvisor] },
      "nodeSelector sandbox=no contradicts sandbox=yes of RuntimeClass gvisor",
    ],
    [
      "a namespace for other nodes",
      { nodeSelector: { disk: "hdd" } },
      { namespaces: [namespace({ nodeSelector: "disk=ssd" })] },
      "nodeSelector disk=hdd contradicts disk=ssd of namespace shop",
    ],
    [
      "a namespace for the same nodes",
      { nodeSelector: { disk: "ssd" } },
      { namespaces: [namespace({ nodeSelector: "disk=ssd" })] },
      null,
    ],
    [
      "a namespace that contradicts itself",
      {},
      { namespaces: [namespace({ nodeSelector: "disk=ssd", openshiftNodeSelector: "disk=hdd" })] },
      "nodeSelector disk=ssd contradicts disk=hdd of namespace shop",
    ],
  ])("refused or not: %s", (_, template, fields, expected) => {
    expect(admitted(template, fields).refusal).toBe(expected);
  });

  it("tolerates what the live pods of the Deployment tolerate, each once and in one order", () => {
    const tolerating = (name: string, key: string, fields = {}) =>
      pod("web", name, "w-1", { claims: claims({ tolerations: [toleration({ key })] }), ...fields });
    const pods = [
      tolerating("web-1", "device"),
      tolerating("web-2", "device"),
      tolerating("web-3", "gone", { terminating: true }),
      tolerating("api-1", "other", { labels: { app: "api" } }),
    ];
    const own = { claims: claims({ tolerations: [toleration({ key: "spot" }), toleration({ key: "device" })] }) };
    const defaults = [
      toleration({ key: "node.kubernetes.io/not-ready", effect: "NoExecute" }),
      toleration({ key: "node.kubernetes.io/unreachable", effect: "NoExecute" }),
    ];
    const expected = [toleration({ key: "device" }), ...defaults, toleration({ key: "spot" })];
    expect(admitted(own, { pods }).tolerations).toEqual(expected);
    expect(admitted(own, { pods: pods.toReversed() }).tolerations).toEqual(expected);
  });

  it("does not tolerate what pods of another revision, or of none, tolerate", () => {
    const tolerating = (name: string, key: string, hash: object) =>
      pod("web", name, "w-1", {
        labels: { app: "web", ...hash },
        claims: claims({ tolerations: [toleration({ key })] }),
      });
    const pods = [
      tolerating("web-1", "device", { "pod-template-hash": "new" }),
      tolerating("web-2", "device", { "pod-template-hash": "new" }),
      tolerating("web-3", "old", { "pod-template-hash": "old" }),
      tolerating("orphan", "everything", {}),
    ];
    const keys = admitted({}, { pods }).tolerations.map(({ key }) => key);
    expect(keys).toEqual(["device", "node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"]);
  });

  it.each<[string, Partial<Deployment["template"]>, Partial<Snapshot>, string | null]>([
    ["the policy's, where nothing speaks of it", {}, {}, "linux"],
    ["that of spec.os", { os: "windows" }, {}, "windows"],
    ["left to a nodeSelector", { nodeSelector: { "kubernetes.io/os": "windows" } }, {}, null],
    ["left to a nodeSelector with the older label", { nodeSelector: { "beta.kubernetes.io/os": "linux" } }, {}, null],
    [
      "left to an affinity",
      { nodeAffinity: [{ matchExpressions: [labelIn("kubernetes.io/os", "windows")], matchFields: [] }] },
      {},
      null,
    ],
    [
      "left to a RuntimeClass",
      { runtimeClassName: "gvisor" },
      { runtimeClasses: [{ ...gvisor, nodeSelector: { "kubernetes.io/os": "windows" } }] },
      null,
    ],
    ["left to a namespace", {}, { namespaces: [namespace({ nodeSelector: "kubernetes.io/os=windows" })] }, null],
    ["another label says nothing of it", { nodeSelector: { disk: "ssd" } }, {}, "linux"],
  ])("operating system: %s", (_, template, fields, expected) => {
    expect(admitted(template, fields).os).toBe(expected);
  });

  it("finds the affinity of volumes that its claims are bound to", () => {
    const terms = [{ matchExpressions: [labelIn("zone", "a")], matchFields: [] }];
    const claim = (name: string, volumeName: string, namespaceName = "shop") => ({
      namespace: namespaceName,
      name,
      accessModes: [],
      volumeName,
    });
    const { volumeAffinities } = admitted(
      {
        volumes: [
          { type: "claim", name: "v", claimName: "bound", readOnly: false },
          { type: "claim", name: "w", claimName: "unbound", readOnly: false },
          { type: "claim", name: "x", claimName: "anywhere", readOnly: false },
          { type: "claim", name: "y", claimName: "unread", readOnly: false },
          { type: "ephemeral", name: "z" },
        ],
      },
      {
        persistentVolumeClaims: [
          claim("bound", "pv-1"),
          claim("unbound", ""),
          claim("anywhere", "pv-2"),
          claim("unread", "pv-1", "other"),
        ],
        persistentVolumes: [
          { name: "pv-1", nodeAffinity: terms },
          { name: "pv-2", nodeAffinity: null },
        ],
      },
    );
    expect(volumeAffinities).toEqual([{ claimName: "bound", terms }]);
  });
});

describe("the revision of the pod", () => {
  const live = (name: string, revision: string) =>
    pod("web", name, "w-1", { labels: { app: "web", "pod-template-hash": revision } });

  it.each([
    ["none lives", [], ""],
    ["one does", [live("a", "r1")], "r1"],
    ["several do: that of the most", [live("a", "r1"), live("b", "r2"), live("c", "r2")], "r2"],
    ["as many of each: the first by name", [live("a", "r2"), live("b", "r1")], "r1"],
  ])("where %s", (_, pods, expected) => {
    expect(admitted({}, { pods }).labels).toEqual({ app: "web", "pod-template-hash": expected });
  });

  it("is in the selectors that ask for it", () => {
    const template = {
      topologySpread: [spread("web", { matchLabelKeys: ["pod-template-hash", "missing"] })],
      claims: claims({ podAntiAffinity: [affinityTerm("web", { mismatchLabelKeys: ["pod-template-hash"] })] }),
    };
    const { topologySpread, antiAffinity } = ofRevision(admitted(template), "r9");
    expect(topologySpread[0]?.selector).toEqual([labelIn("app", "web"), labelIn("pod-template-hash", "r9")]);
    expect(antiAffinity[0]?.selector).toEqual([
      labelIn("app", "web"),
      { key: "pod-template-hash", operator: "NotIn", values: ["r9"] },
    ]);
  });

  it("leaves a selector that selects nothing as it is", () => {
    const none = spread("web", { selector: null, matchLabelKeys: ["app"] });
    expect(admitted({ topologySpread: [none] }).topologySpread[0]?.selector).toBeNull();
  });
});
