import type { Node } from "../snapshot.ts";
import type { Field } from "./field.ts";
import { isDeleting, name } from "./metadata.ts";
import { taints } from "./selectors.ts";

export function node(object: Field): Node {
  const status = object.get("status");
  const spec = object.get("spec");
  const conditions = status.get("conditions").items();
  const condition = (type: string) => conditions.find((candidate) => candidate.get("type").value === type);
  const ready = condition("Ready");
  const allocatable = status.get("allocatable").resources();
  return {
    name: name(object),
    labels: object.get("metadata").get("labels").textMap(),
    unschedulable: spec.get("unschedulable").flag(),
    deleting: isDeleting(object),
    taints: taints(spec.get("taints")),
    ready:
      ready === undefined
        ? null
        : { status: ready.get("status").text(), since: ready.get("lastTransitionTime").time() },
    networkUnavailable: condition("NetworkUnavailable")?.get("status").value === "True",
    allocatable: Object.keys(allocatable).length === 0 ? null : allocatable,
    operatingSystem: status.get("nodeInfo").get("operatingSystem").text(""),
  };
}
