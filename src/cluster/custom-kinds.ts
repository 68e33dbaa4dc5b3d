/** Which of the custom resources that planning looks at a cluster has. */
import { ReadError } from "./errors.ts";
import { KINDS } from "./kinds.ts";
import type { Send } from "./send.ts";

/** @returns says of a resource whether the cluster has it; kinds of Kubernetes itself it always has. */
export async function servedKinds(send: Send): Promise<(group: string, resource: string) => boolean> {
  const custom = KINDS.filter(({ custom }) => custom);
  const missing = new Set<string>();
  await Promise.all(
    custom.map(async ({ group, version, resource }) => {
      const served = await resourcesOf(send, group, version);
      if (!served.includes(resource)) missing.add(`${resource}.${group}`);
    }),
  );
  return (group, resource) => !missing.has(`${resource}.${group}`);
}

async function resourcesOf(send: Send, group: string, version: string): Promise<string[]> {
  try {
    const list = await send<{ resources?: { name: string }[] }>({ method: "GET", path: `/apis/${group}/${version}` });
    return (list.resources ?? []).map(({ name }) => name);
  } catch (error) {
    if (error instanceof ReadError && error.code === "not-found") return [];
    throw error;
  }
}
