/** What carries a decision into the world. docs/semantics.md, "Decisions" and "From plan to cluster". */
import type { HorizontalPodAutoscaler } from "../cluster/snapshot.ts";
import { minimumBelow } from "./autoscaler.ts";
import { ownsCount } from "./field-managers.ts";
import type { Unowned } from "./ownership.ts";
import type { Action, Decision } from "./plan.ts";

/**
 * The write that a decision calls for; null for none. A hold writes the count only where the field is ours already:
 * leaving it out then would end the patch, while writing it otherwise would take a field for no change.
 *
 * @param toGit the count goes to the repository instead of the cluster
 */
export function actionFor(decision: Decision, target: number, subject: Unowned, toGit: boolean): Action | null {
  const { deployment, autoscaler } = subject;
  const write = toGit ? gitWrite : clusterWrite;
  switch (decision) {
    case "scale-up":
    case "scale-down":
    case "keep":
      return write(target, subject);
    case "hold":
      return !toGit && ownsCount(autoscaler ?? deployment) ? write(target, subject) : null;
    default:
      return null;
  }
}

function clusterWrite(target: number, { deployment, autoscaler }: Unowned): Action {
  const { namespace, name } = autoscaler ?? deployment;
  return autoscaler === null
    ? { kind: "deployment", namespace, name, replicas: target }
    : { kind: "hpa", namespace, name, maxReplicas: target, ...minimum(target, autoscaler) };
}

function gitWrite(target: number, { deployment, autoscaler }: Unowned): Action {
  const { namespace, name } = autoscaler ?? deployment;
  const write = { kind: "git" as const, namespace, name, replicas: target };
  return autoscaler === null ? write : { ...write, hpa: minimum(target, autoscaler) };
}

function minimum(target: number, autoscaler: HorizontalPodAutoscaler): { minReplicas?: number } {
  const minReplicas = minimumBelow(target, autoscaler);
  return minReplicas === null ? {} : { minReplicas };
}
