import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { json } from "node:stream/consumers";
import type { Cluster } from "../../../bench/cluster/cluster.ts";
import { clusterFiles } from "../../../bench/cluster/files.ts";

/**
 * Registers an admission webhook that refuses every new pod with that label, and serves it with the API server's own certificate.
 *
 * @returns what ends it.
 */
export async function refusePods(cluster: Cluster, labels: Record<string, string>, message: string) {
  const { certificates } = clusterFiles(cluster.dir);
  const server = createServer(
    {
      cert: readFileSync(path.join(certificates, "apiserver.crt")),
      key: readFileSync(path.join(certificates, "apiserver.key")),
    },
    async (request, response) => {
      const review = (await json(request)) as { request: { uid: string } };
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify({
          apiVersion: "admission.k8s.io/v1",
          kind: "AdmissionReview",
          response: { uid: review.request.uid, allowed: false, status: { code: 403, message } },
        }),
      );
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const configuration = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "image-policy" },
    webhooks: [
      {
        name: "images.policy.example.com",
        clientConfig: { url: `https://127.0.0.1:${port}/`, caBundle: Buffer.from(cluster.ca).toString("base64") },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
        objectSelector: { matchLabels: labels },
        failurePolicy: "Fail",
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
      },
    ],
  };
  await cluster.api.create(configuration);
  return async () => {
    await cluster.api.delete(
      `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/${configuration.metadata.name}`,
    );
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}
