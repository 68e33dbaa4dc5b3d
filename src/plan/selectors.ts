/**
 * Label selectors and node selector terms, as Kubernetes matches them (apimachinery `labels.Requirement.Matches`,
 * component-helpers `nodeaffinity`). docs/semantics.md, "Eligibility".
 */
import type { Node, NodeSelectorTerm } from "../cluster/snapshot.ts";
import type { LabelRequirement, LabelSelector } from "../config/policy.ts";

/** Whether labels meet every requirement; the empty selector selects everything. */
export function matchesSelector(selector: LabelSelector, labels: Record<string, string>): boolean {
  return selector.every((requirement) => matchesRequirement(requirement, labels));
}

/** Whether a node meets both lists of a term. An empty term matches no node (the API's own definition). */
export function matchesTerm(term: NodeSelectorTerm, node: Node): boolean {
  if (term.matchExpressions.length === 0 && term.matchFields.length === 0) return false;
  return (
    matchesSelector(term.matchExpressions, node.labels) &&
    matchesSelector(term.matchFields, { "metadata.name": node.name })
  );
}

/** Whether a node meets one of the terms; no terms match no node. */
export function matchesAnyTerm(terms: NodeSelectorTerm[], node: Node): boolean {
  return terms.some((term) => matchesTerm(term, node));
}

function matchesRequirement(requirement: LabelRequirement, labels: Record<string, string>): boolean {
  const { key, operator, values } = requirement;
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      // A missing key is not in any set: NotIn and DoesNotExist match objects without the label.
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
    case "Lt":
      return value !== undefined && compares(value, operator, values);
  }
}

/** Gt and Lt compare 64-bit integers; a label or a value that is none matches nothing (strconv.ParseInt fails). */
function compares(label: string, operator: "Gt" | "Lt", values: string[]): boolean {
  const left = parseInt64(label);
  const right = values.length === 1 ? parseInt64(values[0] ?? "") : null;
  if (left === null || right === null) return false;
  return operator === "Gt" ? left > right : left < right;
}

function parseInt64(text: string): bigint | null {
  if (!/^[+-]?\d+$/.test(text)) return null;
  // BigInt knows no leading plus.
  const number = BigInt(text.replace(/^\+/, ""));
  return number === BigInt.asIntN(64, number) ? number : null;
}
