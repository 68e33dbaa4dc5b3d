import { describe, expect, it } from "vitest";
import type { Pod } from "../../src/cluster/snapshot.ts";
import { indexSnapshot, ownPods } from "../../src/plan/cluster-index.ts";
import { deployment, labelIn, node, pod, policy, snapshot } from "./builders.ts";

const NO_LIMITS = policy([]);

describe("indexSnapshot", () => {
  it("orders nodes by name, by code unit, and gives each its position", () => {
    const { nodes } = indexSnapshot(snapshot({ nodes: [node("w-2"), node("w-10"), node("W-3")] }), NO_LIMITS);
    expect(nodes.map(({ name, position }) => [name, position])).toEqual([
      ["W-3", 0],
      ["w-10", 1],
      ["w-2", 2],
    ]);
  });

  it("orders what belongs to a namespace by name", () => {
    const quota = (namespace: string, name: string) => ({ namespace, name, hard: {}, used: {}, scopes: [] });
    const resourceQuotas = [quota("shop", "b"), quota("other", "c"), quota("shop", "a")];
    const index = indexSnapshot(snapshot({ resourceQuotas }), NO_LIMITS);
    expect(index.resourceQuotas.get("shop")?.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(index.resourceQuotas.get("none")).toBeUndefined();
  });

  it.each<[string, Parameters<typeof snapshot>[0], number, boolean]>([
    ["read", { pods: [pod("web", "web-1", "")] }, 1, true],
    ["as many as the limit", { pods: [pod("web", "web-1", ""), pod("web", "web-2", "")] }, 2, true],
    ["more than the limit", { pods: [pod("web", "web-1", ""), pod("web", "web-2", "")] }, 1, false],
    ["unread", { unread: { pods: "forbidden" } }, 1, false],
  ])("pods %s", (_, fields, capacityPodLimit, known) => {
    const index = indexSnapshot(snapshot(fields), policy([], { capacityPodLimit }));
    expect(index.podsKnown).toBe(known);
    expect(index.podGroups.length).toBe(known ? 1 : 0);
  });
});

describe("ownPods", () => {
  it.each<[string, Partial<Pod>, boolean]>([
    ["matched by the selector", {}, true],
    ["with further labels", { labels: { app: "web", track: "canary" } }, true],
    ["without a node", { nodeName: "" }, true],
    ["of another namespace", { namespace: "other" }, false],
    ["with other labels", { labels: { app: "api" } }, false],
    ["finished", { finished: true }, false],
    ["terminating", { terminating: true }, false],
  ])("%s: %s", (_, fields, own) => {
    const index = indexSnapshot(snapshot({ pods: [pod("web", "web-1", "w-1", fields)] }), NO_LIMITS);
    expect(ownPods(deployment("web"), index).map(({ name }) => name)).toEqual(own ? ["web-1"] : []);
  });

  it.each([
    ["several values", [labelIn("app", "web", "api")], ["api-1", "web-1"]],
    ["a key alone", [{ key: "app", operator: "Exists" as const, values: [] }], ["api-1", "web-1"]],
    [
      "a value and a key that must be missing",
      [labelIn("app", "web"), { key: "app", operator: "DoesNotExist" as const, values: [] }],
      [],
    ],
    ["everything", [], ["api-1", "web-1"]],
  ])("by a selector of %s", (_, selector, expected) => {
    const index = indexSnapshot(snapshot({ pods: [pod("web", "web-1", ""), pod("api", "api-1", "")] }), NO_LIMITS);
    const own = ownPods(deployment("web", { selector }), index);
    expect(own.map(({ name }) => name).sort()).toEqual(expected);
  });
});
