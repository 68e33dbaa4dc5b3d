import type { QueuePolicy, QueueWorkload } from "../../config/queue.ts";
import { metadataOf, podLabels } from "./metadata.ts";
import { probesOf } from "./probes.ts";
import { volumeOf } from "./volume.ts";

/**
 * The Deployment of a declared workload. It never states `spec.replicas`: the API server begins with 1, and from then on
 * the count is the autoscaler's.
 */
export function deploymentOf(queue: QueuePolicy, workload: QueueWorkload) {
  const volume = workload.volume === undefined ? undefined : volumeOf(queue, workload.volume);
  return {
    apiVersion: "apps/v1" as const,
    kind: "Deployment" as const,
    metadata: metadataOf(queue, queue.name),
    spec: {
      selector: { matchLabels: podLabels(queue) },
      // A pod of the next revision could wait for ever for a volume that the last one holds on another node.
      ...(workload.volume?.accessMode === "ReadWriteOnce" ? { strategy: { type: "Recreate" } } : {}),
      template: {
        metadata: { labels: podLabels(queue) },
        spec: {
          terminationGracePeriodSeconds: workload.terminationGracePeriodSeconds,
          containers: [{ ...containerOf(workload), ...(volume === undefined ? {} : { volumeMounts: [volume.mount] }) }],
          ...(volume === undefined ? {} : { volumes: [volume.volume] }),
        },
      },
    },
  };
}

function containerOf(workload: QueueWorkload) {
  const { image, command, args, env, secrets, resources, probes, preStop, network } = workload;
  return {
    name: "worker",
    image,
    ...(command === undefined ? {} : { command }),
    ...(args === undefined ? {} : { args }),
    env: [
      ...Object.entries(env).map(([name, value]) => ({ name, value })),
      ...secrets.map(({ env: name, secret, key }) => ({ name, valueFrom: { secretKeyRef: { name: secret, key } } })),
    ],
    ...(network.metrics === undefined
      ? {}
      : { ports: [{ name: "metrics", containerPort: network.metrics.port, protocol: "TCP" }] }),
    resources,
    ...probesOf(probes),
    ...(preStop === undefined ? {} : { lifecycle: { preStop: preStopOf(preStop) } }),
  };
}

/** What runs while the pod still does, and before its process is told to end. */
function preStopOf(preStop: NonNullable<QueueWorkload["preStop"]>) {
  return "exec" in preStop ? { exec: { command: preStop.exec } } : { sleep: { seconds: preStop.sleepSeconds } };
}
