/**
 * What a stack is about to create, as the planner needs to see it: with the room, the volumes and the placement that its
 * pods will ask for. Otherwise the first plan of a workload would know nothing of it.
 */
import { snapshotFromObjects } from "../../cluster/dump.ts";
import type { Snapshot } from "../../cluster/snapshot.ts";
import type { QueuePolicy } from "../../config/queue.ts";
import { deploymentOf } from "./deployment.ts";
import { claimOf } from "./volume.ts";

/** The snapshot, with the declared workloads that are not there yet. */
export function withDeclaredWorkloads(snapshot: Snapshot, queues: QueuePolicy[]): Snapshot {
  const isThere = (items: { namespace: string; name: string }[], { namespace, name }: QueuePolicy) =>
    items.some((item) => item.namespace === namespace && item.name === name);
  const objects = queues.flatMap((queue) => {
    const { workload } = queue;
    if (workload === undefined || isThere(snapshot.deployments, queue)) return [];
    const claim = claimOf(queue);
    const isClaimed = claim === undefined || isThere(snapshot.persistentVolumeClaims, queue);
    const deployment = deploymentOf(queue, workload);
    return [deployment, firstPodOf(deployment), ...(isClaimed ? [] : [claim])];
  });
  const foreseen = snapshotFromObjects(objects, snapshot.observedAt, "the workloads of queues");
  return {
    ...snapshot,
    deployments: [...snapshot.deployments, ...foreseen.deployments],
    pods: [...snapshot.pods, ...foreseen.pods],
    persistentVolumeClaims: [...snapshot.persistentVolumeClaims, ...foreseen.persistentVolumeClaims],
  };
}

/** The one replica with which a Deployment begins: it takes room before any other that is planned. */
function firstPodOf({ metadata: { namespace, name }, spec: { template } }: ReturnType<typeof deploymentOf>) {
  const metadata = { namespace, name: `${name}-0`, labels: template.metadata.labels };
  return { apiVersion: "v1", kind: "Pod", metadata, spec: template.spec };
}
