/** Where the policy of a command comes from: a file that it names, or the configuration of a stack. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import type { ClusterConfig } from "../cluster/kubeconfig.ts";
import { policyFromYaml } from "../config/policy-file.ts";
import type { Settings } from "../config/settings.ts";
import { UsageError } from "./exit.ts";

export interface PolicyOptions {
  policy?: string;
  stack?: string;
  /** The folder of Pulumi.yaml. */
  cwd: string;
}

export interface PolicySource {
  settings: Settings;
  /** The cluster that a stack's file names; empty for a policy of its own. */
  cluster: ClusterConfig;
}

/** @throws UsageError where there is no such file, ConfigError where it can't be used. */
export async function readPolicy(options: PolicyOptions): Promise<PolicySource> {
  const file = options.policy ?? (await stackFile(options));
  const text = await readText(file);
  return { settings: policyFromYaml(text, file), cluster: clusterOf(text, file) };
}

/** True where the options, or the folder, name a policy. */
export async function hasPolicy({ policy, stack, cwd }: PolicyOptions): Promise<boolean> {
  return policy !== undefined || stack !== undefined || (await stacksIn(cwd)).length > 0;
}

/** The content of a file that a user named. */
export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(code === "ENOENT" ? `there is no file ${file}` : `${file} can't be read: ${message}`);
  }
}

async function stackFile({ stack, cwd }: PolicyOptions): Promise<string> {
  const stacks = await stacksIn(cwd);
  if (stack !== undefined) {
    if (stacks.includes(stack)) return path.join(cwd, `Pulumi.${stack}.yaml`);
    throw new UsageError(
      `there is no Pulumi.${stack}.yaml in ${path.resolve(cwd)}; stacks there: ${stacks.join(", ") || "none"}`,
    );
  }
  const [only, ...others] = stacks;
  if (only === undefined) {
    throw new UsageError(
      `no policy: there is no Pulumi.<stack>.yaml in ${path.resolve(cwd)}; give --policy <file>, or --cwd <folder>`,
    );
  }
  if (others.length > 0) throw new UsageError(`which stack? Give --stack with one of: ${stacks.join(", ")}`);
  return path.join(cwd, `Pulumi.${only}.yaml`);
}

/** Names of the stacks that have a file in a folder. */
async function stacksIn(cwd: string): Promise<string[]> {
  const files = await readdir(cwd).catch(() => {
    throw new UsageError(`there is no folder ${path.resolve(cwd)}`);
  });
  return files.flatMap((file) => /^Pulumi\.(.+)\.yaml$/.exec(file)?.[1] ?? []).sort();
}

function clusterOf(text: string, file: string): ClusterConfig {
  const config = (parse(text) as { config?: Record<string, unknown> } | null)?.config ?? {};
  const keys = ["kubeconfig", "context", "cluster"] as const;
  return Object.fromEntries(
    keys.flatMap((key) => {
      const value = config[`kubernetes:${key}`];
      if (value === undefined || value === null) return [];
      if (typeof value === "string") return [[key, value]];
      throw new UsageError(
        `kubernetes:${key} in ${file} is encrypted, which only Pulumi can read; give --kubeconfig <file>`,
      );
    }),
  );
}
