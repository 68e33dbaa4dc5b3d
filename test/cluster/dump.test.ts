import { describe, expect, it } from "vitest";
import { readDump, snapshotFromObjects } from "../../src/cluster/dump.ts";
import type { Snapshot } from "../../src/cluster/snapshot.ts";

const AT = "2026-01-15T12:00:00Z";

const read = (text: string): Snapshot => readDump([{ name: "dump.yaml", text }], AT);

function problemOf(text: string): string {
  try {
    read(text);
  } catch (error) {
    return String(error);
  }
  return "none";
}

const names = (text: string) => read(text).nodes.map(({ name }) => name);

describe("what kubectl prints", () => {
  const node = (name: string) => ({ apiVersion: "v1", kind: "Node", metadata: { name } });

  it("a List", () => {
    expect(names("apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Node, metadata: {name: a}}")).toEqual([
      "a",
    ]);
  });

  it("a typed list, whose items have no kind", () => {
    expect(names("apiVersion: v1\nkind: NodeList\nitems:\n- {metadata: {name: a}}\n- {metadata: {name: b}}")).toEqual([
      "a",
      "b",
    ]);
  });

  it("an empty list, written as null", () => {
    expect(names("apiVersion: v1\nkind: List\nitems: null")).toEqual([]);
  });

  it("lists within a List", () => {
    expect(
      names("apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: NodeList, items: [{metadata: {name: a}}]}"),
    ).toEqual(["a"]);
  });

  it("many documents, some of them empty", () => {
    expect(names(`# nodes\n---\n${JSON.stringify(node("a"))}\n---\n---\n${JSON.stringify(node("b"))}\n...\n`)).toEqual([
      "a",
      "b",
    ]);
  });

  it("JSON", () => {
    expect(names(JSON.stringify(node("a"), null, 2))).toEqual(["a"]);
  });

  it("JSON of several calls into one pipe", () => {
    expect(
      names(`${JSON.stringify(node("a"), null, 4)}\n${JSON.stringify(node("b"))}\n\n${JSON.stringify(node("c"))}`),
    ).toEqual(["a", "b", "c"]);
  });

  it("several files", () => {
    const snapshot = readDump(
      [
        { name: "a.yaml", text: JSON.stringify(node("a")) },
        { name: "b.json", text: JSON.stringify(node("b")) },
      ],
      AT,
    );
    expect(snapshot.nodes.map(({ name }) => name)).toEqual(["a", "b"]);
  });
});

describe("what is not ours is left out", () => {
  it("unknown kinds, and kinds of ours in other groups", () => {
    const snapshot = snapshotFromObjects(
      [
        { apiVersion: "v1", kind: "Secret", metadata: {} },
        { apiVersion: "management.cattle.io/v3", kind: "Node", metadata: { name: "a" } },
        { apiVersion: "app.k8s.io/v1beta1", kind: "Application", metadata: { name: "a", namespace: "b" } },
        { apiVersion: "example.com/v1", kind: "AllowList", metadata: { name: "a" } },
      ],
      AT,
    );
    expect(snapshot).toEqual(snapshotFromObjects([], AT));
  });

  it("knows any version of a group", () => {
    const hpa = {
      apiVersion: "autoscaling/v1",
      kind: "HorizontalPodAutoscaler",
      metadata: { namespace: "a", name: "b" },
      spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "c" }, maxReplicas: 3 },
    };
    expect(snapshotFromObjects([hpa], AT).horizontalPodAutoscalers).toHaveLength(1);
  });
});

describe("a Status in the place of objects", () => {
  const status = (kind: string, more: object = {}) =>
    JSON.stringify({
      apiVersion: "v1",
      kind: "Status",
      status: "Failure",
      reason: "Forbidden",
      message: "no",
      details: { kind },
      ...more,
    });

  it.each(["nodes", "deployments", "horizontalpodautoscalers", "scaledobjects", "rollouts", "applications"])(
    "of %s, which guard safety, is an error",
    (kind) => {
      expect(problemOf(status(kind))).toMatch(
        new RegExp(`^ReadError: dump.yaml: document 1: ${kind}\\S* could not be read: no\\. .*grant list on ${kind}`),
      );
    },
  );

  it("tells what the kind is needed for", () => {
    expect(problemOf(status("horizontalpodautoscalers"))).toBe(
      "ReadError: dump.yaml: document 1: horizontalpodautoscalers.autoscaling could not be read: no. Without them no plan " +
        "is safe (a count that an autoscaler owns is left to it): grant list on horizontalpodautoscalers.autoscaling and " +
        "dump them again",
    );
  });

  it("of another kind that matters is noted", () => {
    expect(read(`${status("pods")}\n---\n${status("resourcequotas")}`).unread).toEqual({
      pods: "forbidden: grant list on pods",
      resourcequotas: "forbidden: grant list on resourcequotas",
    });
  });

  it("of a kind that does not matter is nothing", () => {
    expect(read(status("secrets")).unread).toEqual({});
    expect(read(status("applications", { details: { kind: "applications", group: "app.k8s.io" } })).unread).toEqual({});
  });

  it("for another reason is an error", () => {
    expect(problemOf(status("pods", { reason: "Timeout" }))).toBe(
      "ReadError: dump.yaml: document 1: holds an error of the API server instead of objects: no; dump it again",
    );
  });

  it("of a success is nothing", () => {
    expect(read(status("pods", { status: "Success" })).unread).toEqual({});
  });
});

describe("never a plan from half a dump", () => {
  it.each([
    ["nothing at all", "", "dump.yaml: is empty; it must hold what kubectl get … -o yaml printed"],
    ["only comments", "# none\n---\n", "dump.yaml: is empty; it must hold what kubectl get … -o yaml printed"],
    [
      "a list that was cut off",
      "apiVersion: v1\nitems:\n- apiVersion: v1",
      "dump.yaml: document 1: kind is missing; must be a whole Kubernetes object (a list that was cut off has none)",
    ],
    [
      "a list with a next page",
      "apiVersion: v1\nkind: NodeList\nmetadata: {continue: abc, remainingItemCount: 12}\nitems: []",
      "dump.yaml: document 1: the NodeList is incomplete: 12 more objects would follow (metadata.continue); dump it again without a limit",
    ],
    [
      "the same object twice",
      "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n---\napiVersion: v1\nkind: NodeList\nitems: [{metadata: {name: a}}]",
      "dump.yaml: document 2: items[0]: Node a is there twice, first in dump.yaml: document 1; keep one of them",
    ],
    [
      "an object without a name",
      "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Node, metadata: {}}",
      "dump.yaml: document 1: items[0] (Node): metadata.name is missing; must be text that is not empty",
    ],
    [
      "an object without a namespace",
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}",
      "dump.yaml: document 1 (Deployment web): metadata.namespace is missing; must be text that is not empty",
    ],
    [
      "a wrong quantity",
      "apiVersion: v1\nkind: Node\nmetadata: {name: a}\nstatus: {allocatable: {memory: 12e6Ki}}",
      'dump.yaml: document 1 (Node a): status.allocatable.memory must be a quantity such as 250m, 2 or 1.5Gi, not "12e6Ki"',
    ],
    [
      "a wrong type",
      "apiVersion: v1\nkind: Node\nmetadata: {name: a, labels: {version: 1.10}}",
      "dump.yaml: document 1 (Node a): metadata.labels.version must be text, not 1.1",
    ],
    [
      "an item that is nothing",
      "apiVersion: v1\nkind: NodeList\nitems: [null]",
      "dump.yaml: document 1: items[0]: must be a Kubernetes object with apiVersion and kind",
    ],
    [
      "a document that is no object",
      "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n---\nhello",
      "dump.yaml: document 2: must be a Kubernetes object with apiVersion and kind",
    ],
    [
      "two objects without --- between them",
      "apiVersion: v1\nkind: Node\nmetadata: {name: a}\napiVersion: v1",
      "dump.yaml: document 1: is no YAML: duplicated mapping key at line 4, column 1",
    ],
    [
      "wrong YAML in the second document",
      "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n---\na: [",
      "dump.yaml: document 2: is no YAML: unexpected end of the stream within a flow collection at line 5, column 5",
    ],
    [
      "JSON that was cut off",
      '{"apiVersion": "v1",',
      "dump.yaml: document 1: is no JSON: Expected double-quoted property name in JSON at position 20 (line 1 column 21)",
    ],
  ])("%s", (_, text, message) => {
    expect(problemOf(text)).toBe(`ReadError: ${message}`);
  });
});
