/**
 * One patch resource an entry of the plan: docs/semantics.md, "From plan to cluster".
 */
import { DeploymentPatch } from "@pulumi/kubernetes/apps/v1/deploymentPatch.js";
import { HorizontalPodAutoscalerPatch } from "@pulumi/kubernetes/autoscaling/v2/horizontalPodAutoscalerPatch.js";
import type { CustomResource, CustomResourceOptions } from "@pulumi/pulumi";
import { FIELD_MANAGER } from "../plan/field-managers.ts";
import type { Action, Plan } from "../plan/plan.ts";

/** An action that this stack carries out itself; those of kind `git` are somebody else's to write. */
export type PatchAction = Exclude<Action, { kind: "git" }>;

/** The actions that become patches, with the workload (`namespace/name`) that each is for. */
export function patchActions(plan: Plan): { workload: string; action: PatchAction }[] {
  return plan.workloads.flatMap(({ workload, action }) =>
    action === null || action.kind === "git" ? [] : [{ workload, action }],
  );
}

/**
 * Declares the patch for one workload.
 *
 * Retained on delete in every case: deleting a patch gives its field up, and the API server then resets a Deployment
 * that nobody else sizes to 1 replica.
 *
 * Forced, since `spec.replicas` nearly always has another manager (whoever created the object, or `kubectl scale`),
 * and the planner has already stood back from those that must not be overridden.
 *
 * Not awaited by the provider: see rollouts.ts.
 *
 * What comes back of a patch is the whole live object, with whatever it has in its environment variables and
 * annotations. It is encrypted in the state and hidden in what Pulumi shows; our own inputs stay readable.
 */
export function declarePatch(workload: string, action: PatchAction, options: CustomResourceOptions): CustomResource {
  const metadata = {
    namespace: action.namespace,
    name: action.name,
    annotations: patchAnnotations(),
  };
  const kept = patchOptions(options);
  if (action.kind === "deployment") {
    return new DeploymentPatch(workload, { metadata, spec: { replicas: action.replicas } }, kept);
  }
  const { maxReplicas, minReplicas } = action;
  const spec = minReplicas === undefined ? { maxReplicas } : { maxReplicas, minReplicas };
  return new HorizontalPodAutoscalerPatch(workload, { metadata, spec }, kept);
}

/** How every patch is sent, and whatever else is applied under a field manager of ours. */
export function patchAnnotations(fieldManager = FIELD_MANAGER): Record<string, string> {
  return {
    "pulumi.com/patchFieldManager": fieldManager,
    "pulumi.com/patchForce": "true",
    "pulumi.com/skipAwait": "true",
  };
}

/** How every patch is kept: retained on delete, and what comes back of it encrypted. */
export function patchOptions(options: CustomResourceOptions): CustomResourceOptions {
  return { ...options, retainOnDelete: true, additionalSecretOutputs: ["metadata", "spec", "status"] };
}
