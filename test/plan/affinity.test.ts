import { describe, expect, it } from "vitest";
import type { PodAffinityTerm, Snapshot } from "../../src/cluster/snapshot.ts";
import { coversNamespace, termMatchesSelf } from "../../src/plan/affinity.ts";
import { indexSnapshot } from "../../src/plan/cluster-index.ts";
import { affinityTerm, labelIn, policy, snapshot } from "./builders.ts";

const indexOf = (fields: Partial<Snapshot> = {}) => indexSnapshot(snapshot(fields), policy([]));
const team = (name: string) => ({
  namespaces: [
    { name, labels: { team: "a" }, nodeSelector: null, defaultTolerations: null, openshiftNodeSelector: null },
  ],
});

describe("coversNamespace", () => {
  it.each<[string, Partial<PodAffinityTerm>, string, Partial<Snapshot>, boolean]>([
    ["its own, where it names none", {}, "shop", {}, true],
    ["no other, where it names none", {}, "other", {}, false],
    ["those it names", { namespaces: ["other"] }, "other", {}, true],
    ["only those, not its own", { namespaces: ["other"] }, "shop", {}, false],
    ["those its selector matches", { namespaceSelector: [labelIn("team", "a")] }, "other", team("other"), true],
    ["not those it does not", { namespaceSelector: [labelIn("team", "a")] }, "shop", team("other"), false],
    ["all, by the empty selector", { namespaceSelector: [] }, "anything", {}, true],
    [
      "by the name that every namespace has as a label",
      { namespaceSelector: [labelIn("kubernetes.io/metadata.name", "other")] },
      "other",
      {},
      true,
    ],
    [
      "any that the selector may match, where namespaces can't be read",
      { namespaceSelector: [labelIn("team", "a")] },
      "other",
      { unread: { namespaces: "forbidden" } },
      true,
    ],
    [
      "named or selected",
      { namespaces: ["x"], namespaceSelector: [labelIn("team", "a")] },
      "other",
      team("other"),
      true,
    ],
  ])("%s", (_, fields, other, cluster, expected) => {
    expect(coversNamespace(affinityTerm("web", fields), "shop", other, indexOf(cluster))).toBe(expected);
  });
});

describe("termMatchesSelf", () => {
  it.each<[string, Partial<PodAffinityTerm>, boolean]>([
    ["its own labels", {}, true],
    ["other labels", { selector: [labelIn("app", "api")] }, false],
    ["every pod", { selector: [] }, true],
    ["no pod", { selector: null }, false],
    ["its own labels elsewhere", { namespaces: ["other"] }, false],
  ])("%s", (_, fields, expected) => {
    const web = { namespace: "shop", labels: { app: "web" } };
    expect(termMatchesSelf(affinityTerm("web", fields), web, indexOf())).toBe(expected);
  });
});
