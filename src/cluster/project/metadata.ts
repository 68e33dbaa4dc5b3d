/** What the kinds have in common: names, owners, and the object another one points at. */
import type { FieldManager, OwnedObject, ScaleTarget } from "../snapshot.ts";
import type { Field } from "./field.ts";

/** Annotations outside these domains tell of no owner, and may be large or private. */
const OWNER_ANNOTATIONS = /^(argocd\.argoproj\.io|objectset\.rio\.cattle\.io)\//;

export function name(object: Field): string {
  return object.get("metadata").get("name").text();
}

export function namespacedName(object: Field): { namespace: string; name: string } {
  return { namespace: object.get("metadata").get("namespace").text(), name: name(object) };
}

export function isDeleting(object: Field): boolean {
  return object.get("metadata").get("deletionTimestamp").time() !== null;
}

/** @param countField the field of spec that holds the count: `replicas`, or an autoscaler's `maxReplicas`. */
export function ownedObject(object: Field, countField: string): OwnedObject {
  const metadata = object.get("metadata");
  const annotations = metadata.get("annotations").entries();
  return {
    ...namespacedName(object),
    labels: metadata.get("labels").textMap(),
    annotations: Object.fromEntries(
      annotations.filter(([key]) => OWNER_ANNOTATIONS.test(key)).map(([key, field]) => [key, field.text("")]),
    ),
    deleting: isDeleting(object),
    ownerReferences: metadata
      .get("ownerReferences")
      .items()
      .map((owner) => ({ kind: owner.get("kind").text(), name: owner.get("name").text() })),
    fieldManagers: metadata
      .get("managedFields")
      .items()
      .map((entry) => fieldManager(entry, countField)),
  };
}

/** Entries of subresources are kept: an autoscaler owns the count through `scale`. */
function fieldManager(entry: Field, countField: string): FieldManager {
  return {
    manager: entry.get("manager").text(""),
    operation: entry.get("operation").oneOf(["Apply", "Update"]),
    ownsCount: ownsSpecField(entry, countField),
  };
}

function ownsSpecField(entry: Field, field: string): boolean {
  return entry.get("fieldsV1").get("f:spec").get(`f:${field}`).exists;
}

/** Names of the field managers that hold a field of spec. */
export function managersOf(object: Field, field: string): string[] {
  const entries = object.get("metadata").get("managedFields").items();
  const names = entries.filter((entry) => ownsSpecField(entry, field)).map((entry) => entry.get("manager").text(""));
  return [...new Set(names)];
}

/** A reference by apiVersion, kind and name. */
export function scaleTarget(reference: Field, defaults?: { apiVersion: string; kind: string }): ScaleTarget {
  return {
    group: groupOf(reference.get("apiVersion").text(defaults?.apiVersion ?? "")),
    kind: reference.get("kind").text(defaults?.kind),
    name: reference.get("name").text(),
  };
}

/** `apps/v1` → `apps`; empty for the core group. */
export function groupOf(apiVersion: string): string {
  return apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
}
