/**
 * Which cluster, and as whom: the kubeconfig by the rules of kubectl (client-go's clientcmd), which the Kubernetes
 * provider follows too. The plan must never read one cluster while the provider patches another.
 */
import type { Cluster, Context } from "@kubernetes/client-node/dist/config_types.js";
import { ReadError } from "./errors.ts";
import { type Login, loadKubeconfig } from "./kubeconfig-file.ts";

/** The choice of a cluster, as the `kubernetes:` configuration of a stack makes it; an empty string counts as absent. */
export interface ClusterConfig {
  /** A path, or the content itself. Absent: $KUBECONFIG, ~/.kube/config, or the service account of a pod. */
  kubeconfig?: string | undefined;
  /** Absent: the kubeconfig's current-context. */
  context?: string | undefined;
  /** Another cluster of the kubeconfig than the context's. */
  cluster?: string | undefined;
}

export interface ChosenCluster {
  context: string;
  cluster: Cluster;
  /** Null where the context names none: anonymous. */
  user: Login | null;
}

/**
 * @param env for $KUBECONFIG, $HOME and what a pod is told of its API server.
 * @throws ReadError (`kubeconfig`) that says where was looked, or which contexts there are.
 */
export function chooseCluster(config: ClusterConfig, env: NodeJS.ProcessEnv = process.env): ChosenCluster {
  const { source, contexts, clusters, users, currentContext } = loadKubeconfig(config.kubeconfig, env);
  const contextName = config.context || currentContext;
  if (!contextName) {
    throw new ReadError(
      "kubeconfig",
      `${source} has no current-context. Choose one of: ${namesOf(contexts)} (kubectl config use-context, or kubernetes:context in the stack)`,
    );
  }
  const context: Context = named("context", contexts, contextName, source);
  return {
    context: contextName,
    cluster: named("cluster", clusters, config.cluster || context.cluster, source),
    user: context.user ? named("user", users, context.user, source) : null,
  };
}

function named<Entry extends { name: string }>(what: string, entries: Entry[], name: string, source: string): Entry {
  const entry = entries.find((candidate) => candidate.name === name);
  if (entry !== undefined) return entry;
  throw new ReadError("kubeconfig", `${what} "${name}" is not in ${source}; it has: ${namesOf(entries)}`);
}

function namesOf(entries: { name: string }[]): string {
  return [...new Set(entries.map(({ name }) => name))].join(", ") || "none";
}

/** A server's URL for messages. */
export function withoutCredentials(server: string): string {
  return server.replace(/\/\/[^/]*@/, "//");
}
