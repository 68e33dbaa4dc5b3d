/** What becomes of an autoscaler whose queue has left the policy. docs/queues.md. */
import { keyOf } from "./owner-index.ts";
import { isDeclaredByQueue, ON_REMOVAL } from "./queue-objects.ts";
import type { ClusterView } from "./view.ts";
import { counted } from "./words.ts";

/** A sentence for each autoscaler that a queue has declared and that is in no queue of the policy. */
export function leftAutoscalers({ snapshot, policy, owners }: ClusterView): string[] {
  const listed = new Set(policy.queues.map(keyOf));
  const left = snapshot.horizontalPodAutoscalers.filter((item) => isDeclaredByQueue(item) && !listed.has(keyOf(item)));
  return left
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .map((autoscaler) => {
      const lead = `HorizontalPodAutoscaler ${keyOf(autoscaler)} was declared for a queue that is no longer in the policy`;
      const replicas = owners.deployments.get(keyOf(autoscaler))?.replicas ?? autoscaler.currentReplicas;
      return autoscaler.labels[ON_REMOVAL] === "delete"
        ? `${lead}, and goes with it, as deleteHpaOnRemoval says: its Deployment is left at its present ${counted(replicas, "replica")}, and nothing scales it any more.`
        : `${lead}: it stays and goes on scaling, since without it its Deployment would be left at its present ${counted(replicas, "replica")}. ` +
            "To have it deleted, list the queue once more with deleteHpaOnRemoval: true, apply, and take it off.";
    });
}
