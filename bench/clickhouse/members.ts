import type { KubeApi } from "../cluster/api.ts";
import { type KubeObject, objectPath } from "../cluster/objects.ts";
import {
  appName,
  CONFIGURATION_HASH,
  type MemberId,
  memberLabels,
  memberName,
  roleLabels,
  SPEC_HASH,
} from "./names.ts";
import { podTemplate } from "./pod-template.ts";
import type { Revisions } from "./revisions.ts";
import { FIELD_MANAGER } from "./status.ts";
import type { ClusterObject } from "./types.ts";

/** A member of a cluster: a StatefulSet with one pod. */
export interface Member {
  id: MemberId;
  name: string;
  /** Missing where it has only just been made, or is still to be. */
  statefulSet?: KubeObject;
}

/** The members of a cluster that are there, by their number. */
export async function readMembers(api: KubeApi, cluster: ClusterObject): Promise<Member[]> {
  const path = `/apis/apps/v1/namespaces/${cluster.metadata.namespace}/statefulsets`;
  const statefulSets = await api.list(`${path}?labelSelector=app%3D${appName(cluster)}`);
  return statefulSets
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map((statefulSet) => {
      const { labels = {}, name } = statefulSet.metadata;
      const id = {
        shard: Number(labels["clickhouse.com/shard-id"] ?? 0),
        index: Number(labels["clickhouse.com/replica-id"] ?? labels["clickhouse.com/keeper-replica-id"]),
      };
      return { id, name, statefulSet: { ...statefulSet, apiVersion: "apps/v1", kind: "StatefulSet" } };
    })
    .sort((one, other) => one.id.shard - other.id.shard || one.id.index - other.id.index);
}

/** Whether its pod is Ready and of the newest template, as the StatefulSet's status says. */
export function podIsReady({ statefulSet }: Member): boolean {
  return statefulSet?.status?.readyReplicas === 1 && isRolledOut(statefulSet);
}

/** Whether the StatefulSet controller has done what its spec says. */
export function isRolledOut({ metadata, status }: KubeObject): boolean {
  return metadata.generation === status?.observedGeneration && status?.updateRevision === status?.currentRevision;
}

/** Whether the member has another revision than it should. */
export function hasDiff({ statefulSet }: Member, { statefulSet: spec, configuration }: Revisions): boolean {
  const annotations = statefulSet?.metadata.annotations ?? {};
  return annotations[SPEC_HASH] !== spec || annotations[CONFIGURATION_HASH] !== configuration;
}

/** Makes a member's StatefulSet. One that is there already, seen too late, is fine. */
export async function createMember(api: KubeApi, cluster: ClusterObject, id: MemberId, to: Revisions): Promise<void> {
  const labels = memberLabels(cluster, id);
  await api.ensure({
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: {
      namespace: cluster.metadata.namespace,
      name: memberName(cluster, id),
      labels: { ...labels, ...roleLabels(cluster) },
      annotations: hashes(to),
      ownerReferences: [
        {
          apiVersion: cluster.apiVersion,
          kind: cluster.kind,
          name: cluster.metadata.name,
          uid: cluster.metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      replicas: 1,
      podManagementPolicy: "Parallel",
      serviceName: `${appName(cluster)}-headless`,
      selector: { matchLabels: labels },
      template: podTemplate(cluster, id, to),
    },
  });
}

/**
 * Gives a member the newest revision. Another pod template restarts its pod; another configuration is reloaded.
 *
 * @returns whether its pod is restarted
 */
export async function updateMember(
  api: KubeApi,
  cluster: ClusterObject,
  member: Member,
  to: Revisions,
): Promise<boolean> {
  const restart = member.statefulSet?.metadata.annotations?.[SPEC_HASH] !== to.statefulSet;
  const path = memberPath(cluster, member.name);
  await api.patch(`${path}?fieldManager=${FIELD_MANAGER}`, {
    metadata: { annotations: hashes(to) },
    ...(restart ? { spec: { template: podTemplate(cluster, member.id, to) } } : {}),
  });
  return restart;
}

/** Deletes a member's StatefulSet, and with it its pod. */
export async function deleteMember(api: KubeApi, cluster: ClusterObject, name: string): Promise<void> {
  await api.delete(memberPath(cluster, name), { propagationPolicy: "Background" });
}

function memberPath(cluster: ClusterObject, name: string): string {
  const { namespace } = cluster.metadata;
  return objectPath({ apiVersion: "apps/v1", kind: "StatefulSet", metadata: { namespace, name } });
}

function hashes({ statefulSet, configuration }: Revisions): Record<string, string> {
  return { [SPEC_HASH]: statefulSet, [CONFIGURATION_HASH]: configuration };
}
