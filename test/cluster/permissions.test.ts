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
  queues: [
    { namespace: "jobs", name: "mailer", target: 5, max: 3, deleteHpaOnRemoval: true },
    {
      namespace: "jobs",
      name: "biller",
      target: 5,
      max: 3,
      workload: {
        image: "biller:1",
        probes: { startup: { tcpPort: 1 }, liveness: { tcpPort: 1 }, readiness: { tcpPort: 2 } },
        volume: { mountPath: "/data", size: "1Gi" },
        secrets: [{ env: "DATABASE_URL", secret: "db", key: "url", external: { store: "vault", remoteKey: "db" } }],
      },
    },
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

test("what queues need: to look at their metric, and to declare what they are made of", () => {
  const ofJobs = permissions
    .map(permissionText)
    .filter((text) => text.endsWith(" in jobs") && !text.startsWith("list "));
  expect(ofJobs).toEqual([
    "get horizontalpodautoscalers.autoscaling in jobs",
    "create horizontalpodautoscalers.autoscaling in jobs",
    "patch horizontalpodautoscalers.autoscaling in jobs",
    "delete horizontalpodautoscalers.autoscaling in jobs",
    "get deployments.apps in jobs",
    "create deployments.apps in jobs",
    "patch deployments.apps in jobs",
    "get networkpolicies.networking.k8s.io in jobs",
    "create networkpolicies.networking.k8s.io in jobs",
    "patch networkpolicies.networking.k8s.io in jobs",
    "get persistentvolumeclaims in jobs",
    "create persistentvolumeclaims in jobs",
    "patch persistentvolumeclaims in jobs",
    "get externalsecrets.external-secrets.io in jobs",
    "create externalsecrets.external-secrets.io in jobs",
    "patch externalsecrets.external-secrets.io in jobs",
  ]);
  expect(permissions.map(permissionText)).toEqual(
    expect.arrayContaining([
      "get apiservices.apiregistration.k8s.io",
      "list daemonsets.apps",
      "list oban_queue_depth.external.metrics.k8s.io in jobs",
      "list oban_queue_depth_age_seconds.external.metrics.k8s.io in jobs",
    ]),
  );
  expect(permissionsOf(parsePolicy({ workloads: [] })).map(permissionText)).not.toContain(
    "get apiservices.apiregistration.k8s.io",
  );
});

describe("the documented role grants each of them", () => {
  test.each(permissions.map((permission) => [permissionText(permission), permission] as const))(
    "%s",
    (_text, { group, resource, verb }) => {
      const granting = rules.filter(
        (rule) =>
          rule.apiGroups.includes(group) &&
          [resource, "*"].some((name) => rule.resources.includes(name)) &&
          rule.verbs.includes(verb),
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
