import type { Plan, PlanEntry, QueueEntry } from "../../src/plan/plan.ts";
import type { Paint } from "../../src/report/paint.ts";

/** Without colours. */
export const plain: Paint = (_style, text) => text;

/** An entry to vary: dev/gitea goes from 1 to 3. */
export function entry(changes: Partial<PlanEntry> = {}): PlanEntry {
  return {
    workload: "dev/gitea",
    kind: "Deployment",
    decision: "scale-up",
    current: 1,
    target: 3,
    grow: 3,
    keep: 3,
    reasons: [],
    warnings: [],
    message: "3 ready workers.",
    action: { kind: "deployment", namespace: "dev", name: "gitea", replicas: 3 },
    ...changes,
  };
}

/** A plan with one entry a decision that matters to a reader. */
export function samplePlan(): Plan {
  return {
    workloads: [
      entry(),
      entry({
        workload: "dev/registry",
        decision: "hold",
        current: 4,
        target: 4,
        grow: 3,
        keep: 4,
        reasons: ["cordoned"],
        warnings: ["pdb-blocks-drain"],
        message: "keeping 4: 1 of 4 workers is cordoned (worker-4); 3 could take new replicas.",
        action: { kind: "deployment", namespace: "dev", name: "registry", replicas: 4 },
      }),
      entry({
        workload: "dev/mailpit",
        decision: "missing",
        current: null,
        target: null,
        grow: null,
        keep: null,
        message: "There is no Deployment dev/mailpit.",
        action: null,
      }),
    ],
    workers: {
      candidates: 4,
      byState: { ready: 3, cordoned: 1 },
      names: { cordoned: ["worker-4"] },
      nonCandidates: { "control-plane": 1 },
    },
    notes: ["The snapshot has no pods: every node counts as empty."],
  };
}

/** A queue's entry to vary: the autoscaler of jobs/worker is to be created. */
export function queueEntry(changes: Partial<QueueEntry> = {}): QueueEntry {
  return {
    workload: "jobs/worker",
    decision: "create",
    current: null,
    target: 3,
    grow: 3,
    keep: 3,
    reasons: [],
    warnings: [],
    message:
      "creating HorizontalPodAutoscaler worker with a maximum of 3: 3 workers can take its pods (w-1, w-2, w-3).",
    action: {
      kind: "queue",
      namespace: "jobs",
      name: "worker",
      minReplicas: 1,
      maxReplicas: 3,
      declared: {
        metric: "oban_queue_depth",
        selector: { queue: "mails", state: "available" },
        target: 5,
        scaleDown: { stabilizationWindowSeconds: 600 },
      },
    },
    ...changes,
  };
}
