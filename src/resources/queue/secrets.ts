import type { ExternalReference, QueuePolicy, SecretReference } from "../../config/queue.ts";
import { metadataOf } from "./metadata.ts";

type Fetched = SecretReference & { external: ExternalReference };

/**
 * What makes the Secrets of a workload in a cluster that has External Secrets: one object a Secret, which names where its
 * values are. No value passes through here.
 *
 * @param version of `external-secrets.io` that the cluster serves.
 */
export function externalSecretsOf(queue: QueuePolicy, version: string) {
  const fetched = (queue.workload?.secrets ?? []).filter((secret): secret is Fetched => secret.external !== undefined);
  return [...Map.groupBy(fetched, ({ secret }) => secret)].map(([name, references]) =>
    externalSecret(queue, version, name, references as [Fetched, ...Fetched[]]),
  );
}

function externalSecret(queue: QueuePolicy, version: string, name: string, references: [Fetched, ...Fetched[]]) {
  const { store, storeKind, refreshInterval } = references[0].external;
  // Two variables may show the same key.
  const byKey = new Map(references.map((reference) => [reference.key, reference.external]));
  return {
    apiVersion: `external-secrets.io/${version}`,
    kind: "ExternalSecret",
    metadata: metadataOf(queue, name),
    spec: {
      refreshInterval,
      secretStoreRef: { name: store, kind: storeKind },
      target: { name, creationPolicy: "Owner" },
      data: [...byKey].map(([secretKey, { remoteKey, property }]) => ({
        secretKey,
        remoteRef: { key: remoteKey, ...(property === undefined ? {} : { property }) },
      })),
    },
  };
}
