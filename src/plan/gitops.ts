/** What Argo CD and Flux track, and whether they leave the count free. docs/semantics.md, "Ownership". */
import type { Application, OwnedObject } from "../cluster/snapshot.ts";
import { FIELD_MANAGER } from "./field-managers.ts";

/** The object whose count is planned, and the field that holds the count. */
export interface CountedObject {
  object: OwnedObject;
  group: string;
  kind: string;
  /** As a JSON pointer, `/spec/replicas`. */
  field: string;
}

/** A GitOps tool that tracks an object. */
export interface GitOpsOwner {
  tool: "argocd" | "flux";
  /** What tracks it, as its users name it: `Application argocd/shop`. */
  by: string;
  /** The tool visibly leaves the count to others. */
  free: boolean;
  /** Its field managers. */
  managers: string[];
}

const ARGO_MANAGERS = ["argocd-controller", "argocd-application-controller"];
const FLUX_MANAGERS = ["kustomize-controller", "helm-controller"];
const TRACKING_ID = "argocd.argoproj.io/tracking-id";
const INSTANCE_LABELS = ["app.kubernetes.io/instance", "argocd.argoproj.io/instance"];
const FLUX_KINDS = { kustomize: "Kustomization", helm: "HelmRelease" };

/** The GitOps tools that track an object; none for most. */
export function gitOpsOwners(counted: CountedObject, applications: readonly Application[]): GitOpsOwner[] {
  return [argo(counted, applications), flux(counted)].filter((owner) => owner !== null);
}

function argo(counted: CountedObject, applications: readonly Application[]): GitOpsOwner | null {
  const instances = INSTANCE_LABELS.flatMap((label) => counted.object.labels[label] ?? []);
  const labelled = applications.filter((app) => instances.some((name) => names(app, name)) && lists(app, counted));
  const tracked = trackedBy(counted);
  if (tracked === null && labelled.length === 0) return null;

  const tracking = tracked === null ? [] : applications.filter((app) => names(app, tracked));
  const owners = [...labelled, ...tracking.filter((app) => !labelled.includes(app))];
  const ignored = owners.length > 0 && owners.every((app) => ignoresCount(app, counted));
  const free = ignored || appliesWithoutCount(counted.object, ARGO_MANAGERS);
  const by = owners.map((app) => `${app.namespace}/${app.name}`).join(", ") || tracked;
  return { tool: "argocd", by: `Application ${by}`, free, managers: ARGO_MANAGERS };
}

/** The Application that a tracking id names, if the id is of this very object: a copied annotation tracks nothing. */
function trackedBy({ object, group, kind }: CountedObject): string | null {
  const [app, type, path] = (object.annotations[TRACKING_ID] ?? "").split(":");
  return app && type === `${group}/${kind}` && path === `${object.namespace}/${object.name}` ? app : null;
}

/** Applications outside of Argo CD's own namespace are tracked as `<namespace>_<name>`. */
function names(app: Application, instance: string): boolean {
  return instance === app.name || instance === `${app.namespace}_${app.name}`;
}

function lists(app: Application, { object, group, kind }: CountedObject): boolean {
  return app.resources.some(
    (resource) =>
      resource.group === group &&
      resource.kind === kind &&
      resource.namespace === object.namespace &&
      resource.name === object.name,
  );
}

/** Without RespectIgnoreDifferences a sync still writes the field that the comparison ignores. */
function ignoresCount(app: Application, { object, group, kind, field }: CountedObject): boolean {
  if (!app.respectsIgnoreDifferences) return false;
  const path = field.replaceAll("/", ".");
  return app.ignoreDifferences.some(
    (rule) =>
      [group, "*"].includes(rule.group) &&
      [kind, "*"].includes(rule.kind) &&
      ["", object.name].includes(rule.name) &&
      ["", object.namespace].includes(rule.namespace) &&
      (rule.jsonPointers.includes(field) ||
        rule.jqPathExpressions.includes(path) ||
        rule.managedFieldsManagers.includes(FIELD_MANAGER)),
  );
}

function flux(counted: CountedObject): GitOpsOwner | null {
  const { labels, namespace } = counted.object;
  const by = Object.entries(FLUX_KINDS).flatMap(([tool, kind]) => {
    const name = labels[`${tool}.toolkit.fluxcd.io/name`];
    return name === undefined ? [] : `${kind} ${labels[`${tool}.toolkit.fluxcd.io/namespace`] ?? namespace}/${name}`;
  });
  if (by.length === 0) return null;
  const free = appliesWithoutCount(counted.object, FLUX_MANAGERS);
  return { tool: "flux", by: by.join(", "), free, managers: FLUX_MANAGERS };
}

/** Whether a tool's applied fields can be seen and the count is in none of its entries. */
function appliesWithoutCount(object: OwnedObject, managers: string[]): boolean {
  const entries = object.fieldManagers.filter((entry) => managers.includes(entry.manager));
  return entries.some((entry) => entry.operation === "Apply") && !entries.some((entry) => entry.ownsCount);
}
