/** Workloads that are not safe to multiply. docs/semantics.md, "Safety". */
import type { Deployment, PersistentVolumeClaim, Volume } from "../cluster/snapshot.ts";
import type { UnsafeReason, WorkloadPolicy } from "../config/policy.ts";

/** Why more than one replica is unsafe, and what of the template says so, as a person would name it. */
export interface Hazard {
  reason: UnsafeReason;
  what: string;
}

/** Volumes named in the template that many nodes may attach where they are attached read-only (their API docs). */
const SHAREABLE_READ_ONLY = ["gcePersistentDisk", "rbd", "iscsi", "fc"];

/**
 * The reasons against a second replica that the policy does not lift.
 *
 * @param claimOf the claim of a namespace and name; undefined where it does not exist or could not be read
 */
export function hazardsOf(
  deployment: Deployment,
  policy: WorkloadPolicy,
  claimOf: (name: string) => PersistentVolumeClaim | undefined,
): Hazard[] {
  const { volumes } = deployment.template;
  const singletons = volumes.flatMap((volume) => singletonVolume(volume, claimOf) ?? []);
  const hostPaths = volumes.flatMap((volume) => (volume.type === "hostPath" && volume.writable ? volume.name : []));
  const hazards: Hazard[] = [];
  if (singletons.length > 0) hazards.push({ reason: "singleton-volume", what: singletons.join(", ") });
  if (deployment.strategy.type === "Recreate") hazards.push({ reason: "recreate-strategy", what: "Recreate" });
  if (hostPaths.length > 0) hazards.push({ reason: "writable-host-path", what: hostPaths.join(", ") });
  return hazards.filter((hazard) => !policy.allowUnsafe.includes(hazard.reason));
}

/** How a volume ties its pods to one node; null where many nodes may mount it. */
function singletonVolume(volume: Volume, claimOf: (name: string) => PersistentVolumeClaim | undefined): string | null {
  switch (volume.type) {
    case "claim": {
      const claim = claimOf(volume.claimName);
      if (claim === undefined) return `claim ${volume.claimName} (can't be read)`;
      // The mode is what counts: a driver that happens to share a ReadWriteOnce volume does so by accident.
      const single = claim.accessModes.find((mode) => mode === "ReadWriteOnce" || mode === "ReadWriteOncePod");
      if (single === undefined || claim.accessModes.includes("ReadWriteMany")) return null;
      return `claim ${volume.claimName} (${single})`;
    }
    case "singleAttach":
      if (volume.readOnly && SHAREABLE_READ_ONLY.includes(volume.source)) return null;
      return `volume ${volume.name} (${volume.source})`;
    case "ephemeral":
    case "hostPath":
      return null;
  }
}
