/** Which lists a policy needs: a kind, in the namespaces of the allowlist and of queues, or in the whole cluster. */
import type { Policy } from "../config/policy.ts";
import { KINDS, type Kind } from "./kinds.ts";

export interface Need {
  kind: Kind;
  /** Absent: the whole cluster. */
  namespace?: string;
}

export function needsOf(policy: Policy): Need[] {
  return KINDS.flatMap((kind) => {
    if (kind.scope === "cluster") return [{ kind }];
    const workloads = policy.workloads.filter((workload) => kind.need !== "shown" || workload.kind === kind.kind);
    const queues = kind.need === "shown" ? [] : policy.queues;
    return [...new Set([...workloads, ...queues].map(({ namespace }) => namespace))].map((namespace) => ({
      kind,
      namespace,
    }));
  });
}
