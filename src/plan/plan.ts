/**
 * The plan: what is to be done and why. Third of the three contracts (Policy, Snapshot, Plan).
 *
 * Codes are closed sets: tests and machines use the codes, people read the sentences (`sentences.ts`).
 */
import type { UnsafeReason } from "../config/policy.ts";
import type { QueuePolicy } from "../config/queue.ts";
import type { ClickHouseEntry } from "./clickhouse-plan.ts";

/** States of a candidate's health, best first; where several apply, the last of this list wins. docs/semantics.md, "Health". */
export const HEALTH_STATES = [
  "ready",
  "settling",
  "cordoned",
  "starting",
  "pressure",
  "leaving",
  "unready",
  "lost",
] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

export type Decision = "scale-up" | "scale-down" | "keep" | "hold" | "refuse" | "defer" | "skip" | "missing";

/** Who owns the count, or why there is nothing to plan. docs/semantics.md, "Ownership". */
export type OwnershipReason =
  | "not-a-deployment"
  | "being-deleted"
  | "operator-owned"
  | "scaled-to-zero"
  | "hpa"
  | "keda"
  | "argo-rollout"
  | "argocd"
  | "flux"
  | "addon-manager"
  | "field-owner";

export type Bound = "placement" | "capacity" | "quota";

/** Why the target differs from the plain formula, or why nothing was planned. */
export type Reason =
  | Exclude<HealthState, "ready" | "lost">
  | "cluster-unhealthy"
  | "no-matching-node"
  | "no-ready-worker"
  | Bound
  | OwnershipReason
  | UnsafeReason;

export type Warning =
  | "rollout-deadlock"
  | "pdb-blocks-drain"
  | "rollout-paused"
  | "tolerated-pool"
  | "capacity-unknown"
  | "capacity"
  | "quota"
  | "gitops-override"
  | "not-modelled";

/** What carries a target into the world; null where nothing is written. */
export type Action =
  | { kind: "deployment"; namespace: string; name: string; replicas: number }
  | {
      kind: "hpa";
      namespace: string;
      name: string;
      maxReplicas: number;
      /** Only where it would exceed maxReplicas otherwise, or is ours already. */
      minReplicas?: number;
    }
  /** The count belongs into the git repository from which the workload is deployed. */
  | {
      kind: "git";
      namespace: string;
      name: string;
      replicas: number;
      /** Present where the count is the maxReplicas of the autoscaler of this name, with a minReplicas as above. */
      hpa?: { minReplicas?: number };
    };

export interface PlanEntry {
  /** `namespace/name`. */
  workload: string;
  kind: string;
  decision: Decision;
  /** Replicas now (an autoscaler's maxReplicas under `hpa: bounds`); null for what does not exist. */
  current: number | null;
  target: number | null;
  /** Replicas that may run with new ones started now; null where a rule ended the planning before there was a number. */
  grow: number | null;
  /** Replicas that may go on running; null as for grow. */
  keep: number | null;
  reasons: Reason[];
  warnings: Warning[];
  /** One or more sentences for a person, with node names and numbers. */
  message: string;
  action: Action | null;
}

/** `create`: the autoscaler is not there yet. The others as for a workload, of the autoscaler's maximum. */
export type QueueDecision = Decision | "create";

/** `declared-elsewhere`: the policy declares the Deployment, and one is there that somebody else declared. */
export type QueueReason = Reason | "declared-elsewhere";

export type QueueWarning = Warning | "minimum-lowered" | "single-node-volume" | "delete-on-removal";

/** What is declared for a queue: its autoscaler within these bounds, and the workload around it where the policy has one. */
export interface QueueAction {
  kind: "queue";
  namespace: string;
  name: string;
  minReplicas: number;
  maxReplicas: number;
  /** The rest of what is declared, as the policy says it. */
  declared: Pick<QueuePolicy, "metric" | "selector" | "target" | "scaleUp" | "scaleDown" | "workload">;
}

/** A workload whose load is a queue; its numbers are those of its autoscaler's maximum. */
export interface QueueEntry extends Omit<PlanEntry, "kind" | "decision" | "reasons" | "warnings" | "action"> {
  decision: QueueDecision;
  reasons: QueueReason[];
  warnings: QueueWarning[];
  /** Null where nothing is declared. An autoscaler of ours that is there stays declared whatever is decided. */
  action: QueueAction | null;
}

/** Why a node is no candidate. */
export type NonCandidate = "control-plane" | "virtual" | "excluded" | "not-selected";

/** The nodes at a glance, for people and machines; nothing here decides anything. */
export interface WorkerSummary {
  candidates: number;
  /** Candidates by state of health; states without a node are left out. */
  byState: Partial<Record<HealthState, number>>;
  /** Names of the candidates that are not ready, by state, sorted; at most 10 a state. */
  names: Partial<Record<HealthState, string[]>>;
  /** Nodes that are no candidates, by why. */
  nonCandidates: Partial<Record<NonCandidate, number>>;
}

export interface Plan {
  workloads: PlanEntry[];
  /** Only where the policy has queues. */
  queues?: QueueEntry[];
  workers: WorkerSummary;
  /** What holds for the plan as a whole, a sentence each. */
  notes: string[];
  /** ClickHouse and Keeper clusters, in the order of the policy; absent where it lists none. */
  clickhouse?: ClickHouseEntry[];
}
