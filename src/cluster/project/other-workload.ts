import type { OtherWorkload } from "../snapshot.ts";
import type { Field } from "./field.ts";
import { namespacedName } from "./metadata.ts";

/** A DaemonSet has no count: its pods follow the nodes. */
export function otherWorkload(object: Field, kind: string): OtherWorkload {
  const replicas = kind === "DaemonSet" ? null : object.get("spec").get("replicas").whole(1);
  return { kind, ...namespacedName(object), replicas };
}
