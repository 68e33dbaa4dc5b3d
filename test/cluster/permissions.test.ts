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
    ]),
  );
  expect(texts).not.toContain("patch deployments.apps in prod");
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
