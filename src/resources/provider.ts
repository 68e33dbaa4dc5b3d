import { isDeepStrictEqual } from "node:util";
import { Provider } from "@pulumi/kubernetes/provider.js";
import { type Input, RunError, secret } from "@pulumi/pulumi";
import { type ChosenCluster, type ClusterConfig, chooseCluster } from "../cluster/kubeconfig.ts";

/**
 * Requests a second, and how many may come at once. With the provider's own 50 and 120 a large stack mostly waits for its turn, on the
 * client's side; whom the API server serves first is its own business (API Priority and Fairness), and a 429 is waited out.
 */
const RATE = { qps: 200, burst: 400 };

export interface ProviderArgs {
  config: ClusterConfig;
  /** What the configuration meant before the snapshot was read. */
  chosen: ChosenCluster;
  /**
   * Identity of the cluster, where it is known: with it, a kubeconfig that moved or changed its credentials replaces no
   * patch, and another cluster behind the same name does.
   */
  clusterId: string | null;
  /** For each of its requests, so that a cluster that never answers is an error and no freeze. */
  timeoutSeconds: number;
}

/**
 * The provider of all patches, towards the cluster that the snapshot was read from.
 *
 * The provider reads the kubeconfig by itself, some seconds after us. So once it has, we look whether it still says the
 * same: no `kubectl config use-context` in another terminal may make it patch one cluster by the plan for another.
 *
 * @throws RunError where it doesn't.
 */
export async function clusterProvider({ config, chosen, clusterId, timeoutSeconds }: ProviderArgs): Promise<Provider> {
  const provider = new Provider("cluster", {
    // Not left out: the SDK would fill in $KUBECONFIG, which may be a list of files that the provider can't read as
    // one, and which would tie the state to one machine. Empty, the provider follows the same rules as kubectl.
    kubeconfig: kubeconfigInput(config.kubeconfig ?? ""),
    ...(config.context ? { context: config.context } : {}),
    ...(config.cluster ? { cluster: config.cluster } : {}),
    ...(clusterId === null ? {} : { clusterIdentifier: clusterId }),
    kubeClientSettings: { timeout: timeoutSeconds, ...RATE },
    enableServerSideApply: true,
    // Said, not left out, so that no environment variable can turn them on: the first forgets what a dead cluster
    // runs, the second calls a patch applied that was not.
    deleteUnreachable: false,
    skipUpdateUnreachable: false,
  });
  await new Promise((resolve) => provider.urn.apply(resolve));
  const now = await chooseCluster(config);
  if (isDeepStrictEqual(now.cluster, chosen.cluster)) return provider;
  throw new RunError(
    `The kubeconfig changed while the cluster was read: it meant context ${chosen.context} (${chosen.cluster.server}), ` +
      `now ${now.context} (${now.cluster.server}). Nothing was planned or changed. Run it again; kubernetes:context in the stack names one for good`,
  );
}

/** A kubeconfig's content holds credentials, its path doesn't. */
function kubeconfigInput(kubeconfig: string): Input<string> {
  return /[\n{]/.test(kubeconfig) ? secret(kubeconfig) : kubeconfig;
}
