/** The plan of one queue: the bounds of its autoscaler within the workers. docs/semantics.md, "Autoscalers". */
import type { Deployment, HorizontalPodAutoscaler } from "../cluster/snapshot.ts";
import type { WorkloadPolicy } from "../config/policy.ts";
import type { QueuePolicy } from "../config/queue.ts";
import { decisionOf, reasonsOf } from "./decisions.ts";
import type { Facts } from "./facts.ts";
import { keyOf } from "./owner-index.ts";
import { type Owned, ownershipOf } from "./ownership.ts";
import type { QueueAction, QueueDecision, QueueEntry, QueueReason, QueueWarning } from "./plan.ts";
import { ownedQueueMessage, plannedQueueMessage } from "./queue-message.ts";
import { autoscalersOf, isDeclaredByQueue } from "./queue-objects.ts";
import { targetOf } from "./target.ts";
import type { ClusterView } from "./view.ts";
import { warningsOf } from "./warnings.ts";
import { factsOf } from "./workload.ts";

/** Writes the count through the subresource `scale`, for any autoscaler there ever was. */
const AUTOSCALING_CONTROLLER = "kube-controller-manager";

/** A volume that one node can mount holds one pod: a second might be put on another node. */
const SINGLE_NODE_MAX = 1;

/** Plans a queue and takes the room of its pods. */
export function planQueue(queue: QueuePolicy, view: ClusterView): QueueEntry {
  const { own, rivals } = autoscalersOf(queue, view);
  const policy = asWorkload(queue);
  const autoscalers = new Map(rivals.length === 0 ? [] : [[keyOf(queue), rivals]]);
  const takeOver = [...view.policy.owners.takeOver, AUTOSCALING_CONTROLLER];
  const subject = ownershipOf({ ...policy, hpa: "defer" }, takeOver, { ...view.owners, autoscalers });
  if (subject.decision !== null) return planOwned(queue, subject, own);
  const { deployment } = subject;
  if (own?.deleting) return planOwned(queue, ended("being-deleted", "HorizontalPodAutoscaler"), own);
  if (queue.workload !== undefined && !isDeclaredByQueue(deployment)) {
    return planOwned(queue, ended("declared-elsewhere", `Deployment ${keyOf(deployment)}`), own);
  }
  const autoscaler = own === undefined ? foreseen(queue, deployment) : seen(own, deployment);
  return planUnowned(queue, factsOf(policy, { ...subject, autoscaler }, view), own);
}

/** A queue whose planning ends before there is a number. */
export interface OwnedQueue extends Omit<Owned, "reason"> {
  reason: QueueReason | null;
}

function ended(reason: "being-deleted" | "declared-elsewhere", by: string): OwnedQueue {
  return { decision: "refuse", reason, current: null, by };
}

/** The queue as an entry of the allowlist, whose rules its maximum follows. */
export function asWorkload(queue: QueuePolicy): WorkloadPolicy {
  const { namespace, name, min, max, formula, spare, capacity, os, allowUnsafe } = queue;
  return {
    namespace,
    name,
    kind: "Deployment",
    min: Math.min(min, isSingleNode(queue) ? SINGLE_NODE_MAX : min),
    max: Math.min(max, isSingleNode(queue) ? SINGLE_NODE_MAX : max),
    formula,
    spare,
    capacity,
    gitops: "defer",
    hpa: "bounds",
    os,
    allowUnsafe,
  };
}

function isSingleNode({ workload }: QueuePolicy): boolean {
  return workload?.volume?.accessMode === "ReadWriteOnce";
}

/** Its status lags behind, and is empty at first: what the Deployment has is never cut either. */
function seen(own: HorizontalPodAutoscaler, deployment: Deployment): HorizontalPodAutoscaler {
  return { ...own, currentReplicas: Math.max(own.currentReplicas, deployment.replicas) };
}

/** An autoscaler to be, whose maximum is what runs: so planning begins where the Deployment stands. */
function foreseen({ namespace, name }: QueuePolicy, { replicas }: Deployment): HorizontalPodAutoscaler {
  return {
    namespace,
    name,
    labels: {},
    annotations: {},
    deleting: false,
    ownerReferences: [],
    fieldManagers: [],
    target: { group: "apps", kind: "Deployment", name },
    minReplicas: 1,
    minReplicasManagers: [],
    maxReplicas: replicas,
    currentReplicas: replicas,
  };
}

function planOwned(queue: QueuePolicy, owned: OwnedQueue, own: HorizontalPodAutoscaler | undefined): QueueEntry {
  const { decision, reason } = owned;
  return {
    workload: keyOf(queue),
    decision,
    current: own?.maxReplicas ?? null,
    target: own?.maxReplicas ?? null,
    grow: null,
    keep: null,
    reasons: reason === null ? [] : [reason],
    warnings: [],
    message: ownedQueueMessage(owned, own),
    action: own === undefined ? null : declared(queue, own),
  };
}

function planUnowned(queue: QueuePolicy, facts: Facts, own: HorizontalPodAutoscaler | undefined): QueueEntry {
  const { view, pod, sets, numbers, hazards, subject } = facts;
  const refused = hazards.length > 0 && numbers.target > numbers.current;
  const target = refused ? numbers.current : numbers.target;
  const reasons = refused ? hazards.map((hazard) => hazard.reason) : reasonsOf(numbers, sets, view);
  const decision = queueDecision(facts, refused, own);
  // Without an autoscaler there is no maximum yet that could be kept.
  const isDeclared = own !== undefined || decision === "create";
  const bounds = { minReplicas: minimumOf(facts, target, own), maxReplicas: target };
  const warnings = isDeclared && !refused ? queueWarnings(queue, facts, bounds.minReplicas) : [];
  view.room.take(pod, subject.deployment, sets.grow, target);
  return {
    workload: keyOf(queue),
    decision,
    current: own?.maxReplicas ?? null,
    target: isDeclared ? target : null,
    grow: numbers.grow,
    keep: numbers.keep,
    reasons,
    warnings,
    message: plannedQueueMessage(queue, { decision, reasons, warnings, bounds }, facts, own),
    action: isDeclared ? declared(queue, bounds) : null,
  };
}

function queueDecision(
  { numbers, sets, view }: Facts,
  refused: boolean,
  own: HorizontalPodAutoscaler | undefined,
): QueueDecision {
  if (refused) return "refuse";
  if (own !== undefined) return decisionOf(numbers, reasonsOf(numbers, sets, view));
  return sets.keep.length === 0 ? "hold" : "create";
}

/**
 * As low as the workers are few, and not as the maximum: that one may stand above them, until fewer replicas run, and with
 * a minimum at the same height fewer never would.
 */
function minimumOf(facts: Facts, target: number, own: HorizontalPodAutoscaler | undefined): number {
  const { numbers, sets, view, policy } = facts;
  const least = Math.min(policy.min, target);
  if (sets.keep.length === 0) return own?.minReplicas ?? least;
  return view.unhealthy ? least : Math.min(least, targetOf(numbers).target);
}

function queueWarnings(queue: QueuePolicy, facts: Facts, minReplicas: number): QueueWarning[] {
  return [
    ...warningsOf(facts),
    ...(isSingleNode(queue) ? (["single-node-volume"] as const) : []),
    ...(minReplicas < facts.policy.min ? (["minimum-lowered"] as const) : []),
    ...(queue.deleteHpaOnRemoval ? (["delete-on-removal"] as const) : []),
  ];
}

function declared(queue: QueuePolicy, bounds: { minReplicas: number; maxReplicas: number }): QueueAction {
  const { namespace, name, metric, selector, target, scaleUp, scaleDown, workload } = queue;
  const { minReplicas, maxReplicas } = bounds;
  return {
    kind: "queue",
    namespace,
    name,
    minReplicas,
    maxReplicas,
    declared: {
      metric,
      selector,
      target,
      ...(scaleUp === undefined ? {} : { scaleUp }),
      scaleDown,
      ...(workload === undefined ? {} : { workload }),
    },
  };
}
