import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { execa } from "execa";
import { pulumiVersion, type ToolName } from "./catalog.ts";
import { kubernetesProviderVersion } from "./kubernetes-provider.ts";

const plugins: ToolName[] = ["pulumi-language-nodejs", "pulumi-resource-kubernetes"];

/**
 * The Pulumi that this machine has already, where it will do: a CLI of at least the SDK's minor version, with the host for
 * Node.js and the Kubernetes provider.
 *
 * @returns where each binary is, or undefined: then the bench builds its own.
 */
export async function findInstalledPulumi(): Promise<Map<ToolName, string> | undefined> {
  const found = new Map<ToolName, string>();
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  // Plugins that `pulumi plugin install` fetched are in a folder of their own, by version.
  const home = process.env.PULUMI_HOME || path.join(homedir(), ".pulumi");
  const provider = path.join(home, "plugins", `resource-kubernetes-v${kubernetesProviderVersion}`);
  for (const tool of ["pulumi", ...plugins] as ToolName[]) {
    const file = [...folders, provider].map((folder) => path.join(folder, tool)).find(isExecutable);
    if (file === undefined) return undefined;
    found.set(tool, file);
  }
  const { stdout, failed } = await execa("pulumi", ["version"], { reject: false, timeout: 10_000 });
  return !failed && isAtLeast(stdout, pulumiVersion) ? found : undefined;
}

/** Whether `v3.280.1` is of the same major and at least the same minor version as `3.276.0`. */
export function isAtLeast(version: string, wanted: string): boolean {
  const [major, minor] = numbers(version);
  const [wantedMajor, wantedMinor] = numbers(wanted);
  return major === wantedMajor && minor >= wantedMinor;
}

function numbers(version: string): [major: number, minor: number] {
  const [, major = Number.NaN, minor = Number.NaN] = /^v?(\d+)\.(\d+)\./.exec(version.trim()) ?? [];
  return [Number(major), Number(minor)];
}

/** Whether this user may run a file. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
