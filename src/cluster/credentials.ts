/** The credentials of a kubeconfig as headers and a connection pool, by client-node's authenticators. */
import { readFileSync } from "node:fs";
import type { Agent, OutgoingHttpHeaders } from "node:http";
import https from "node:https";
import tls from "node:tls";
import type { Deadline } from "./deadline.ts";
import { ReadError } from "./errors.ts";
import { execCredentials } from "./exec-plugin.ts";
import { http } from "./http.ts";
import { impersonationHeaders } from "./impersonation.ts";
import { type ChosenCluster, withoutCredentials } from "./kubeconfig.ts";
import type { Login } from "./kubeconfig-file.ts";

export interface Access {
  headers: OutgoingHttpHeaders;
  /** `user:password`, for basic authentication. */
  auth?: string | undefined;
  agent: Agent;
}

/** Connections at a time; with more of them requests only queue in the API server. */
const MAX_SOCKETS = 10;

/** @throws ReadError (`credentials`) with the context and the reason: a missing file, the plugin's last words. */
export async function accessTo(chosen: ChosenCluster, deadline: Deadline): Promise<Access> {
  refuseServer(chosen);
  refuseProvider(chosen);
  try {
    return await deadline.race(
      needsWholeClient(chosen) ? wholeClientAccess(chosen) : plainAccess(chosen, deadline.signal),
    );
  } catch (error) {
    if (error instanceof ReadError || error === deadline.signal.reason) throw error;
    throw new ReadError("credentials", `${titleOf(chosen)}: ${(error as Error).message}`);
  }
}

/** Over plain HTTP anyone on the way could read the credentials; `kubectl proxy` listens on loopback, without any. */
function refuseServer({ cluster: { server }, context }: ChosenCluster): void {
  const protocol = URL.parse(server)?.protocol;
  if (protocol === "https:" || (protocol === "http:" && isOnLoopback(server))) return;
  throw new ReadError(
    "kubeconfig",
    `Context ${context}: its server must be an https URL, not ${withoutCredentials(server)}`,
  );
}

/** Whether a server is on this machine. */
export function isOnLoopback(server: string): boolean {
  return /^(localhost|127\..*|\[::1\])$/.test(new URL(server).hostname);
}

/** Providers that kubectl and the Kubernetes provider of Pulumi no longer know, and that block while their command runs. */
function refuseProvider({ user, context }: ChosenCluster): void {
  const name: unknown = user?.authProvider?.name;
  if (name !== "gcp" && name !== "azure") return;
  throw new ReadError(
    "credentials",
    `Context ${context}: user ${user?.name} has the auth-provider ${name}, which kubectl dropped in 1.26. ` +
      "Renew the kubeconfig, so that it has an exec plugin (gke-gcloud-auth-plugin, kubelogin)",
  );
}

/**
 * Proxies and OpenID Connect are left to the whole of client-node, which takes half a second to load.
 * docs/decisions/0002-client-node-startup.md.
 */
function needsWholeClient({ cluster, user }: ChosenCluster): boolean {
  return Boolean(cluster.proxyUrl) || user?.authProvider?.name === "oidc";
}

async function wholeClientAccess({ cluster, user, context }: ChosenCluster): Promise<Access> {
  const { KubeConfig } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  const anonymous = { name: "anonymous" };
  config.loadFromOptions({
    clusters: [cluster],
    users: [user ?? anonymous],
    contexts: [{ name: context, cluster: cluster.name, user: (user ?? anonymous).name }],
    currentContext: context,
  });
  const options: https.RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  const { headers, auth, agent } = options;
  return {
    headers: { ...(headers as OutgoingHttpHeaders), ...impersonationHeaders(user, context) },
    auth: auth ?? undefined,
    agent: agent as Agent,
  };
}

async function plainAccess(chosen: ChosenCluster, signal: AbortSignal): Promise<Access> {
  const { cluster, user, context } = chosen;
  const exec = user?.exec ? await execCredentials(chosen, signal) : {};
  const token = tokenOf(user) ?? exec.token?.trim();
  const headers = {
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
    ...impersonationHeaders(user, context),
  };
  // Here, so that a broken token or certificate is told as one, and not as a connection that fails.
  for (const [name, values] of Object.entries(headers)) {
    for (const value of [values].flat()) http.validateHeaderValue(name, value);
  }
  const secureContext = tls.createSecureContext({
    ca: fileOrData(cluster.caFile, cluster.caData),
    cert: exec.cert ?? fileOrData(user?.certFile, user?.certData),
    key: exec.key ?? fileOrData(user?.keyFile, user?.keyData),
  });
  const pool = {
    keepAlive: true,
    maxSockets: MAX_SOCKETS,
    // As kubectl: HTTPS_PROXY and NO_PROXY count, but never for this machine.
    ...(isOnLoopback(cluster.server) ? {} : { proxyEnv: process.env }),
  };
  const verification = {
    ...(cluster.tlsServerName ? { servername: cluster.tlsServerName } : {}),
    // Left alone otherwise, so that Node's own switch for it goes on working.
    ...(cluster.skipTLSVerify ? { rejectUnauthorized: false } : {}),
  };
  return {
    headers,
    auth: user?.username ? `${user.username}:${user.password ?? ""}` : undefined,
    agent: cluster.server.startsWith("http:")
      ? new http.Agent(pool)
      : new https.Agent({ ...pool, ...verification, secureContext }),
  };
}

/** Of the kubeconfig. Where it has a file too, that is newer; the token itself serves where there is none in it (client-go, bearerAuthRoundTripper). */
function tokenOf(user: Login | null): string | undefined {
  const token = user?.token?.trim() || undefined;
  const file: string | undefined = user?.authProvider?.config?.tokenFile;
  if (file === undefined) return token;
  try {
    return readFileSync(file, "utf8").trim() || token;
  } catch (error) {
    if (token === undefined) throw error;
    return token;
  }
}

function fileOrData(file: string | undefined, data: string | undefined): Buffer | undefined {
  if (file) return readFileSync(file);
  return data ? Buffer.from(data, "base64") : undefined;
}

function titleOf({ context, user }: ChosenCluster): string {
  return `Context ${context}: the credentials of ${user === null ? "nobody" : `user ${user.name}`} can't be had`;
}
