import { Provider } from "@pulumi/kubernetes/provider.js";
import { describe, expect, test } from "vitest";
import type { ClickHouseEntry } from "../../src/plan/clickhouse-plan.ts";
import type { Plan } from "../../src/plan/plan.ts";
import { Replicas } from "../../src/resources/replicas.ts";
import { entry, samplePlan } from "../report/plans.ts";
import { ofType, previewed } from "./mocked-pulumi.ts";

const AUTOSCALER_PATCH = "kubernetes:autoscaling/v2:HorizontalPodAutoscalerPatch";
const DEPLOYMENT_PATCH = "kubernetes:apps/v1:DeploymentPatch";

function declare(plan: Plan) {
  return previewed(
    () =>
      new Replicas("dev", {
        plan,
        cluster: {},
        provider: new Provider("cluster"),
        requestTimeoutSeconds: 10,
        rolloutTimeoutSeconds: 300,
      }).finished,
  );
}

describe("Replicas", () => {
  test("declares one patch for each action, and nothing for what is left alone or goes to git", async () => {
    const declared = await declare({
      ...samplePlan(),
      workloads: [
        ...samplePlan().workloads,
        entry({ workload: "dev/web", action: { kind: "git", namespace: "dev", name: "web", replicas: 2 } }),
      ],
    });
    expect(ofType(declared, DEPLOYMENT_PATCH).map(({ name, inputs }) => [name, inputs.spec])).toEqual([
      ["dev/gitea", { replicas: 3 }],
      ["dev/registry", { replicas: 4 }],
    ]);
    // The stack, the provider, the component and the two.
    expect(declared.resources).toHaveLength(5);
  });

  test("a patch holds the count, our annotations and nothing else", async () => {
    const [patch] = ofType(await declare({ ...samplePlan(), workloads: [entry()] }), DEPLOYMENT_PATCH);
    expect(patch?.inputs).toEqual({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: {
        namespace: "dev",
        name: "gitea",
        annotations: {
          "pulumi.com/patchFieldManager": "cluster-scale",
          "pulumi.com/patchForce": "true",
          "pulumi.com/skipAwait": "true",
        },
      },
      spec: { replicas: 3 },
    });
  });

  test("a patch is retained on delete, and what the cluster returns of it is secret", async () => {
    const { args } = await declare({ ...samplePlan(), workloads: [entry()] });
    expect(args.get(DEPLOYMENT_PATCH)?.opts).toMatchObject({
      retainOnDelete: true,
      additionalSecretOutputs: ["metadata", "spec", "status"],
    });
  });

  test.each([
    [{ maxReplicas: 4 }, { maxReplicas: 4 }],
    [
      { maxReplicas: 2, minReplicas: 2 },
      { maxReplicas: 2, minReplicas: 2 },
    ],
  ])("an autoscaler's bounds %o", async (bounds, spec) => {
    const declared = await declare({
      ...samplePlan(),
      workloads: [entry({ action: { kind: "hpa", namespace: "dev", name: "gitea", ...bounds } })],
    });
    expect(ofType(declared, AUTOSCALER_PATCH).map(({ inputs }) => inputs.spec)).toEqual([spec]);
    expect(declared.args.get(AUTOSCALER_PATCH)?.opts.retainOnDelete).toBe(true);
  });

  test("a ClickHouse and a Keeper cluster of one name get a patch each: the resource itself, guarded by its UID", async () => {
    const of = (kind: ClickHouseEntry["kind"], spec: object): ClickHouseEntry => ({
      workload: "data/main",
      kind,
      decision: "scale-up",
      current: { replicas: 1 },
      target: { replicas: 3 },
      next: [{ replicas: 5 }],
      reasons: [],
      warnings: [],
      message: "raising.",
      action: { kind, apiVersion: "clickhouse.com/v1alpha1", namespace: "data", name: "main", uid: "u-1", spec },
    });
    const held: ClickHouseEntry = {
      ...of("KeeperCluster", {}),
      workload: "data/other",
      decision: "hold",
      action: null,
    };
    const declared = await declare({
      ...samplePlan(),
      workloads: [],
      clickhouse: [of("KeeperCluster", { replicas: 3 }), held, of("ClickHouseCluster", { replicas: 3, shards: 2 })],
    });
    const patches = declared.resources.filter(({ type }) => type.startsWith("kubernetes:clickhouse.com"));
    expect(patches.map(({ type, name, inputs }) => [type, name, inputs])).toEqual(
      [
        ["KeeperCluster", { replicas: 3 }],
        ["ClickHouseCluster", { replicas: 3, shards: 2 }],
      ].map(([kind, spec]) => [
        `kubernetes:clickhouse.com/v1alpha1:${kind}Patch`,
        `${kind} data/main`,
        {
          apiVersion: "clickhouse.com/v1alpha1",
          kind,
          metadata: {
            namespace: "data",
            name: "main",
            uid: "u-1",
            annotations: {
              "pulumi.com/patchFieldManager": "cluster-scale",
              "pulumi.com/patchForce": "true",
              "pulumi.com/skipAwait": "true",
            },
          },
          spec,
        },
      ]),
    );
    expect(declared.args.get("kubernetes:clickhouse.com/v1alpha1:KeeperClusterPatch")?.opts).toMatchObject({
      retainOnDelete: true,
      additionalSecretOutputs: ["metadata", "spec", "status"],
    });
  });

  test("shows the plan", async () => {
    const { log } = await declare({ ...samplePlan(), workloads: [entry()] });
    expect(log).toEqual([expect.stringContaining("dev/gitea  <{%fg 2%}>1 → 3<{%reset%}>")]);
  });
});
