import { appName, type MemberId, memberLabels, roleLabels, SPEC_HASH } from "./names.ts";
import type { Revisions } from "./revisions.ts";
import type { ClusterObject } from "./types.ts";

/**
 * The pod of a member: what the custom resource says of scheduling, the operator's own rules for it (`nodeHostnameKey`: no two
 * members on a node; `topologyZoneKey`: spread over zones, those of a shard each by themselves), and the operator's default of
 * 250m and 512Mi. It has no volume, because the bench has nothing that would provide one.
 */
export function podTemplate(cluster: ClusterObject, id: MemberId, to: Revisions): object {
  const { podTemplate: pod = {}, containerTemplate: container = {} } = cluster.spec;
  const labels = { ...memberLabels(cluster, id), ...roleLabels(cluster) };
  const { image = {}, resources } = container;
  const server = labels["clickhouse.com/role"];
  const all = { app: appName(cluster), "clickhouse.com/role": server };
  const ofShard = { ...all, "clickhouse.com/shard-id": String(id.shard) };
  const spread = {
    maxSkew: 1,
    topologyKey: pod.topologyZoneKey,
    whenUnsatisfiable: "DoNotSchedule",
    labelSelector: { matchLabels: cluster.kind === "KeeperCluster" ? all : ofShard },
  };
  return {
    metadata: { labels, annotations: { [SPEC_HASH]: to.statefulSet } },
    // Null takes away what an earlier revision had.
    spec: {
      // The default would keep a removed pod for half a minute on a machine that runs none.
      terminationGracePeriodSeconds: pod.terminationGracePeriodSeconds ?? 0,
      nodeSelector: pod.nodeSelector ?? null,
      tolerations: pod.tolerations ?? null,
      affinity: pod.nodeHostnameKey ? apart(pod.affinity, pod.nodeHostnameKey, all) : (pod.affinity ?? null),
      topologySpreadConstraints: [...(pod.topologySpreadConstraints ?? []), ...(pod.topologyZoneKey ? [spread] : [])],
      containers: [
        {
          name: server,
          image: `${image.repository ?? `docker.io/clickhouse/${server}`}:${image.tag ?? "latest"}`,
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

/** An affinity with the rule that no two pods with these labels share what the key names. */
function apart(affinity: Affinity = {}, topologyKey: string, matchLabels: object): Affinity {
  const { podAntiAffinity = {} } = affinity;
  const required = podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const rule = { topologyKey, labelSelector: { matchLabels } };
  return {
    ...affinity,
    podAntiAffinity: { ...podAntiAffinity, requiredDuringSchedulingIgnoredDuringExecution: [...required, rule] },
  };
}

interface Affinity {
  podAntiAffinity?: { requiredDuringSchedulingIgnoredDuringExecution?: object[] };
}
