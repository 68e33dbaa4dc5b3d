import type { PersistentVolume, PersistentVolumeClaim } from "../snapshot.ts";
import type { Field } from "./field.ts";
import { name, namespacedName } from "./metadata.ts";
import { nodeSelectorTerms } from "./selectors.ts";

export function persistentVolumeClaim(object: Field): PersistentVolumeClaim {
  const spec = object.get("spec");
  return {
    ...namespacedName(object),
    accessModes: spec.get("accessModes").texts(),
    volumeName: spec.get("volumeName").text(""),
  };
}

export function persistentVolume(object: Field): PersistentVolume {
  return {
    name: name(object),
    nodeAffinity: nodeSelectorTerms(object.get("spec").get("nodeAffinity").get("required")),
  };
}
