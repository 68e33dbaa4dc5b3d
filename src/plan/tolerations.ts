/** Taints and tolerations, as Kubernetes matches them (k8s.io/api core/v1 toleration.go). docs/semantics.md, "Eligibility". */
import type { Taint, Toleration } from "../cluster/snapshot.ts";

export function isTolerated(taint: Taint, tolerations: readonly Toleration[]): boolean {
  return tolerations.some((toleration) => tolerates(toleration, taint));
}

function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect !== "" && toleration.effect !== taint.effect) return false;
  if (toleration.key !== "" && toleration.key !== taint.key) return false;
  switch (toleration.operator) {
    case "Exists":
      return true;
    case "Equal":
      return toleration.value === taint.value;
    case "Lt":
    case "Gt":
      return compares(taint.value, toleration.operator, toleration.value);
  }
}

/** Numeric tolerations (KEP-5471): the taint's value against the toleration's; what is no integer is not tolerated. */
function compares(taintValue: string, operator: "Lt" | "Gt", tolerated: string): boolean {
  if (!INTEGER.test(taintValue) || !INTEGER.test(tolerated)) return false;
  const [value, bound] = [BigInt(taintValue), BigInt(tolerated)];
  return operator === "Lt" ? value < bound : value > bound;
}

/** The one way to write an integer that the API takes here: no plus, no leading zero (validate/content IsDecimalInteger). */
const INTEGER = /^(0|-?[1-9]\d*)$/;
