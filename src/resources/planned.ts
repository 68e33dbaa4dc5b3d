import type { Snapshot } from "../cluster/snapshot.ts";
import type { Policy } from "../config/policy.ts";
import { plan } from "../plan/index.ts";
import type { Plan } from "../plan/plan.ts";

/** The plan, made with what the stack itself is about to create as if it were there. */
export async function planned(snapshot: Snapshot, policy: Policy): Promise<Plan> {
  if (policy.queues.every(({ workload }) => workload === undefined)) return plan(snapshot, policy);
  const { withDeclaredWorkloads } = await import("./queue/foreseen.ts");
  return plan(withDeclaredWorkloads(snapshot, policy.queues), policy);
}
