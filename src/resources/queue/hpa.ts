import type { QueuePolicy } from "../../config/queue.ts";
import { ON_REMOVAL } from "../../plan/queue-objects.ts";
import { metadataOf } from "./metadata.ts";

export interface Bounds {
  minReplicas: number;
  maxReplicas: number;
}

/**
 * The autoscaler of a queue, for a Deployment of its name. It owns `spec.replicas`, which nothing else that is declared
 * here sets.
 */
export function autoscalerOf(queue: QueuePolicy, { minReplicas, maxReplicas }: Bounds) {
  const { name, metric, selector, target, scaleUp, scaleDown, deleteHpaOnRemoval } = queue;
  return {
    apiVersion: "autoscaling/v2" as const,
    kind: "HorizontalPodAutoscaler" as const,
    metadata: metadataOf(queue, name, { [ON_REMOVAL]: deleteHpaOnRemoval ? "delete" : "retain" }),
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name },
      minReplicas,
      maxReplicas,
      metrics: [
        {
          type: "External",
          external: {
            metric: { name: metric, selector: { matchLabels: selector } },
            target: { type: "AverageValue", averageValue: quantity(target) },
          },
        },
      ],
      behavior: { ...(scaleUp === undefined ? {} : { scaleUp }), scaleDown },
    },
  };
}

/** As the API server writes it back (`1k` for 1000): written otherwise, every refresh would see a difference. */
function quantity(count: number): string {
  const suffixes = ["", "k", "M", "G", "T", "P"];
  let power = 0;
  while (count >= 1000 && count % 1000 === 0 && power < suffixes.length - 1) {
    count /= 1000;
    power += 1;
  }
  return `${count}${suffixes[power]}`;
}
