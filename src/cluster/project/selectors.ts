/** Label selectors, node selector terms, taints and tolerations, as they occur within several kinds. */
import type { LabelSelector } from "../../config/policy.ts";
import type { NodeSelectorTerm, Taint, Toleration } from "../snapshot.ts";
import type { Field } from "./field.ts";

/** A LabelSelector (matchLabels and matchExpressions together); null where absent, which selects nothing. */
export function labelSelector(field: Field): LabelSelector | null {
  return field.exists ? requirements(field) : null;
}

export function requirements(field: Field): LabelSelector {
  const labels = Object.entries(field.get("matchLabels").textMap());
  return [
    ...labels.map(([key, value]): LabelSelector[number] => ({ key, operator: "In", values: [value] })),
    ...expressions(field.get("matchExpressions")),
  ];
}

/** One list for labels and nodes: nodes alone have Gt and Lt, but no API server admits those elsewhere. */
function expressions(field: Field): LabelSelector {
  return field.items().map((item) => ({
    key: item.get("key").text(),
    operator: item.get("operator").oneOf(["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"]),
    values: item
      .get("values")
      .items()
      .map((value) => value.text("")),
  }));
}

/** A NodeSelector's terms; null where it is absent. */
export function nodeSelectorTerms(field: Field): NodeSelectorTerm[] | null {
  if (!field.exists) return null;
  return field
    .get("nodeSelectorTerms")
    .items()
    .map((term) => ({
      matchExpressions: expressions(term.get("matchExpressions")),
      matchFields: expressions(term.get("matchFields")),
    }));
}

export function taints(field: Field): Taint[] {
  return field.items().map((taint) => {
    const timeAdded = taint.get("timeAdded").time();
    return {
      key: taint.get("key").text(),
      value: taint.get("value").text(""),
      effect: taint.get("effect").oneOf(["NoSchedule", "PreferNoSchedule", "NoExecute"]),
      ...(timeAdded === null ? {} : { timeAdded }),
    };
  });
}

export function tolerations(field: Field): Toleration[] {
  return field.items().map((toleration) => ({
    key: toleration.get("key").text(""),
    operator: toleration.get("operator").oneOf(["Exists", "Equal", "Lt", "Gt"], "Equal"),
    value: toleration.get("value").text(""),
    effect: toleration.get("effect").text(""),
  }));
}
