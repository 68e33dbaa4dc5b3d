/**
 * What is planned of a ClickHouse or a Keeper cluster: the next step alone, and those that follow it. Part of the contract Plan.
 * docs/semantics.md, "ClickHouse and Keeper".
 */
import type { Bound, Decision, HealthState, OwnershipReason } from "./plan.ts";

/** Members of a Keeper; or replicas of each shard, and shards. */
export interface Size {
  replicas: number;
  /** Absent for a Keeper. */
  shards?: number;
}

/** Reasons for a hold that the operator, or a step before, ends by itself: worth waiting for. */
export const WAITING_REASONS = [
  /** Its own last change is not finished. */
  "in-progress",
  /** ScaleAllowed of a Keeper, reason by reason; the last is for one that is not known here. */
  "replica-has-pending-changes",
  "replica-not-ready",
  "no-quorum",
  "waiting-followers",
  "scale-not-allowed",
  /** A ClickHouse cluster waits for steps of its Keeper, or for its Keeper to be whole. */
  "keeper-first",
  "keeper-unfinished",
  /** A Keeper waits for a ClickHouse cluster that refers to it. */
  "clickhouse-unfinished",
] as const;
export type WaitingReason = (typeof WAITING_REASONS)[number];

/** Reasons that only a person can end. */
export const REFUSAL_REASONS = [
  /** Fewer shards, without consent to that very number. */
  "data-loss",
  /** The Keeper that a ClickHouse cluster refers to can't be seen, or is not the one that the policy names. */
  "keeper-missing",
  "keeper-mismatch",
  /** Two entries of the policy want different sizes of one Keeper. */
  "keeper-conflict",
  /** With fewer members a PodDisruptionBudget would let a drain take the quorum. */
  "pdb-breaks-quorum",
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

export type ClickHouseReason =
  | WaitingReason
  | RefusalReason
  | Exclude<OwnershipReason, "not-a-deployment" | "hpa" | "keda" | "argo-rollout">
  | Exclude<HealthState, "ready">
  | "cluster-unhealthy"
  | "no-matching-node"
  | "no-ready-worker"
  | Bound;

export const CLICKHOUSE_WARNINGS = [
  /** More than one replica presumes ReplicatedMergeTree tables. */
  "replicated-tables",
  /** New replicas get no databases: enableDatabaseSync is false. */
  "database-sync-off",
  /** No row moves to a new shard. */
  "shards-not-rebalanced",
  /** A PodDisruptionBudget lets a drain take the Keeper's quorum. */
  "pdb-breaks-quorum",
  /** More replicas than nodes for them. */
  "shared-nodes",
  "capacity-unknown",
  "gitops-override",
] as const;
export type ClickHouseWarning = (typeof CLICKHOUSE_WARNINGS)[number];

/** The patch of a custom resource. A field that is ours already stays in it: given up, the API server would reset it. */
export interface ClickHouseAction {
  kind: "KeeperCluster" | "ClickHouseCluster";
  apiVersion: string;
  namespace: string;
  name: string;
  /** Of the object that was planned for, where it is known: another one of that name is left alone. */
  uid?: string;
  spec: { replicas?: number; shards?: number };
}

export interface ClickHouseEntry {
  /** `namespace/name`. */
  workload: string;
  kind: "KeeperCluster" | "ClickHouseCluster";
  decision: Decision;
  /** Null for what does not exist. */
  current: Size | null;
  /** After this step; current where none is taken now. */
  target: Size | null;
  /** The steps after this one, in order; they are planned anew when it is done. */
  next: Size[];
  reasons: ClickHouseReason[];
  warnings: ClickHouseWarning[];
  /** One or more sentences for a person. */
  message: string;
  action: ClickHouseAction | null;
}

/** Whether time alone brings the entry further: a step of it was taken and is under way, or one before it. */
export function isWaiting({ decision, reasons }: ClickHouseEntry): boolean {
  return decision === "hold" && reasons.some((reason) => WAITING_REASONS.some((waiting) => waiting === reason));
}

/** Whether a step is taken now. */
export function isStep({ decision }: ClickHouseEntry): boolean {
  return decision === "scale-up" || decision === "scale-down";
}
