/**
 * Workloads that a GitOps tool deploys: left alone, unless the tool visibly leaves the count to others or the policy says
 * otherwise. docs/semantics.md, "Ownership". The tools are played: what of them can be seen is fields, labels and objects.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditWrites } from "../../bench/cluster/audit.ts";
import type { Cluster } from "../../bench/cluster/cluster.ts";
import { addNodes } from "../../bench/cluster/nodes.ts";
import type { KubeObject } from "../../bench/cluster/objects.ts";
import { startCluster } from "../../bench/cluster/start.ts";
import { waitFor } from "../../bench/cluster/wait.ts";
import { runPulumi } from "../../bench/engine.ts";
import { CliStack } from "./support/cli.ts";
import { type Decided, planned } from "./support/plan.ts";
import type { RunResult } from "./support/stack.ts";
import { createWorkloads, deployment, entry, liveReplicas, waitForRunning } from "./support/workloads.ts";

const ARGO_CD = "argocd-controller";
const FLUX = "kustomize-controller";

/** Each is deployed at one replica, and there are three workers. */
const LEFT_ALONE = {
  tracked: "argocd",
  labelled: "argocd",
  "ignored-in-vain": "argocd",
  canary: "argo-rollout",
  kustomized: "flux",
  released: "flux",
} as const;
const PLANNED = ["argo-applied", "flux-applied", "ignored", "copied", "overridden"];
const TO_GIT = "written";

let cluster: Cluster;
let cli: CliStack;
let plan: Record<string, Decided>;
let up: RunResult;
let writes: (string | undefined)[];

beforeAll(async () => {
  cluster = await startCluster({ audit: true });
  const { api } = cluster;
  await addNodes(
    cluster,
    ["worker-1", "worker-2", "worker-3"].map((name) => ({ name })),
  );
  for (const kind of ["Application", "Rollout"]) await define(kind);
  await api.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "argocd" } });
  await createWorkloads(api, [
    rollout("canary"),
    application("shop", ["tracked", "labelled", "argo-applied", "overridden", TO_GIT]),
    application("ignoring", ["ignored"], { syncOptions: ["RespectIgnoreDifferences=true"] }),
    application("ignoring-in-vain", ["ignored-in-vain"], { syncOptions: [] }),
    deployment("canary"),
    deployment("released", { metadata: { labels: { "helm.toolkit.fluxcd.io/name": "released" } } }),
    // What Argo CD wrote on the object that this one was copied from.
    deployment("copied", { metadata: trackedBy("shop", "original") }),
  ]);
  await applied(ARGO_CD, "tracked", trackedBy("shop", "tracked"), 1);
  await applied(ARGO_CD, "labelled", { labels: { "app.kubernetes.io/instance": "shop" } }, 1);
  await applied(ARGO_CD, "ignored-in-vain", trackedBy("ignoring-in-vain", "ignored-in-vain"), 1);
  await applied(ARGO_CD, "ignored", trackedBy("ignoring", "ignored"), 1);
  await applied(ARGO_CD, "argo-applied", trackedBy("shop", "argo-applied"));
  await applied(ARGO_CD, "overridden", trackedBy("shop", "overridden"), 1);
  await applied(ARGO_CD, TO_GIT, trackedBy("shop", TO_GIT), 1);
  await applied(FLUX, "kustomized", kustomized, 1);
  await applied(FLUX, "flux-applied", kustomized);
  for (const name of [...Object.keys(LEFT_ALONE), ...PLANNED, TO_GIT]) await waitForRunning(api, name, 1);

  cli = await CliStack.create(cluster.kubeconfig, {
    workloads: [
      ...Object.keys(LEFT_ALONE).map((name) => entry(name)),
      ...PLANNED.map((name) => entry(name, name === "overridden" ? { gitops: "override" } : {})),
      entry(TO_GIT, { gitops: "write" }),
    ],
  });
  plan = await planned(cli);
  const since = new Date();
  up = await cli.stack.up();
  writes = auditWrites(cluster, { user: "admin", since }).map(({ objectRef }) => objectRef?.name);
});

afterAll(async () => {
  await cli?.remove();
  await cluster?.stop();
});

/** Defines a kind of Argo's with as much of a schema as its API needs. */
async function define(kind: string): Promise<void> {
  const singular = kind.toLowerCase();
  const names = { kind, singular, plural: `${singular}s` };
  await cluster.api.create({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${names.plural}.argoproj.io` },
    spec: {
      group: "argoproj.io",
      scope: "Namespaced",
      names,
      versions: [
        {
          name: "v1alpha1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        },
      ],
    },
  });
  const path = `/apis/argoproj.io/v1alpha1/${names.plural}`;
  await waitFor(() => cluster.api.list(path).then(() => true), { what: `the API of ${names.plural}` });
}

/** An Application that deploys these Deployments; with sync options it ignores differences of their count too. */
function application(name: string, deployments: string[], sync?: { syncOptions: string[] }): KubeObject {
  const ignoring = {
    ignoreDifferences: [{ group: "apps", kind: "Deployment", jsonPointers: ["/spec/replicas"] }],
    syncPolicy: sync,
  };
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Application",
    metadata: { namespace: "argocd", name },
    spec: { destination: { namespace: "dev" }, ...(sync === undefined ? {} : ignoring) },
    status: {
      resources: deployments.map((deployed) => ({
        group: "apps",
        version: "v1",
        kind: "Deployment",
        namespace: "dev",
        name: deployed,
      })),
    },
  };
}

function rollout(name: string): KubeObject {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Rollout",
    metadata: { namespace: "dev", name },
    spec: { workloadRef: { apiVersion: "apps/v1", kind: "Deployment", name } },
  };
}

/** Argo CD's mark on a Deployment. */
function trackedBy(app: string, name: string): object {
  return { annotations: { "argocd.argoproj.io/tracking-id": `${app}:apps/Deployment:dev/${name}` } };
}

/** Flux's mark. */
const kustomized = {
  labels: { "kustomize.toolkit.fluxcd.io/name": "apps", "kustomize.toolkit.fluxcd.io/namespace": "flux-system" },
};

/** A Deployment as a tool applies it, from a repository that has a count or leaves it out. */
async function applied(fieldManager: string, name: string, metadata: object, replicas?: number): Promise<void> {
  await cluster.api.apply(deployment(name, { spec: { replicas }, metadata }), { fieldManager });
}

async function outputs(): Promise<{ targets: object; git: object; untouched: object }> {
  const { folder, env } = cli.stack.place;
  const { stdout } = await runPulumi(["stack", "output", "--json", "--stack", "test"], { cwd: folder, env });
  return JSON.parse(stdout);
}

it("writes to what it scales and to nothing else", () => {
  expect(up.code, up.output).toBe(0);
  expect(writes.toSorted()).toEqual(PLANNED.toSorted());
});

describe("a count that the tool holds", () => {
  it.each(Object.entries(LEFT_ALONE))("%s is left alone, with the reason %s", async (name, reason) => {
    expect(plan[`dev/${name}`]).toEqual({ decision: "defer", current: 1, target: 1, reasons: [reason], warnings: [] });
    expect((await liveReplicas(cluster.api))[name]).toBe(1);
  });

  it("is said in the words of the tool's users", () => {
    const text = up.output.replaceAll(/\s+/g, " ");
    expect(text).toContain("the count is up to Argo CD's Application argocd/shop;");
    expect(text).toContain("the count is up to Flux's Kustomization flux-system/apps;");
    expect(text).toContain("its pods are run by Argo's Rollout canary");
  });
});

describe("a count that the tool leaves free", () => {
  it.each([
    ["Argo CD applied the object without it", "argo-applied"],
    ["Flux applied the object without it", "flux-applied"],
    ["the Application ignores it, and its syncs respect that", "ignored"],
    ["the tracking annotation is that of another object", "copied"],
  ])("%s", async (_why, name) => {
    expect(plan[`dev/${name}`]).toEqual({ decision: "scale-up", current: 1, target: 3, reasons: [], warnings: [] });
    expect((await liveReplicas(cluster.api))[name]).toBe(3);
  });

  it("stays where we put it when the tool applies again", async () => {
    await applied(ARGO_CD, "argo-applied", trackedBy("shop", "argo-applied"));
    await applied(FLUX, "flux-applied", kustomized);
    expect(await liveReplicas(cluster.api)).toMatchObject({ "argo-applied": 3, "flux-applied": 3 });
  });
});

it("gitops: override applies all the same, with a warning", async () => {
  expect(plan["dev/overridden"]).toEqual({
    decision: "scale-up",
    current: 1,
    target: 3,
    reasons: [],
    warnings: ["gitops-override"],
  });
  expect(up.output.replaceAll(/\s+/g, " ")).toContain("Application argocd/shop may set the count back");
  expect((await liveReplicas(cluster.api)).overridden).toBe(3);
});

describe("gitops: write", () => {
  it("plans the count and writes it nowhere: it is an output, for the repository", async () => {
    expect(plan[`dev/${TO_GIT}`]).toEqual({ decision: "scale-up", current: 1, target: 3, reasons: [], warnings: [] });
    expect(up.steps).not.toHaveProperty(`dev/${TO_GIT}`);
    expect((await liveReplicas(cluster.api))[TO_GIT]).toBe(1);
    expect(await outputs()).toMatchObject({
      targets: Object.fromEntries(PLANNED.map((name) => [`dev/${name}`, 3])),
      git: { [`dev/${TO_GIT}`]: 3 },
      untouched: Object.fromEntries(Object.keys(LEFT_ALONE).map((name) => [`dev/${name}`, "defer"])),
    });
  });

  it("keeps it once the tool has brought it from there, and a second up changes nothing", async () => {
    const before = await outputs();
    await applied(ARGO_CD, TO_GIT, trackedBy("shop", TO_GIT), 3);
    await waitForRunning(cluster.api, TO_GIT, 3);
    const since = new Date();
    const again = await cli.stack.up();

    expect(again.code, again.output).toBe(0);
    expect(again.steps).toEqual(Object.fromEntries(PLANNED.map((name) => [`dev/${name}`, "same"])));
    expect(auditWrites(cluster, { user: "admin", since })).toEqual([]);
    expect(await outputs()).toEqual(before);
  });
});
