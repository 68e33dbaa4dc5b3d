/**
 * The policy: what people decide. First of the three contracts (Policy, Snapshot, Plan).
 *
 * This is the policy as the planner takes it: validated, every default filled in, layers already merged into each
 * workload. How it is written in a stack's configuration is `schema.ts`.
 */

import type { ClickHousePolicy } from "./clickhouse.ts";
import type { QueuePolicy } from "./queue.ts";

/** One requirement of a label selector, in the form in which Kubernetes itself evaluates it. */
export interface LabelRequirement {
  key: string;
  operator: "In" | "NotIn" | "Exists" | "DoesNotExist" | "Gt" | "Lt";
  values: string[];
}

/** A conjunction of requirements; the empty one selects everything. */
export type LabelSelector = LabelRequirement[];

/** How many replicas n nodes call for. See docs/semantics.md, "Formulas". */
export type Formula =
  | "linear"
  | "ha"
  | { nodesPerReplica: number; coresPerReplica?: number }
  | { coresPerReplica: number; nodesPerReplica?: number }
  | { ladder: [nodes: number, replicas: number][] };

/** Reasons of docs/semantics.md, "Workloads that are not safe to multiply", each of which a workload may lift. */
export const UNSAFE_REASONS = ["singleton-volume", "recreate-strategy", "writable-host-path"] as const;
export type UnsafeReason = (typeof UNSAFE_REASONS)[number];

/** Which nodes count as workers, and how long a node may blink. */
export interface WorkersPolicy {
  /** Only nodes that match count. Empty: every node. */
  selector: LabelSelector;
  /** Nodes that match any of these never count. */
  exclude: LabelSelector[];
  controlPlane: "auto" | "never" | "always";
  /** Label keys whose presence, with any value, marks a control-plane node. */
  controlPlaneLabels: string[];
  /** Further taint keys that a node carries only while it starts. */
  startupTaints: string[];
  /** Seconds a node has to be Ready before it may take a new replica. */
  minReadySeconds: number;
  /** Seconds for which a node that stopped being Ready still holds its replicas. */
  unreadyGraceSeconds: number;
  /** With more than this share of the candidates unready or lost (0 to 100), and more than okUnreadyCount, nothing shrinks. */
  maxUnreadyPercentage: number;
  okUnreadyCount: number;
  /** True: only nodes that may take a new replica hold one (the plain formula, always). */
  strict: boolean;
}

/** One entry of the allowlist with everything that layers and defaults say of it. */
export interface WorkloadPolicy {
  namespace: string;
  name: string;
  /** `Deployment`; any other kind is planned as a refusal. */
  kind: string;
  layer?: string;
  max: number;
  min: number;
  formula: Formula;
  /** Workers left out of the formula. */
  spare: number;
  capacity: "enforce" | "warn" | "off";
  gitops: "defer" | "override" | "write";
  hpa: "defer" | "bounds";
  /** The operating system of the images, for templates that don't say. */
  os: "linux" | "windows";
  allowUnsafe: UnsafeReason[];
}

export interface Policy {
  workers: WorkersPolicy;
  owners: {
    /** Field managers, by exact name, from which `spec.replicas` is taken over. */
    takeOver: string[];
  };
  /** With more pods than this in the cluster, capacity is not computed. */
  capacityPodLimit: number;
  /** The allowlist, in the order of which plans are made and room is given out. */
  workloads: WorkloadPolicy[];
  /** ClickHouse and Keeper, scaled step by step. */
  clickhouse: ClickHousePolicy[];
  /** Workloads whose load is a queue, each with an autoscaler of its own; after the allowlist in the order of room. */
  queues: QueuePolicy[];
}
