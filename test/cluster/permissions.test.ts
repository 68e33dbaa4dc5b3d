import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import type { ApiRequest } from "../../src/cluster/client.ts";
import { isAllowed, permissionsOf, permissionText } from "../../src/cluster/permissions.ts";
import type { Send } from "../../src/cluster/send.ts";
import { parsePolicy } from "../../src/config/schema.ts";

interface Rule {
  apiGroups: string[];
  resources: string[];
  verbs: string[];
}

const manifest = readFileSync(new URL("../../deploy/rbac.yaml", import.meta.url), "utf8");
const rules = parseAllDocuments(manifest).flatMap((document) => (document.toJS() as { rules?: Rule[] }).rules ?? []);

const policy = parsePolicy({
  workloads: [
    { namespace: "dev", name: "a", max: 3 },
    { namespace: "dev", name: "b", max: 3 },
    { namespace: "prod", name: "c", max: 3, hpa: "bounds" },
  ],
  clickhouse: [
    { namespace: "data", name: "events", replicas: 3, keeper: { namespace: "quorum", replicas: 3 } },
    { namespace: "data", name: "logs", shards: 2 },
  ],
});
const permissions = permissionsOf(policy);

test("reads of the plan and patches of the apply, each once", () => {
  const texts = permissions.map(permissionText);
  expect(texts).toEqual([...new Set(texts)]);
  expect(texts).toEqual(
    expect.arrayContaining([
      "list nodes",
      "list deployments.apps in dev",
      "list deployments.apps in prod",
      "get deployments.apps in dev",
      "patch deployments.apps in dev",
      "get horizontalpodautoscalers.autoscaling in prod",
      "patch horizontalpodautoscalers.autoscaling in prod",
      "list clickhouseclusters.clickhouse.com in data",
      "list keeperclusters.clickhouse.com in data",
      "list keeperclusters.clickhouse.com in quorum",
      "list poddisruptionbudgets.policy in quorum",
      "patch clickhouseclusters.clickhouse.com in data",
      "get keeperclusters.clickhouse.com in quorum",
      "patch keeperclusters.clickhouse.com in quorum",
    ]),
  );
  expect(texts).not.toContain("list deployments.apps in data");
  expect(texts).not.toContain("patch keeperclusters.clickhouse.com in data");
  expect(texts).not.toContain("patch deployments.apps in prod");
});

test("nothing of ClickHouse is asked for without a list of it", () => {
  const without = permissionsOf(parsePolicy({ workloads: [{ namespace: "dev", name: "a", max: 3 }] }));
  expect(without.filter(({ group }) => group === "clickhouse.com")).toEqual([]);
});

describe("the documented role grants each of them", () => {
  test.each(permissions.map((permission) => [permissionText(permission), permission] as const))(
    "%s",
    (_text, { group, resource, verb }) => {
      const granting = rules.filter(
        (rule) => rule.apiGroups.includes(group) && rule.resources.includes(resource) && rule.verbs.includes(verb),
      );
      expect(granting).not.toEqual([]);
    },
  );
});

test.each([
  [{ status: { allowed: true } }, true],
  [{ status: { allowed: false } }, false],
  [{}, false],
])("%o of the API server is %s", async (answer, allowed) => {
  const sent: ApiRequest[] = [];
  const send = async (request: ApiRequest) => {
    sent.push(request);
    return answer;
  };
  const permission = {
    verb: "list",
    group: "apps",
    resource: "deployments",
    namespace: "dev",
    required: true,
    why: "",
  } as const;
  expect(await isAllowed(send as Send, permission)).toBe(allowed);
  expect(sent[0]).toMatchObject({
    path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    body: { spec: { resourceAttributes: { verb: "list", group: "apps", resource: "deployments", namespace: "dev" } } },
  });
});
