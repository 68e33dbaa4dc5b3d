import { describe, expect, it } from "vitest";
import type { Application, FieldManager } from "../../src/cluster/snapshot.ts";
import type { WorkloadPolicy } from "../../src/config/policy.ts";
import { gitOpsOwners } from "../../src/plan/gitops.ts";
import { indexOwners } from "../../src/plan/owner-index.ts";
import { ownershipOf } from "../../src/plan/ownership.ts";
import { deployment, snapshot, workload } from "./builders.ts";

type Rule = Application["ignoreDifferences"][number];
type Fields = Parameters<typeof deployment>[1];

const WEB = { group: "apps", kind: "Deployment", namespace: "shop", name: "web" };
const TRACKED = { annotations: { "argocd.argoproj.io/tracking-id": "app:apps/Deployment:shop/web" } };
const FLUX = {
  labels: { "kustomize.toolkit.fluxcd.io/name": "apps", "kustomize.toolkit.fluxcd.io/namespace": "flux-system" },
};

function application(fields: Partial<Application> = {}): Application {
  return {
    namespace: "argocd",
    name: "app",
    resources: [],
    ignoreDifferences: [],
    respectsIgnoreDifferences: false,
    ...fields,
  };
}

function ignoring(fields: Partial<Rule> = {}, respects = true): Application {
  const rule: Rule = {
    group: "apps",
    kind: "Deployment",
    name: "",
    namespace: "",
    jsonPointers: ["/spec/replicas"],
    jqPathExpressions: [],
    managedFieldsManagers: [],
    ...fields,
  };
  return application({ ignoreDifferences: [rule], respectsIgnoreDifferences: respects });
}

function owners(fields: Fields, applications: Application[] = []) {
  const object = deployment("web", fields);
  return gitOpsOwners({ object, group: "apps", kind: "Deployment", field: "/spec/replicas" }, applications);
}

const entry = (manager: string, operation: FieldManager["operation"], ownsCount: boolean): FieldManager => ({
  manager,
  operation,
  ownsCount,
});

describe("gitOpsOwners: what tracks an object", () => {
  it.each<[string, Fields, Application[], string[]]>([
    ["nothing", {}, [application()], []],
    ["a tracking id of this object", TRACKED, [], ["Application app"]],
    ["its Application, where it can be seen", TRACKED, [application()], ["Application argocd/app"]],
    [
      "an Application of another namespace",
      { annotations: { "argocd.argoproj.io/tracking-id": "team_app:apps/Deployment:shop/web" } },
      [application({ namespace: "team" })],
      ["Application team/app"],
    ],
    [
      "not a tracking id copied from another object",
      { annotations: { "argocd.argoproj.io/tracking-id": "app:apps/Deployment:shop/api" } },
      [application()],
      [],
    ],
    [
      "not a tracking id of another group",
      { annotations: { "argocd.argoproj.io/tracking-id": "app:extensions/Deployment:shop/web" } },
      [],
      [],
    ],
    [
      "not a tracking id that can't be parsed",
      { annotations: { "argocd.argoproj.io/tracking-id": "app" } },
      [application()],
      [],
    ],
    [
      "an instance label that an Application bears out",
      { labels: { "app.kubernetes.io/instance": "app" } },
      [application({ resources: [WEB] })],
      ["Application argocd/app"],
    ],
    [
      "Argo CD's own instance label",
      { labels: { "argocd.argoproj.io/instance": "app" } },
      [application({ resources: [WEB] })],
      ["Application argocd/app"],
    ],
    [
      "not an instance label alone: charts set it too",
      { labels: { "app.kubernetes.io/instance": "app" } },
      [application()],
      [],
    ],
    [
      "not an Application that lists another object",
      { labels: { "app.kubernetes.io/instance": "app" } },
      [application({ resources: [{ ...WEB, name: "api" }] })],
      [],
    ],
    ["a Kustomization", FLUX, [], ["Kustomization flux-system/apps"]],
    ["a HelmRelease", { labels: { "helm.toolkit.fluxcd.io/name": "web" } }, [], ["HelmRelease shop/web"]],
    ["both tools", { ...TRACKED, ...FLUX }, [], ["Application app", "Kustomization flux-system/apps"]],
  ])("%s", (_rule, fields, applications, by) => {
    expect(owners(fields, applications).map((owner) => owner.by)).toEqual(by);
  });
});

describe("gitOpsOwners: whether the count is free", () => {
  it.each<[string, Application, boolean]>([
    ["ignored by pointer and respected", ignoring(), true],
    ["ignored, but a sync resets it", ignoring({}, false), false],
    ["respected, but nothing ignored", application({ respectsIgnoreDifferences: true }), false],
    ["ignored by path", ignoring({ jsonPointers: [], jqPathExpressions: [".spec.replicas"] }), true],
    ["what we own is ignored", ignoring({ jsonPointers: [], managedFieldsManagers: ["cluster-scale"] }), true],
    ["what another owns is ignored", ignoring({ jsonPointers: [], managedFieldsManagers: ["kubectl"] }), false],
    ["another field is ignored", ignoring({ jsonPointers: ["/spec/template"] }), false],
    ["any group and kind", ignoring({ group: "*", kind: "*" }), true],
    ["no group is the core group", ignoring({ group: "" }), false],
    ["another kind", ignoring({ kind: "StatefulSet" }), false],
    ["this name and namespace", ignoring({ name: "web", namespace: "shop" }), true],
    ["another name", ignoring({ name: "api" }), false],
    ["another namespace", ignoring({ namespace: "other" }), false],
  ])("Argo CD: %s", (_rule, app, free) => {
    expect(owners(TRACKED, [app])).toMatchObject([{ free }]);
  });

  it("Argo CD: two Applications of the name must both ignore it", () => {
    expect(owners(TRACKED, [ignoring(), { ...application(), namespace: "other" }])).toMatchObject([{ free: false }]);
  });

  it.each<[string, FieldManager[], boolean]>([
    ["applies without it", [entry("kustomize-controller", "Apply", false)], true],
    ["applies it", [entry("kustomize-controller", "Apply", true)], false],
    [
      "one of its entries holds it",
      [entry("helm-controller", "Apply", false), entry("kustomize-controller", "Update", true)],
      false,
    ],
    ["only updates: what it applies can't be seen", [entry("kustomize-controller", "Update", false)], false],
    ["another tool applies without it", [entry("argocd-controller", "Apply", false)], false],
    ["nothing can be seen", [], false],
  ])("Flux: %s", (_rule, fieldManagers, free) => {
    expect(owners({ ...FLUX, fieldManagers })).toMatchObject([{ free }]);
  });

  it("Argo CD: applies without it", () => {
    const fieldManagers = [entry("argocd-controller", "Apply", false)];
    expect(owners({ ...TRACKED, fieldManagers })).toMatchObject([{ free: true }]);
  });
});

describe("ownershipOf under GitOps", () => {
  const ownership = (gitops: WorkloadPolicy["gitops"], fields: Fields, applications: Application[] = []) =>
    ownershipOf(
      workload("web", { gitops }),
      [],
      indexOwners(snapshot({ deployments: [deployment("web", fields)], applications })),
    );

  it("defers to the tool that holds the count", () => {
    expect(ownership("defer", TRACKED)).toMatchObject({ decision: "defer", reason: "argocd", by: "Application app" });
    expect(ownership("defer", FLUX)).toMatchObject({ decision: "defer", reason: "flux" });
  });

  it("goes on where the count is free, and says what it passed", () => {
    expect(ownership("defer", TRACKED, [ignoring()])).toMatchObject({
      decision: null,
      passed: [{ tool: "argocd", free: true }],
    });
  });

  it.each(["override", "write"] as const)("goes on with gitops: %s", (gitops) => {
    expect(ownership(gitops, FLUX)).toMatchObject({ decision: null, passed: [{ tool: "flux", free: false }] });
  });

  it("does not take a tool that was passed for a foreign owner of the field", () => {
    const fieldManagers = [entry("argocd-controller", "Update", true)];
    expect(ownership("defer", { ...TRACKED, fieldManagers }, [ignoring()])).toMatchObject({ decision: null });
    expect(ownership("override", { ...TRACKED, fieldManagers })).toMatchObject({ decision: null });
    expect(ownership("defer", { fieldManagers })).toMatchObject({ reason: "field-owner" });
  });
});
