/**
 * Required (anti-)affinity terms between pods: whom a term means (kube-scheduler framework, AffinityTerm.Matches).
 * docs/semantics.md, "Eligibility" and "Room".
 */
import type { PodAffinityTerm } from "../cluster/snapshot.ts";
import type { LabelRequirement, LabelSelector } from "../config/policy.ts";
import type { ClusterIndex } from "./cluster-index.ts";
import { matchesSelector } from "./selectors.ts";

/** Namespace and labels, all that selectors see of a pod. */
export interface PodIdentity {
  namespace: string;
  labels: Record<string, string>;
}

/** Whether a term of the pod means pods like itself. The label keys must have been merged into the selector. */
export function termMatchesSelf(term: PodAffinityTerm, pod: PodIdentity, index: ClusterIndex): boolean {
  const { namespace, labels } = pod;
  return (
    term.selector !== null &&
    coversNamespace(term, namespace, namespace, index) &&
    matchesSelector(term.selector, labels)
  );
}

/**
 * A selector narrowed to the pods that share (`In`) or don't share (`NotIn`) the pod's own values of some label keys, as
 * the API server writes it into a pod when it is created. A key the pod does not carry adds nothing, and null selects
 * no pod whatever is added (pkg/registry/core/pod/strategy.go).
 */
export function withLabelKeys(
  selector: LabelSelector | null,
  keys: readonly string[],
  operator: "In" | "NotIn",
  labels: Record<string, string>,
): LabelSelector | null {
  if (selector === null) return null;
  const added = keys.flatMap((key): LabelRequirement[] => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  });
  return [...selector, ...added];
}

/** A term with its label keys merged into its selector. */
export function withTermLabelKeys(term: PodAffinityTerm, labels: Record<string, string>): PodAffinityTerm {
  const shared = withLabelKeys(term.selector, term.matchLabelKeys, "In", labels);
  return {
    ...term,
    selector: withLabelKeys(shared, term.mismatchLabelKeys, "NotIn", labels),
    matchLabelKeys: [],
    mismatchLabelKeys: [],
  };
}

/** Whether a term in the spec of a pod of one namespace means pods of another. */
export function coversNamespace(term: PodAffinityTerm, own: string, other: string, index: ClusterIndex): boolean {
  if (term.namespaces.length === 0 && term.namespaceSelector === null) return own === other;
  if (term.namespaces.includes(other)) return true;
  if (term.namespaceSelector === null) return false;
  // Where namespaces can't be read, a term may mean any of them: the careful side for a rule that keeps pods away.
  if (index.unread.namespaces !== undefined) return true;
  // The API server labels every namespace with its name.
  const labels = { ...index.namespaces.get(other)?.labels, "kubernetes.io/metadata.name": other };
  return matchesSelector(term.namespaceSelector, labels);
}
