/** Credentials from an exec plugin (`aws eks get-token`, `gke-gcloud-auth-plugin`, `kubelogin`), never waiting for ever. */
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import type http from "node:http";
import type https from "node:https";
import { ExecAuth } from "@kubernetes/client-node/dist/exec_auth.js";
import { ReadError } from "./errors.ts";
import type { ChosenCluster } from "./kubeconfig.ts";

export interface ExecCredentials {
  token?: string | undefined;
  cert?: https.RequestOptions["cert"];
  key?: https.RequestOptions["key"];
}

/**
 * @param signal kills the plugin.
 * @throws ReadError (`credentials`) with what the plugin said last.
 */
export async function execCredentials(chosen: ChosenCluster, signal: AbortSignal): Promise<ExecCredentials> {
  const { user, context } = chosen;
  const plugin = new ExecAuth();
  // client-node waits for as long as the plugin takes; how it starts one is a field that its types call private.
  Object.assign(plugin, {
    execFn: (command: string, args: string[] | undefined, options: SpawnOptions) =>
      start(command, args, options, signal),
  });
  const request: https.RequestOptions = {};
  try {
    await plugin.applyAuthentication({ name: "", exec: withExecInfo(chosen) }, request);
  } catch (error) {
    const { command = "", installHint = "" } = user?.exec ?? {};
    const problem = pluginProblem(error as Error, installHint);
    throw new ReadError(
      "credentials",
      `Context ${context}: the credential plugin ${command} of user ${user?.name} ${problem}`,
    );
  }
  const headers = request.headers as http.OutgoingHttpHeaders | undefined;
  const authorization = headers?.Authorization;
  return {
    token: typeof authorization === "string" ? authorization.replace(/^Bearer /, "") : undefined,
    cert: request.cert,
    key: request.key,
  };
}

/** Without stdin, so that a plugin that asks a question fails at once. */
function start(command: string, args: string[] | undefined, options: SpawnOptions, signal: AbortSignal): ChildProcess {
  const child = spawn(command, args ?? [], { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const end = () => {
    child.kill("SIGKILL");
    // What the plugin started itself may still hold these, and would keep this process waiting.
    child.stdout?.destroy();
    child.stderr?.destroy();
  };
  signal.addEventListener("abort", end, { once: true });
  child.once("exit", () => signal.removeEventListener("abort", end));
  return child;
}

/** What plugins are told of the cluster and of us (KEP 541), which client-node leaves out. */
function withExecInfo({ user, cluster }: ChosenCluster): object {
  const exec = user?.exec;
  const info = {
    apiVersion: exec.apiVersion,
    kind: "ExecCredential",
    spec: {
      interactive: false,
      ...(exec.provideClusterInfo
        ? {
            cluster: {
              server: cluster.server,
              "certificate-authority-data": cluster.caData,
              "insecure-skip-tls-verify": cluster.skipTLSVerify,
              "tls-server-name": cluster.tlsServerName,
            },
          }
        : {}),
    },
  };
  return { ...exec, env: [...(exec.env ?? []), { name: "KUBERNETES_EXEC_INFO", value: JSON.stringify(info) }] };
}

function pluginProblem(error: NodeJS.ErrnoException, installHint: string): string {
  if (error.code === "ENOENT") return `is not installed. ${installHint.trim() || "Install it, or use another context"}`;
  if (error instanceof SyntaxError || error instanceof TypeError) return "printed no ExecCredential";
  const said = error.message.trim().split("\n").at(-1)?.trim();
  return said ? `failed: ${said}` : "failed without a word";
}
