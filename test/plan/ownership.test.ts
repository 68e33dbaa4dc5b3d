import { describe, expect, it } from "vitest";
import type { FieldManager, ScaleTarget, Snapshot } from "../../src/cluster/snapshot.ts";
import type { WorkloadPolicy } from "../../src/config/policy.ts";
import { ownsCount } from "../../src/plan/field-managers.ts";
import { indexOwners } from "../../src/plan/owner-index.ts";
import { type Owned, ownershipOf } from "../../src/plan/ownership.ts";
import { autoscaler, deployment, snapshot, workload } from "./builders.ts";

const TARGET: ScaleTarget = { group: "apps", kind: "Deployment", name: "web" };
const holding = (manager: string): FieldManager => ({ manager, operation: "Update", ownsCount: true });

type Fields = Parameters<typeof deployment>[1];

function ownership(
  fields: Fields,
  others: Partial<Snapshot> = {},
  entry: Partial<WorkloadPolicy> = {},
  takeOver: string[] = [],
) {
  const cluster = snapshot({ deployments: [deployment("web", { replicas: 2, ...fields })], ...others });
  return ownershipOf(workload("web", entry), takeOver, indexOwners(cluster));
}

describe("ownershipOf: rows of the table of owners", () => {
  const scaled = (fields: Partial<ScaleTarget> = {}, namespace = "shop") => ({
    horizontalPodAutoscalers: [autoscaler("hpa", { namespace, target: { ...TARGET, ...fields } })],
  });
  const owner = { kind: "Team", name: "a" };

  it.each<[string, Fields, Partial<Snapshot>, Partial<Owned>]>([
    ["being deleted", { deleting: true }, {}, { decision: "refuse", reason: "being-deleted", by: "Deployment" }],
    [
      "an owner reference",
      { ownerReferences: [owner] },
      {},
      { decision: "refuse", reason: "operator-owned", by: "Team a" },
    ],
    [
      "the label of OLM",
      { labels: { "olm.owner": "csv.v1" } },
      {},
      { reason: "operator-owned", by: "Operator Lifecycle Manager (csv.v1)" },
    ],
    ["scaled to zero", { replicas: 0 }, {}, { decision: "skip", reason: "scaled-to-zero", current: 0 }],
    ["zero comes before the autoscaler", { replicas: 0 }, scaled(), { reason: "scaled-to-zero" }],
    ["an autoscaler", {}, scaled(), { decision: "defer", reason: "hpa", by: "HorizontalPodAutoscaler hpa" }],
    [
      "two autoscalers",
      {},
      { horizontalPodAutoscalers: ["b", "a"].map((name) => autoscaler(name, { target: TARGET })) },
      { reason: "hpa", by: "2 HorizontalPodAutoscalers (a, b)" },
    ],
    [
      "a ScaledObject",
      {},
      { scaledObjects: [{ namespace: "shop", name: "so", target: TARGET }] },
      { reason: "keda", by: "ScaledObject so" },
    ],
    [
      "its autoscaler comes before a ScaledObject",
      {},
      { ...scaled(), scaledObjects: [{ namespace: "shop", name: "so", target: TARGET }] },
      { reason: "hpa" },
    ],
    [
      "a Rollout",
      {},
      { rollouts: [{ namespace: "shop", name: "ro", workloadRef: TARGET }] },
      { decision: "defer", reason: "argo-rollout", by: "Rollout ro" },
    ],
    [
      "the add-on manager's label",
      { labels: { "addonmanager.kubernetes.io/mode": "Reconcile" } },
      {},
      { reason: "addon-manager" },
    ],
    [
      "an object set's annotation",
      { annotations: { "objectset.rio.cattle.io/id": "x" } },
      {},
      { reason: "addon-manager", by: "objectset.rio.cattle.io/id" },
    ],
    [
      "a field manager",
      { fieldManagers: [holding("eks")] },
      {},
      { decision: "defer", reason: "field-owner", by: "eks" },
    ],
    [
      "several, named once and in order",
      { fieldManagers: [holding("z"), holding("a"), holding("z")] },
      {},
      { by: "a, z" },
    ],
  ])("%s", (_rule, fields, others, expected) => {
    expect(ownership(fields, others)).toMatchObject(expected);
  });

  it.each<[string, Fields, Partial<Snapshot>]>([
    ["an autoscaler of another kind", {}, scaled({ kind: "StatefulSet" })],
    ["an autoscaler of another group", {}, scaled({ group: "argoproj.io" })],
    ["an autoscaler of another name", {}, scaled({ name: "api" })],
    ["an autoscaler of another namespace", {}, scaled({}, "other")],
    [
      "a ScaledObject of another kind",
      {},
      { scaledObjects: [{ namespace: "shop", name: "so", target: { ...TARGET, kind: "StatefulSet" } }] },
    ],
    ["an add-on that is only ensured to exist", { labels: { "addonmanager.kubernetes.io/mode": "EnsureExists" } }, {}],
    ["a manager that does not hold the count", { fieldManagers: [{ ...holding("eks"), ownsCount: false }] }, {}],
  ])("does not stop at %s", (_rule, fields, others) => {
    expect(ownership(fields, others)).toMatchObject({ decision: null, autoscaler: null });
  });

  it.each([
    ..."cluster-scale kubectl kubectl-edit helm Helm pulumi-kubernetes-1a Mozilla node-fetch unknown curl".split(" "),
    ..."Go-http-client OpenAPI-Generator okhttp axios python-requests dashboard".split(" "),
  ])("takes the count over from %s", (manager) => {
    expect(ownership({ fieldManagers: [holding(manager)] })).toMatchObject({ decision: null });
  });

  it.each(["kube-controller-manager", "helm-operator", "pulumi", "Mozilla/5.0", "my-kubectl"])(
    "leaves it to %s",
    (manager) => {
      expect(ownership({ fieldManagers: [holding(manager)] })).toMatchObject({ reason: "field-owner", by: manager });
    },
  );

  it("takes it from the managers that the policy names, by exact name", () => {
    expect(ownership({ fieldManagers: [holding("eks")] }, {}, {}, ["eks"])).toMatchObject({ decision: null });
    expect(ownership({ fieldManagers: [holding("eks-addon")] }, {}, {}, ["eks"])).toMatchObject({ by: "eks-addon" });
  });
});

describe("ownershipOf: what is no Deployment or is not there", () => {
  const owners = indexOwners(
    snapshot({ otherWorkloads: [{ kind: "StatefulSet", namespace: "shop", name: "db", replicas: 3 }] }),
  );

  it("refuses another kind, with its count where it exists", () => {
    expect(ownershipOf(workload("db", { kind: "StatefulSet" }), [], owners)).toEqual({
      decision: "refuse",
      reason: "not-a-deployment",
      current: 3,
      by: "StatefulSet",
    });
    expect(ownershipOf(workload("gone", { kind: "StatefulSet" }), [], owners)).toMatchObject({ current: null });
    expect(ownershipOf(workload("db", { kind: "DaemonSet" }), [], owners)).toMatchObject({ current: null });
  });

  it("says that a Deployment is missing", () => {
    expect(ownershipOf(workload("web"), [], owners)).toEqual({
      decision: "missing",
      reason: null,
      current: null,
      by: "shop/web",
    });
  });
});

describe("ownershipOf under hpa: bounds", () => {
  const bounds = { hpa: "bounds" } as const;
  const scaledBy = (fields: Parameters<typeof autoscaler>[1] = {}) => ({
    horizontalPodAutoscalers: [autoscaler("web", { maxReplicas: 9, ...fields })],
  });

  it("plans the single autoscaler's maximum", () => {
    expect(ownership({}, scaledBy(), bounds)).toMatchObject({ decision: null, autoscaler: { name: "web" } });
  });

  it("plans the count where there is no autoscaler", () => {
    expect(ownership({}, {}, bounds)).toMatchObject({ decision: null, autoscaler: null });
  });

  it("leaves two autoscalers alone", () => {
    const two = { horizontalPodAutoscalers: ["a", "b"].map((name) => autoscaler(name, { target: TARGET })) };
    expect(ownership({}, two, bounds)).toMatchObject({ decision: "defer", reason: "hpa", current: 2 });
  });

  it("refuses an autoscaler that is being deleted", () => {
    expect(ownership({}, scaledBy({ deleting: true }), bounds)).toMatchObject({
      reason: "being-deleted",
      by: "HorizontalPodAutoscaler",
    });
  });

  it("looks for KEDA on the Deployment", () => {
    const scaledObjects = [{ namespace: "shop", name: "so", target: TARGET }];
    expect(ownership({}, { ...scaledBy(), scaledObjects }, bounds)).toMatchObject({ reason: "keda", current: 2 });
  });

  it.each<[string, Parameters<typeof autoscaler>[1], Partial<Owned>]>([
    [
      "owner references",
      { ownerReferences: [{ kind: "ScaledObject", name: "q" }] },
      { reason: "operator-owned", by: "ScaledObject q" },
    ],
    [
      "an Argo CD tracking id",
      { annotations: { "argocd.argoproj.io/tracking-id": "app:autoscaling/HorizontalPodAutoscaler:shop/web" } },
      { reason: "argocd" },
    ],
    ["Flux labels", { labels: { "kustomize.toolkit.fluxcd.io/name": "apps" } }, { reason: "flux" }],
    ["add-on managers", { labels: { "addonmanager.kubernetes.io/mode": "Reconcile" } }, { reason: "addon-manager" }],
    ["owners of its maximum", { fieldManagers: [holding("tuner")] }, { reason: "field-owner", by: "tuner" }],
  ])("looks for %s on the autoscaler, whose maximum is then current", (_rule, fields, expected) => {
    expect(ownership({}, scaledBy(fields), bounds)).toMatchObject({ current: 9, ...expected });
  });

  it("does not look for those on the Deployment", () => {
    const fields = {
      labels: { "kustomize.toolkit.fluxcd.io/name": "apps" },
      fieldManagers: [holding("kube-controller-manager")],
    };
    expect(ownership(fields, scaledBy(), bounds)).toMatchObject({ decision: null });
  });
});

it("ownsCount: only where we hold the count itself", () => {
  const ours = (ownsCount: boolean) =>
    deployment("web", { fieldManagers: [{ manager: "cluster-scale", operation: "Apply", ownsCount }] });
  expect([ours(true), ours(false), deployment("web")].map(ownsCount)).toEqual([true, false, false]);
});
