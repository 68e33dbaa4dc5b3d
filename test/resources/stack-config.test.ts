import { runtime } from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import { stackConfig } from "../../src/resources/stack-config.ts";

const WORKLOADS = JSON.stringify([{ namespace: "dev", name: "gitea", max: 3 }]);

describe("stackConfig", () => {
  test("reads our keys, and which cluster from those of the provider", () => {
    runtime.setAllConfig({
      "cluster-scale:workloads": WORKLOADS,
      "cluster-scale:readTimeoutSeconds": "20",
      "kubernetes:context": "dev",
      "other:key": "value",
    });
    const { settings, cluster } = stackConfig();
    expect(settings.workloads.map(({ name, max }) => [name, max])).toEqual([["gitea", 3]]);
    expect(settings.readTimeoutSeconds).toBe(20);
    expect(cluster).toEqual({ kubeconfig: "", context: "dev", cluster: "" });
  });

  test("every mistake at once, in the words of the policy", () => {
    runtime.setAllConfig({
      "cluster-scale:workloads": WORKLOADS,
      "cluster-scale:readTimeoutSeconds": "soon",
      "cluster-scale:defualts": "{}",
    });
    expect(stackConfig).toThrow(/^Configuration cluster-scale: 2 problems\n/);
    expect(stackConfig).toThrow(/readTimeoutSeconds: must be .*, not "soon"/);
    expect(stackConfig).toThrow(/defualts: unknown key \(did you mean defaults\?\)/);
  });
});
