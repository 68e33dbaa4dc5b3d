/** Where a project keeps its state. */
import path from "node:path";
import { parse } from "yaml";
import { readText } from "./policy.ts";
import { pulumi } from "./pulumi.ts";

/** The URL of the backend that a folder's project is logged in to; it may have credentials in it. */
export async function backendOf(cwd: string): Promise<string> {
  return (JSON.parse(await pulumi(["whoami", "--json"], cwd)) as { url: string }).url;
}

/** The name in a folder's Pulumi.yaml. */
export async function projectName(cwd: string): Promise<string> {
  return (parse(await readText(path.join(cwd, "Pulumi.yaml"))) as { name: string }).name;
}
