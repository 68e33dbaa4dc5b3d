import { stringify } from "yaml";

/** A kubeconfig that stands alone: the authority's certificate and the token are in it. */
export function kubeconfig(options: {
  cluster: string;
  server: string;
  ca: string;
  user: string;
  token: string;
  namespace?: string;
}): string {
  const { cluster, server, ca, user, token, namespace = "default" } = options;
  const context = `${user}@${cluster}`;
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      { name: cluster, cluster: { server, "certificate-authority-data": Buffer.from(ca).toString("base64") } },
    ],
    users: [{ name: user, user: { token } }],
    contexts: [{ name: context, context: { cluster, user, namespace } }],
    "current-context": context,
  });
}
