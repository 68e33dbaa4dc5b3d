import type { Deployment } from "../snapshot.ts";
import type { Field } from "./field.ts";
import { ownedObject } from "./metadata.ts";
import { requirements } from "./selectors.ts";
import { podTemplate } from "./template.ts";

/** The API's defaults (SetDefaults_Deployment) for what is absent: 1 replica, RollingUpdate, 25%. */
export function deployment(object: Field): Deployment {
  const spec = object.get("spec");
  const strategy = spec.get("strategy");
  const bound = (key: string) => {
    const field = strategy.get("rollingUpdate").get(key);
    return field.exists ? field.countOrPercentage() : "25%";
  };
  const failure = object
    .get("status")
    .get("conditions")
    .items()
    .find((condition) => condition.get("type").value === "ReplicaFailure" && condition.get("status").value === "True");
  return {
    ...ownedObject(object, "replicas"),
    replicas: spec.get("replicas").whole(1),
    paused: spec.get("paused").flag(),
    strategy: {
      type: strategy.get("type").oneOf(["RollingUpdate", "Recreate"], "RollingUpdate"),
      maxSurge: bound("maxSurge"),
      maxUnavailable: bound("maxUnavailable"),
    },
    selector: requirements(spec.get("selector").required("a label selector")),
    template: podTemplate(spec.get("template")),
    replicaFailure: failure === undefined ? null : failure.get("message").text(""),
  };
}
