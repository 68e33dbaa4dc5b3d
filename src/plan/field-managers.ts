/** Whose the count is by the object's managedFields. docs/semantics.md, "Ownership". */
import type { OwnedObject } from "../cluster/snapshot.ts";

/** Our own field manager: stable, so that a lost state file does not fight itself. */
export const FIELD_MANAGER = "cluster-scale";

/**
 * The field manager of what a queue declares. Not the one of patches: applying an object without a field that the same
 * manager has set elsewhere would drop it, and reset the count of a Deployment to 1.
 */
export const QUEUE_FIELD_MANAGER = "cluster-scale-queue";

/** Tools of people and of deployments, which write a count once and don't write it back; `…*` is a prefix. */
const PASSING_WRITERS = [
  "kubectl*",
  "helm",
  "Helm",
  "pulumi-kubernetes*",
  "Mozilla",
  "node-fetch",
  "unknown",
  "curl",
  "Go-http-client",
  "OpenAPI-Generator",
  "okhttp",
  "axios",
  "python-requests",
  "dashboard",
];

/** Whether the count is ours already: then leaving it out of the program would drop the field. */
export function ownsCount(object: OwnedObject): boolean {
  return object.fieldManagers.some(({ manager, ownsCount }) => manager === FIELD_MANAGER && ownsCount);
}

/**
 * Managers of the count that would write theirs back, each once, by name.
 *
 * @param known names that are no strangers here
 */
export function foreignManagers(object: OwnedObject, known: readonly string[]): string[] {
  const passes = (manager: string) =>
    manager === FIELD_MANAGER ||
    known.includes(manager) ||
    PASSING_WRITERS.some((name) => (name.endsWith("*") ? manager.startsWith(name.slice(0, -1)) : manager === name));
  const foreign = object.fieldManagers.filter(({ manager, ownsCount }) => ownsCount && !passes(manager));
  return [...new Set(foreign.map(({ manager }) => manager))].sort();
}
