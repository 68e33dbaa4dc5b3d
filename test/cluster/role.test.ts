import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { fullResource, KINDS } from "../../src/cluster/kinds.ts";

interface Rule {
  apiGroups: string[];
  resources: string[];
  verbs: string[];
}

const manifest = readFileSync(new URL("../../deploy/rbac.yaml", import.meta.url), "utf8");
const objects = parseAllDocuments(manifest).map((document) => document.toJS() as { kind: string; rules?: Rule[] });
const rules = objects.flatMap(({ kind, rules }) => (kind === "ClusterRole" ? (rules ?? []) : []));

describe("the documented role lets us list what is read", () => {
  it.each(KINDS.filter(({ need }) => need !== "shown"))("$resource", (kind) => {
    const granting = rules.filter(
      ({ apiGroups, resources, verbs }) =>
        apiGroups.includes(kind.group) && resources.includes(kind.resource) && verbs.includes("list"),
    );
    expect(granting, fullResource(kind)).toHaveLength(1);
  });
});
