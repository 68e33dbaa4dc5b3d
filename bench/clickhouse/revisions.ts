import { createHash } from "node:crypto";
import type { ClusterObject } from "./types.ts";

/** The revisions that a status has, and each StatefulSet in its annotations. */
export interface Revisions {
  /** Of the whole spec. */
  update: string;
  /** Of the server's configuration: `checksum/configuration` of a member. */
  configuration: string;
  /** Of the pods: `checksum/spec` of a member. */
  statefulSet: string;
}

/** The topology is no part of a Keeper's own configuration: the quorum has one beside it (templateQuorumConfig). */
export function keeperRevisions({ spec }: ClusterObject): Revisions {
  return {
    update: hash(spec),
    configuration: hash(spec.settings),
    statefulSet: hash([spec.podTemplate, spec.containerTemplate, spec.labels, spec.annotations]),
  };
}

/**
 * The servers know each other, so another topology is another configuration, which they reload. That they know the hosts of the
 * Keeper is a configuration that only a restart changes, so its pods are other pods (getConfigurationRevisions).
 */
export function clickHouseRevisions({ spec }: ClusterObject, keeper: ClusterObject): Revisions {
  return {
    update: hash(spec),
    configuration: hash([spec.shards, spec.replicas, spec.settings]),
    statefulSet: hash([
      spec.podTemplate,
      spec.containerTemplate,
      spec.labels,
      spec.annotations,
      keeper.metadata.name,
      keeper.spec.replicas,
    ]),
  };
}

function hash(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(value ?? null))
    .digest("hex")
    .slice(0, 16);
}
