/** Where the policy of a command comes from: a file that it names, or the configuration of a stack. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import type { ClusterConfig } from "../cluster/kubeconfig.ts";
import { policyFromYaml } from "../config/policy-file.ts";
import type { Settings } from "../config/settings.ts";
import { UsageError } from "./usage-error.ts";

export interface PolicyOptions {
  policy?: string;
  stack?: string;
  /** The folder of Pulumi.yaml. */
  cwd: string;
}

export interface PolicySource {
  settings: Settings;
  /**
   * The cluster that a stack's file names; none for a policy of its own. What is given wins, and what it makes needless is
   * not decrypted.
   *
   * @throws UsageError
   */
  cluster: (given?: ClusterConfig) => Promise<ClusterConfig>;
}

/** @throws UsageError where there is no such file, ConfigError where it can't be used. */
export async function readPolicy(options: PolicyOptions): Promise<PolicySource> {
  if (options.policy === undefined) return readStackPolicy(await stackName(options), options.cwd);
  return policyOf(options.policy, (key) => {
    throw new UsageError(
      `kubernetes:${key} in ${options.policy} is encrypted, which only Pulumi can read; give --kubeconfig <file>`,
    );
  });
}

/** The policy in the configuration of a stack, and its cluster, which may be encrypted there. */
export function readStackPolicy(stack: string, cwd: string): Promise<PolicySource> {
  return policyOf(path.join(cwd, `Pulumi.${stack}.yaml`), async (key) => {
    const { pulumi } = await import("./pulumi.ts");
    return (await pulumi(["config", "get", `kubernetes:${key}`, "--stack", stack], cwd)).trimEnd();
  });
}

async function policyOf(file: string, decrypt: Decrypt): Promise<PolicySource> {
  const text = await readText(file);
  return {
    settings: policyFromYaml(text, file),
    cluster: (given = {}) => clusterOf(text, given, decrypt),
  };
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

/** The stack that is meant: the one that is named, else the only one that has a file. */
export async function stackName({ stack, cwd }: PolicyOptions): Promise<string> {
  const stacks = await stacksIn(cwd);
  if (stack !== undefined) {
    if (stacks.includes(stack)) return stack;
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
  return only;
}

/** Names of the stacks that have a file in a folder. */
async function stacksIn(cwd: string): Promise<string[]> {
  const files = await readdir(cwd).catch(() => {
    throw new UsageError(`there is no folder ${path.resolve(cwd)}`);
  });
  return files.flatMap((file) => /^Pulumi\.(.+)\.yaml$/.exec(file)?.[1] ?? []).sort();
}

type Decrypt = (key: string) => Promise<string>;

async function clusterOf(text: string, given: ClusterConfig, decrypt: Decrypt): Promise<ClusterConfig> {
  const config = (parse(text) as { config?: Record<string, unknown> } | null)?.config ?? {};
  const chosen: ClusterConfig = {};
  for (const key of ["kubeconfig", "context", "cluster"] as const) {
    const written = config[`kubernetes:${key}`] ?? undefined;
    if (given[key] !== undefined) chosen[key] = given[key];
    else if (written !== undefined) chosen[key] = typeof written === "string" ? written : await decrypt(key);
  }
  return chosen;
}
