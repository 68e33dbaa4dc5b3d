/** A Deployment's pod template. */
import type { PodTemplate, TopologySpreadConstraint } from "../snapshot.ts";
import { podAffinityTerms, podClaims } from "./claims.ts";
import type { Field } from "./field.ts";
import { labelSelector, nodeSelectorTerms } from "./selectors.ts";
import { volumes } from "./volumes.ts";

export function podTemplate(template: Field): PodTemplate {
  const spec = template.get("spec");
  const affinity = spec.get("affinity");
  return {
    labels: template.get("metadata").get("labels").textMap(),
    claims: podClaims(spec),
    nodeName: spec.get("nodeName").text(""),
    nodeSelector: spec.get("nodeSelector").textMap(),
    nodeAffinity: nodeSelectorTerms(affinity.get("nodeAffinity").get("requiredDuringSchedulingIgnoredDuringExecution")),
    podAffinity: podAffinityTerms(affinity.get("podAffinity")),
    topologySpread: spec
      .get("topologySpreadConstraints")
      .items()
      .filter(
        (constraint) =>
          constraint.get("whenUnsatisfiable").oneOf(["DoNotSchedule", "ScheduleAnyway"]) === "DoNotSchedule",
      )
      .map(spreadConstraint),
    runtimeClassName: spec.get("runtimeClassName").text(""),
    os: spec.get("os").get("name").text(""),
    volumes: volumes(spec),
  };
}

/** The defaults of the policies are those of the API for constraints that don't state them. */
function spreadConstraint(constraint: Field): TopologySpreadConstraint {
  return {
    maxSkew: constraint.get("maxSkew").whole(),
    topologyKey: constraint.get("topologyKey").text(),
    selector: labelSelector(constraint.get("labelSelector")),
    minDomains: constraint.get("minDomains").whole(1),
    nodeAffinityPolicy: constraint.get("nodeAffinityPolicy").oneOf(["Honor", "Ignore"], "Honor"),
    nodeTaintsPolicy: constraint.get("nodeTaintsPolicy").oneOf(["Honor", "Ignore"], "Ignore"),
    matchLabelKeys: constraint.get("matchLabelKeys").texts(),
  };
}
