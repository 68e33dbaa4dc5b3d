/** The kinds that scale a Deployment: HorizontalPodAutoscaler, KEDA's ScaledObject, an Argo Rollout with a workloadRef. */
import type { HorizontalPodAutoscaler, Rollout, ScaledObject } from "../snapshot.ts";
import type { Field } from "./field.ts";
import { managersOf, namespacedName, ownedObject, scaleTarget } from "./metadata.ts";

export function horizontalPodAutoscaler(object: Field): HorizontalPodAutoscaler {
  const spec = object.get("spec");
  return {
    ...ownedObject(object, "maxReplicas"),
    target: scaleTarget(spec.get("scaleTargetRef")),
    minReplicas: spec.get("minReplicas").whole(1),
    minReplicasManagers: managersOf(object, "minReplicas"),
    maxReplicas: spec.get("maxReplicas").whole(),
    currentReplicas: object.get("status").get("currentReplicas").whole(0),
  };
}

/** KEDA takes a target without apiVersion and kind for a Deployment of apps/v1. */
export function scaledObject(object: Field): ScaledObject {
  const target = scaleTarget(object.get("spec").get("scaleTargetRef"), { apiVersion: "apps/v1", kind: "Deployment" });
  return { ...namespacedName(object), target };
}

/** Undefined for a Rollout that refers to no workload: it scales its own template. The names in a reference are optional. */
export function rollout(object: Field): Rollout | undefined {
  const reference = object.get("spec").get("workloadRef");
  if (!reference.get("name").exists) return undefined;
  return { ...namespacedName(object), workloadRef: scaleTarget(reference, { apiVersion: "", kind: "" }) };
}
