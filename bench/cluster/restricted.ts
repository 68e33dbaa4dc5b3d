import type { Cluster } from "./cluster.ts";
import { type KubeObject, readManifest } from "./objects.ts";

export interface RestrictedAccess {
  user: string;
  token: string;
  /** The path of a kubeconfig with this identity. */
  kubeconfig: string;
}

/**
 * Creates what an RBAC manifest holds, and logs in as the ServiceAccount in it: a kubeconfig with a real token, that can do
 * what its roles say and nothing else.
 *
 * @param change the objects as they are to be created, where a test wants a permission less.
 */
export async function restrictedAccess(
  cluster: Cluster,
  manifest: string,
  options: { change?: (objects: KubeObject[]) => KubeObject[]; user?: string } = {},
): Promise<RestrictedAccess> {
  const { change = (objects) => objects } = options;
  const objects = change(readManifest(manifest));
  const account = objects.find(({ kind }) => kind === "ServiceAccount");
  if (!account) throw new Error(`${manifest} has no ServiceAccount to log in as`);
  const { name, namespace = "default" } = account.metadata;
  await cluster.api.ensure({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  for (const object of objects) await cluster.api.apply(object);
  const { status } = await cluster.api.post(`/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`, {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: { expirationSeconds: 24 * 3600 },
  });
  const { user = name } = options;
  return { user, token: status.token, kubeconfig: cluster.writeKubeconfig(user, status.token, namespace) };
}
