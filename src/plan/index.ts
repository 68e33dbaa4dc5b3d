/**
 * The planner: what the cluster shows and what the policy says, made into what is to be done. A pure function: its only
 * clock is the snapshot's, and the same inputs give the same plan, byte for byte, in whatever order the objects come.
 */
import type { Snapshot } from "../cluster/snapshot.ts";
import type { Policy } from "../config/policy.ts";
import { planClickHouse } from "./clickhouse-clusters.ts";
import type { Plan } from "./plan.ts";
import { planQueue } from "./queue.ts";
import { notesOf, summaryOf } from "./summary.ts";
import { viewOf } from "./view.ts";
import { planWorkload } from "./workload.ts";

/** Plans every workload of the allowlist, in its order, and then every queue. */
export function plan(snapshot: Snapshot, policy: Policy): Plan {
  const view = viewOf(snapshot, policy);
  return {
    // First, since the room that they take is not there for ClickHouse.
    workloads: policy.workloads.map((workload) => planWorkload(workload, view)),
    ...(policy.queues.length === 0 ? {} : { queues: policy.queues.map((queue) => planQueue(queue, view)) }),
    workers: summaryOf(view),
    notes: notesOf(view),
    ...(policy.clickhouse.length === 0 ? {} : { clickhouse: planClickHouse(view) }),
  };
}
