/** The cluster's side of `doctor`: which one, whether it answers, what one may do there. */
import { servedKinds } from "../cluster/custom-kinds.ts";
import { type ClusterConfig, chooseCluster, withoutCredentials } from "../cluster/kubeconfig.ts";
import { isAllowed, type Permission, permissionsOf, permissionText } from "../cluster/permissions.ts";
import { type Send, sending } from "../cluster/send.ts";
import type { Settings } from "../config/settings.ts";
import { type Check, check, skipped } from "./checks.ts";

const API = "API server";

export async function clusterChecks(config: ClusterConfig, settings: Settings): Promise<Check[]> {
  const kubeconfig = await check(
    "kubeconfig",
    async () => chooseCluster(config),
    ({ context, cluster }) => `context ${context}, ${withoutCredentials(cluster.server)}`,
  );
  if (kubeconfig.value === undefined) {
    return [kubeconfig.check, ...[API, "permissions"].map((name) => skipped(name, "kubeconfig"))];
  }
  const { requestTimeoutSeconds, readTimeoutSeconds: timeoutSeconds } = settings;
  const asked = await check(
    API,
    () => sending(config, { requestTimeoutSeconds, timeoutSeconds }, (send) => ask(send, settings)),
    ({ version }) => `Kubernetes ${version}`,
  );
  const permissions = asked.value?.permissions ?? [skipped("permissions", `the ${API}`)];
  return [kubeconfig.check, asked.check, ...permissions];
}

async function ask(send: Send, settings: Settings): Promise<{ version: string; permissions: Check[] }> {
  const { gitVersion } = await send<{ gitVersion: string }>({ method: "GET", path: "/version" });
  const served = await servedKinds(send);
  const permissions = permissionsOf(settings).filter(({ group, resource }) => served(group, resource));
  return {
    version: gitVersion,
    permissions: await Promise.all(permissions.map(async (each) => permissionCheck(each, await isAllowed(send, each)))),
  };
}

function permissionCheck(permission: Permission, allowed: boolean): Check {
  const name = permissionText(permission);
  if (allowed) return { name, result: "ok", text: "allowed" };
  const text = `not allowed (${permission.why}); grant it as deploy/rbac.yaml does`;
  return { name, result: permission.required ? "failed" : "note", text };
}
