import type { QueuePolicy, SharedVolume } from "../../config/queue.ts";
import { metadataOf } from "./metadata.ts";

/** The volume of a pod, its mount and, where it is declared here, its claim. */
export function volumeOf(queue: QueuePolicy, volume: SharedVolume) {
  const claimName = volume.existingClaim ?? queue.name;
  return {
    volume: { name: "shared", persistentVolumeClaim: { claimName } },
    mount: { name: "shared", mountPath: volume.mountPath },
  };
}

/** The claim that is declared; undefined where there is none, or one that is there already. */
export function claimOf(queue: QueuePolicy) {
  const { volume } = queue.workload ?? {};
  if (volume === undefined || volume.existingClaim !== undefined || volume.size === undefined) return undefined;
  return {
    apiVersion: "v1" as const,
    kind: "PersistentVolumeClaim" as const,
    metadata: metadataOf(queue, queue.name),
    spec: {
      accessModes: [volume.accessMode],
      resources: { requests: { storage: volume.size } },
      ...(volume.storageClass === undefined ? {} : { storageClassName: volume.storageClass }),
    },
  };
}
