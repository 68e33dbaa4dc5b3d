/**
 * Pods that don't start: `apply` fails in time, with what the scheduler, the kubelet or admission say of them, and what to do.
 */
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import type { Cluster } from "../../bench/cluster/cluster.ts";
import { CliStack } from "./support/cli.ts";
import { startWithThreeWorkers } from "./support/cluster.ts";
import { refusePods } from "./support/webhook.ts";
import { createWorkloads, deployment, entry, liveReplicas, waitForRunning } from "./support/workloads.ts";

let cluster: Cluster;
let cli: CliStack;

beforeAll(async () => {
  cluster = await startWithThreeWorkers();
});

afterAll(async () => {
  await cluster?.stop();
});

beforeEach(async () => {
  await cluster.api.delete("/apis/apps/v1/namespaces/dev/deployments/gitea");
  // What the planner itself would foresee is left out, so that the cluster says it.
  const workloads = [entry("gitea", { capacity: "off" })];
  cli = await CliStack.create(cluster.kubeconfig, { rolloutTimeoutSeconds: 4, workloads });
  return () => cli.remove();
});

/** What `apply` says of the workload when its rollout is not complete in time. */
async function diagnosis(): Promise<string> {
  const { code, stderr } = await cli.run(["apply", "--yes", "--quiet"]);
  expect(code, stderr).toBe(1);
  expect(await liveReplicas(cluster.api), "nothing is undone").toEqual({ gitea: 3 });
  const [first, ...workloads] = stderr.split("\n");
  expect(first).toBe(
    "cluster-scale: not all pods run after 4 s (rolloutTimeoutSeconds). The new counts are set, and nothing is undone: once the causes " +
      "are gone the pods start by themselves, and running `pulumi up` again is safe.",
  );
  return workloads.join("\n");
}

it("no room: the scheduler's words", async () => {
  const containers = [{ name: "app", image: "app:1", resources: { requests: { cpu: "1000" } } }];
  await createWorkloads(cluster.api, [deployment("gitea", { pod: { containers } })]);
  expect(await diagnosis()).toBe(
    "  - dev/gitea: 0 of 3 pods are available. 3 pods can't be scheduled: 0/3 nodes are available: 3 Insufficient cpu. no new claims to " +
      "deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling. Free or add room for them, or lower this workload's max.",
  );
});

it("an image that can't be pulled: the kubelet's words", async () => {
  const object = deployment("gitea");
  object.spec.template.metadata.annotations = { "bench/image": "missing" };
  await createWorkloads(cluster.api, [object]);
  expect(await diagnosis()).toBe(
    '  - dev/gitea: 0 of 3 pods are available. 3 pods can\'t get an image: ImagePullBackOff: Back-off pulling image "registry.example.invalid/app:1": ' +
      "ErrImagePull: failed to pull and unpack image: not found. Check the image's name, its registry and the pull secret.",
  );
});

it("a quota that is used up: admission's words", async () => {
  await createWorkloads(cluster.api, [deployment("gitea")]);
  await waitForRunning(cluster.api, "gitea", 1);
  const quota = { apiVersion: "v1", kind: "ResourceQuota", metadata: { namespace: "dev", name: "small" } };
  await cluster.api.create({ ...quota, spec: { hard: { pods: "1" } } });
  onTestFinished(() => cluster.api.delete("/api/v1/namespaces/dev/resourcequotas/small"));
  expect(await diagnosis()).toMatch(
    /^ {2}- dev\/gitea: 1 of 3 pods are available\. Pods can't be created: FailedCreate: pods "gitea-\w+-\w+" is forbidden: exceeded quota: small, requested: pods=1, used: pods=1, limited: pods=1\. Raise the quota, or satisfy the policy that refuses the pods\.$/,
  );
});

it("a webhook that refuses pods: its words", async () => {
  await createWorkloads(cluster.api, [deployment("gitea")]);
  await waitForRunning(cluster.api, "gitea", 1);
  onTestFinished(await refusePods(cluster, { app: "gitea" }, "images must be signed"));
  expect(await diagnosis()).toMatch(
    /^ {2}- dev\/gitea: 1 of 3 pods are available\. Pods can't be created: FailedCreate: admission webhook "images\.policy\.example\.com" denied the request: images must be signed\. Raise the quota, or satisfy the policy that refuses the pods\.$/,
  );
});

it("a PodDisruptionBudget that allows no disruption is no hindrance: it is about evictions", async () => {
  await createWorkloads(cluster.api, [deployment("gitea")]);
  await waitForRunning(cluster.api, "gitea", 1);
  await cluster.api.create({
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { namespace: "dev", name: "gitea" },
    spec: { maxUnavailable: 0, selector: { matchLabels: { app: "gitea" } } },
  });
  onTestFinished(() => cluster.api.delete("/apis/policy/v1/namespaces/dev/poddisruptionbudgets/gitea"));
  const { code, stderr } = await cli.run(["apply", "--yes"]);
  expect(code, stderr).toBe(0);
  expect(await liveReplicas(cluster.api)).toEqual({ gitea: 3 });
});
