import type { Pod } from "../snapshot.ts";
import { podClaims } from "./claims.ts";
import type { Field } from "./field.ts";
import { isDeleting, namespacedName } from "./metadata.ts";
import type { Pool } from "./pool.ts";

/** @param pool shares labels and claims between pods of the same shape, which is nearly all of them. */
export function pod(object: Field, pool: Pool): Pod {
  const spec = object.get("spec");
  const status = object.get("status");
  const phase = status.get("phase").text("");
  return {
    ...namespacedName(object),
    labels: pool.share(object.get("metadata").get("labels").textMap()),
    nodeName: spec.get("nodeName").text(""),
    finished: phase === "Succeeded" || phase === "Failed",
    terminating: isDeleting(object),
    unschedulable: status.get("conditions").items().some(isUnschedulable),
    claims: pool.share(podClaims(spec, status)),
  };
}

function isUnschedulable(condition: Field): boolean {
  return (
    condition.get("type").value === "PodScheduled" &&
    condition.get("status").value === "False" &&
    condition.get("reason").value === "Unschedulable"
  );
}
