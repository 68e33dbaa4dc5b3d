import type { KubeApi } from "../cluster/api.ts";
import { type KubeObject, objectPath } from "../cluster/objects.ts";
import { waitFor } from "../cluster/wait.ts";

/** Group and version of both kinds. Source: api/v1alpha1 of ClickHouse/clickhouse-operator. */
export const API_VERSION = "clickhouse.com/v1alpha1";

/** The sizes that the API allows for a Keeper; each is a step of the spec. Source: the enum of KeeperClusterSpec.replicas. */
export const KEEPER_SIZES = [0, 1, 3, 5, 7, 9, 11, 13, 15] as const;

type Schema = Record<string, unknown>;

/** An object of which this bench has no opinion: it is stored as it comes. */
const loose: Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const text: Schema = { type: "string" };
const count: Schema = { type: "integer", format: "int32" };
const intOrString: Schema = { "x-kubernetes-int-or-string": true };

/** What both kinds have in their spec beside the counts. */
const commonSpec: Record<string, Schema> = {
  podTemplate: loose,
  containerTemplate: loose,
  dataVolumeClaimSpec: loose,
  labels: { type: "object", additionalProperties: text },
  annotations: { type: "object", additionalProperties: text },
  podDisruptionBudget: {
    type: "object",
    properties: {
      enabled: { type: "boolean", default: true },
      minAvailable: intOrString,
      maxUnavailable: intOrString,
    },
  },
};

/** The status of both kinds: the names and types of ClickHouseClusterStatus and KeeperClusterStatus; there is no `replicas`. */
const status: Schema = {
  type: "object",
  properties: {
    conditions: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["type"],
      items: {
        type: "object",
        required: ["type", "status", "lastTransitionTime", "reason", "message"],
        properties: {
          type: text,
          status: { type: "string", enum: ["True", "False", "Unknown"] },
          reason: text,
          message: text,
          lastTransitionTime: { type: "string", format: "date-time" },
          observedGeneration: { type: "integer", format: "int64", minimum: 0 },
        },
      },
    },
    readyReplicas: count,
    observedGeneration: { type: "integer", format: "int64" },
    currentRevision: text,
    updateRevision: text,
    configurationRevision: text,
    statefulSetRevision: text,
    version: text,
  },
};

/** The two definitions: namespaced, with a status subresource and none for scale. */
export function clickHouseCrds(): KubeObject[] {
  return [
    definition("KeeperCluster", ["chk", "keeper"], {
      type: "object",
      properties: {
        ...commonSpec,
        replicas: { ...count, default: 3, enum: KEEPER_SIZES },
        settings: loose,
      },
    }),
    definition("ClickHouseCluster", ["chc", "clickhouse"], {
      type: "object",
      required: ["keeperClusterRef"],
      properties: {
        ...commonSpec,
        replicas: { ...count, default: 3, minimum: 0 },
        shards: { ...count, default: 1, minimum: 0 },
        keeperClusterRef: {
          type: "object",
          required: ["name"],
          properties: { name: { ...text, maxLength: 63 }, namespace: { ...text, maxLength: 63 } },
        },
        settings: {
          ...loose,
          default: {},
          properties: { enableDatabaseSync: { type: "boolean", default: true } },
        },
      },
    }),
  ];
}

/** Creates the definitions, or leaves those that are there, and waits until the API server serves both kinds. */
export async function installClickHouseCrds(api: KubeApi): Promise<void> {
  const crds = clickHouseCrds();
  for (const crd of crds) await api.ensure(crd);
  for (const crd of crds) {
    const { group, names, versions } = crd.spec;
    const established = async () =>
      (await api.get(objectPath(crd))).status?.conditions?.some(
        ({ type, status }: { type: string; status: string }) => type === "Established" && status === "True",
      );
    await waitFor(established, { what: `${crd.metadata.name} to be established` });
    // A definition is established a moment before its path answers.
    const path = `/apis/${group}/${versions[0].name}/${names.plural}`;
    await waitFor(() => api.list(path), { what: `${path} to be served`, interval: 50 });
  }
}

function definition(kind: string, shortNames: string[], spec: Schema): KubeObject {
  const [group, version] = API_VERSION.split("/");
  const singular = kind.toLowerCase();
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${singular}s.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, listKind: `${kind}List`, singular, plural: `${singular}s`, shortNames },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: "object", properties: { spec, status } } },
        },
      ],
    },
  };
}
