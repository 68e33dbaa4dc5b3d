import type { KubeApi } from "../cluster/api.ts";
import { type KubeObject, objectPath } from "../cluster/objects.ts";
import type { Revisions } from "./revisions.ts";
import { FIELD_MANAGER } from "./status.ts";
import type { ClusterObject } from "./types.ts";

/** The annotations in which the operator keeps a member's revisions. Source: internal/controllerutil/annotations.go. */
export const SPEC_HASH = "checksum/spec";
export const CONFIGURATION_HASH = "checksum/configuration";

/** A member's number: of a Keeper its id, of ClickHouse its shard and its index in that. */
export interface MemberId {
  shard: number;
  index: number;
}

/** A member of a cluster: a StatefulSet with one pod. */
export interface Member {
  id: MemberId;
  name: string;
  /** Missing where it has only just been made, or is still to be. */
  statefulSet?: KubeObject;
}

/** `<name>-keeper` or `<name>-clickhouse`: the label `app` and the first part of all names (SpecificName). */
export function appName({ kind, metadata }: ClusterObject): string {
  return `${metadata.name}-${kind === "KeeperCluster" ? "keeper" : "clickhouse"}`;
}

/** The names of StatefulSetNameByReplicaID: `<name>-keeper-<id>`, `<name>-clickhouse-<shard>-<index>`. */
export function memberName(cluster: ClusterObject, { shard, index }: MemberId): string {
  return cluster.kind === "KeeperCluster" ? `${appName(cluster)}-${index}` : `${appName(cluster)}-${shard}-${index}`;
}

/** The labels by which the operator finds a member again. Source: internal/controllerutil/labels.go. */
export function memberLabels(cluster: ClusterObject, { shard, index }: MemberId): Record<string, string> {
  const id: Record<string, string> =
    cluster.kind === "KeeperCluster"
      ? { "clickhouse.com/keeper-replica-id": String(index) }
      : { "clickhouse.com/shard-id": String(shard), "clickhouse.com/replica-id": String(index) };
  return { app: appName(cluster), ...id };
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

/** Gives a member the newest revision. Another pod template restarts its pod; another configuration is reloaded. */
export async function updateMember(api: KubeApi, cluster: ClusterObject, member: Member, to: Revisions): Promise<void> {
  const restart = member.statefulSet?.metadata.annotations?.[SPEC_HASH] !== to.statefulSet;
  const path = memberPath(cluster, member.name);
  await api.patch(`${path}?fieldManager=${FIELD_MANAGER}`, {
    metadata: { annotations: hashes(to) },
    ...(restart ? { spec: { template: podTemplate(cluster, member.id, to) } } : {}),
  });
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

function roleLabels(cluster: ClusterObject): Record<string, string> {
  const role = cluster.kind === "KeeperCluster" ? "clickhouse-keeper" : "clickhouse-server";
  return {
    "clickhouse.com/role": role,
    "app.kubernetes.io/name": role,
    "app.kubernetes.io/instance": appName(cluster),
  };
}

/**
 * The pod of a member: what the custom resource says of scheduling, the operator's own rules for it (`nodeHostnameKey`: no two
 * members on a node; `topologyZoneKey`: spread over zones, those of a shard each by themselves), and the operator's default of
 * 250m and 512Mi. It has no volume, because the bench has nothing that would provide one.
 */
function podTemplate(cluster: ClusterObject, id: MemberId, to: Revisions): object {
  const { podTemplate: pod = {}, containerTemplate: container = {} } = cluster.spec;
  const labels = { ...memberLabels(cluster, id), ...roleLabels(cluster) };
  const { image = {}, resources } = container;
  const keeper = cluster.kind === "KeeperCluster";
  const all = { app: appName(cluster), "clickhouse.com/role": labels["clickhouse.com/role"] };
  const peers = keeper ? all : { ...all, "clickhouse.com/shard-id": String(id.shard) };
  const apart = { topologyKey: pod.nodeHostnameKey, labelSelector: { matchLabels: all } };
  const spread = {
    maxSkew: 1,
    topologyKey: pod.topologyZoneKey,
    whenUnsatisfiable: "DoNotSchedule",
    labelSelector: { matchLabels: peers },
  };
  return {
    metadata: { labels, annotations: { [SPEC_HASH]: to.statefulSet } },
    spec: {
      // The default would keep a removed pod for half a minute on a machine that runs none.
      terminationGracePeriodSeconds: pod.terminationGracePeriodSeconds ?? 0,
      nodeSelector: pod.nodeSelector,
      tolerations: pod.tolerations,
      schedulerName: pod.schedulerName,
      affinity: pod.nodeHostnameKey
        ? {
            ...pod.affinity,
            podAntiAffinity: {
              ...pod.affinity?.podAntiAffinity,
              requiredDuringSchedulingIgnoredDuringExecution: [
                ...(pod.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
                apart,
              ],
            },
          }
        : pod.affinity,
      topologySpreadConstraints: [...(pod.topologySpreadConstraints ?? []), ...(pod.topologyZoneKey ? [spread] : [])],
      containers: [
        {
          name: labels["clickhouse.com/role"],
          image: `${image.repository ?? `docker.io/clickhouse/${keeper ? "clickhouse-keeper" : "clickhouse-server"}`}:${image.tag ?? "latest"}`,
          imagePullPolicy: "IfNotPresent",
          resources: resources ?? {
            requests: { cpu: "250m", memory: "512Mi" },
            limits: { cpu: "1", memory: "512Mi" },
          },
        },
      ],
    },
  };
}
