import type { RuntimeClass } from "../snapshot.ts";
import type { Field } from "./field.ts";
import { name } from "./metadata.ts";
import { tolerations } from "./selectors.ts";

export function runtimeClass(object: Field): RuntimeClass {
  const scheduling = object.get("scheduling");
  return {
    name: name(object),
    nodeSelector: scheduling.get("nodeSelector").textMap(),
    tolerations: tolerations(scheduling.get("tolerations")),
    overhead: object.get("overhead").get("podFixed").resources(),
  };
}
