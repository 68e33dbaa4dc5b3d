/** Which version of a custom resource the API server serves, if any. */
import type { Client } from "./client.ts";
import { ReadError } from "./errors.ts";
import type { Kind } from "./kinds.ts";

/**
 * @returns undefined where the cluster does not have the kind: its definition was never installed.
 * @throws ReadError where that can't be known.
 */
export async function servedVersion(client: Client, kind: Kind): Promise<string | undefined> {
  const group = await getIfThere(client, `/apis/${kind.group}`);
  const versions = ((group?.versions ?? []) as { version: string }[]).map(({ version }) => version);
  const documents = await Promise.all(versions.map((version) => getIfThere(client, `/apis/${kind.group}/${version}`)));
  return versions.find((_, index) => {
    const resources = (documents[index]?.resources ?? []) as { name: string }[];
    return resources.some(({ name }) => name === kind.resource);
  });
}

async function getIfThere(client: Client, path: string): Promise<Record<string, unknown> | undefined> {
  try {
    return await client.getJson(path);
  } catch (error) {
    if (error instanceof ReadError && error.code === "not-found") return undefined;
    throw error;
  }
}
