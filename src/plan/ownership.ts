/** Who already owns the count, asked before any number. docs/semantics.md, "Ownership" and "Autoscalers". */
import type { Deployment, HorizontalPodAutoscaler, OwnedObject } from "../cluster/snapshot.ts";
import type { WorkloadPolicy } from "../config/policy.ts";
import { foreignManagers } from "./field-managers.ts";
import { type CountedObject, type GitOpsOwner, gitOpsOwners } from "./gitops.ts";
import { keyOf, type OwnerIndex } from "./owner-index.ts";
import type { Decision, OwnershipReason } from "./plan.ts";

/** A workload whose planning ends before there is a number. */
export interface Owned {
  decision: Extract<Decision, "refuse" | "defer" | "skip" | "missing">;
  /** Null only for what is missing. */
  reason: OwnershipReason | null;
  current: number | null;
  /** The owner or the evidence, as a person would name it: `HorizontalPodAutoscaler web`. */
  by: string;
}

/** A workload whose count is ours to plan. */
export interface Unowned {
  decision: null;
  deployment: Deployment;
  /** The autoscaler whose maximum is planned instead of the count; null: none. */
  autoscaler: HorizontalPodAutoscaler | null;
  /** GitOps tools that track it and were passed, because the count is free or the policy says so. */
  passed: GitOpsOwner[];
}

/** The first row of the table of owners that applies, or what is left to plan. */
export function ownershipOf(policy: WorkloadPolicy, takeOver: readonly string[], owners: OwnerIndex): Owned | Unowned {
  const key = keyOf(policy);
  if (policy.kind !== "Deployment") {
    const current = owners.others.get(`${policy.kind} ${key}`) ?? null;
    return { decision: "refuse", reason: "not-a-deployment", current, by: policy.kind };
  }
  const deployment = owners.deployments.get(key);
  if (deployment === undefined) return { decision: "missing", reason: null, current: null, by: key };

  const autoscalers = owners.autoscalers.get(key) ?? [];
  // Two autoscalers on one Deployment fight already: no bounds of either are planned.
  const autoscaler = policy.hpa === "bounds" && autoscalers.length === 1 ? (autoscalers[0] ?? null) : null;
  const counted = countedObject(deployment, autoscaler);
  const end = (decision: Owned["decision"], reason: OwnershipReason, by: string, current = deployment.replicas) => ({
    decision,
    reason,
    current,
    by,
  });
  const count = autoscaler?.maxReplicas ?? deployment.replicas;

  if (deployment.deleting || counted.object.deleting) return end("refuse", "being-deleted", counted.kind);
  const operator = operatorOf(counted.object);
  if (operator !== null) return end("refuse", "operator-owned", operator, count);
  if (deployment.replicas === 0) return end("skip", "scaled-to-zero", "Deployment");
  if (autoscaler === null && autoscalers.length > 0) {
    return end("defer", "hpa", naming("HorizontalPodAutoscaler", autoscalers));
  }
  const scaledObjects = owners.scaledObjects.get(key);
  if (scaledObjects !== undefined) return end("defer", "keda", naming("ScaledObject", scaledObjects));
  const rollouts = owners.rollouts.get(key);
  if (rollouts !== undefined) return end("defer", "argo-rollout", naming("Rollout", rollouts));
  const gitOps = gitOpsOwners(counted, owners.applications);
  const holding = policy.gitops === "defer" ? gitOps.find((owner) => !owner.free) : undefined;
  if (holding !== undefined) return end("defer", holding.tool, holding.by, count);
  const addOnManager = addOnManagerOf(counted.object);
  if (addOnManager !== null) return end("defer", "addon-manager", addOnManager, count);
  const foreign = foreignManagers(counted.object, [...takeOver, ...gitOps.flatMap(({ managers }) => managers)]);
  if (foreign.length > 0) return end("defer", "field-owner", foreign.join(", "), count);
  return { decision: null, deployment, autoscaler, passed: gitOps };
}

function countedObject(deployment: Deployment, autoscaler: HorizontalPodAutoscaler | null): CountedObject {
  return autoscaler === null
    ? { object: deployment, group: "apps", kind: "Deployment", field: "/spec/replicas" }
    : { object: autoscaler, group: "autoscaling", kind: "HorizontalPodAutoscaler", field: "/spec/maxReplicas" };
}

/** What runs the object: an owner, or the Operator Lifecycle Manager; null for none. */
export function operatorOf({ ownerReferences, labels }: OwnedObject): string | null {
  const [first] = ownerReferences.map(({ kind, name }) => `${kind} ${name}`).sort();
  const olm = labels["olm.owner"];
  return first ?? (olm === undefined ? null : `Operator Lifecycle Manager (${olm})`);
}

/** The mark of Kubernetes' add-on manager, or of Rancher's object sets (k3s, RKE2 and their add-ons). */
export function addOnManagerOf({ labels, annotations }: OwnedObject): string | null {
  if (labels["addonmanager.kubernetes.io/mode"] === "Reconcile") return "addonmanager.kubernetes.io/mode";
  const [first] = Object.keys(annotations)
    .filter((key) => key.startsWith("objectset.rio.cattle.io/"))
    .sort();
  return first ?? null;
}

function naming(kind: string, objects: { name: string }[]): string {
  const names = objects.map(({ name }) => name).join(", ");
  return objects.length === 1 ? `${kind} ${names}` : `${objects.length} ${kind}s (${names})`;
}
