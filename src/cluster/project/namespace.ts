/** Kinds that bound or complete the pods of a namespace. */
import type { LimitRange, Namespace, PodDisruptionBudget, ResourceQuota, Toleration } from "../snapshot.ts";
import { Field } from "./field.ts";
import { name, namespacedName } from "./metadata.ts";
import { labelSelector, tolerations } from "./selectors.ts";

export function namespace(object: Field): Namespace {
  const annotation = (key: string) => {
    const field = object.get("metadata").get("annotations").get(key);
    return field.exists ? field.text("") : null;
  };
  return {
    name: name(object),
    labels: object.get("metadata").get("labels").textMap(),
    nodeSelector: annotation("scheduler.alpha.kubernetes.io/node-selector"),
    defaultTolerations: defaultTolerations(annotation("scheduler.alpha.kubernetes.io/defaultTolerations")),
    openshiftNodeSelector: annotation("openshift.io/node-selector"),
  };
}

/** An annotation holds any text; one that is no list of tolerations adds none. */
function defaultTolerations(annotation: string | null): Toleration[] | null {
  if (annotation === null) return null;
  try {
    return tolerations(Field.root(JSON.parse(annotation), ""));
  } catch {
    return null;
  }
}

export function limitRange(object: Field): LimitRange {
  const limits = object.get("spec").get("limits").items();
  return {
    ...namespacedName(object),
    containers: limits
      .filter((limit) => limit.get("type").text() === "Container")
      .map((limit) => ({
        default: limit.get("default").resources(),
        defaultRequest: limit.get("defaultRequest").resources(),
      })),
  };
}

export function resourceQuota(object: Field): ResourceQuota {
  const spec = object.get("spec");
  const status = object.get("status");
  const plain = spec.get("scopes").texts();
  const selected = spec.get("scopeSelector").get("matchExpressions").items();
  return {
    ...namespacedName(object),
    hard: status.get("hard").resources(),
    used: status.get("used").resources(),
    scopes: [
      ...plain.map((scope): ResourceQuota["scopes"][number] => ({ scope, operator: "Exists", values: [] })),
      ...selected.map((item) => ({
        scope: item.get("scopeName").text(),
        operator: item.get("operator").oneOf(["In", "NotIn", "Exists", "DoesNotExist"]),
        values: item.get("values").texts(),
      })),
    ],
  };
}

export function podDisruptionBudget(object: Field): PodDisruptionBudget {
  const spec = object.get("spec");
  const bound = (key: string) => (spec.get(key).exists ? spec.get(key).countOrPercentage() : null);
  return {
    ...namespacedName(object),
    selector: labelSelector(spec.get("selector")),
    minAvailable: bound("minAvailable"),
    maxUnavailable: bound("maxUnavailable"),
  };
}
