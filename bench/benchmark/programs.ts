/** Stacks to measure side by side: the real program, and one that knows its replicas beforehand. */
import { copyFile, mkdtemp, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { stringify } from "yaml";
import { initStack } from "../engine.ts";
import { median } from "./measure.ts";
import { table } from "./results.ts";

const root = path.join(import.meta.dirname, "..", "..");

/** Runs a command of pulumi on a stack, and throws where it fails. */
export type RunStack = (...args: string[]) => Promise<void>;

export interface Workload {
  namespace: string;
  name: string;
}

export interface StackOptions {
  name: string;
  /** The folder of its program. */
  project: string;
  env: Record<string, string>;
  /** Its configuration, as an object with full keys or the path of a file; none unless said. */
  config?: Record<string, unknown> | string;
}

/** Creates a stack in a new folder within `parent`. */
export async function createStackIn(
  parent: string,
  { name, project, env, config = {} }: StackOptions,
): Promise<RunStack> {
  const file = path.join(await mkdtemp(path.join(parent, "stack-")), `Pulumi.${name}.yaml`);
  if (typeof config === "string") await copyFile(config, file);
  else await writeFile(file, stringify({ config }));
  const pulumi = await initStack(project, file, env);
  return async (...args) => {
    const { code, stdout, stderr } = await pulumi(args, { timeout: 900_000 });
    if (code !== 0) throw new Error(`pulumi ${args.join(" ")} failed:\n${stdout}\n${stderr}`);
  };
}

/** The real program's folder, and the configuration that gives these workloads as many replicas as there are workers. */
export function liveProgram(workloads: Workload[]) {
  return {
    project: root,
    config: { "cluster-scale:workloads": workloads.map((workload) => ({ ...workload, max: 10 })) },
  };
}

/** The folder of a program that declares the same patches with the replicas written down. */
export async function staticProgram(parent: string, workloads: Workload[], replicas: number): Promise<string> {
  const folder = await mkdtemp(path.join(parent, "static-"));
  await symlink(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ type: "module", main: "index.ts" }));
  await writeFile(
    path.join(folder, "Pulumi.yaml"),
    "name: static\nruntime: { name: nodejs, options: { typescript: false } }\nmain: index.ts\noptions: { refresh: always }\n",
  );
  await writeFile(
    path.join(folder, "index.ts"),
    `import { DeploymentPatch } from "@pulumi/kubernetes/apps/v1/deploymentPatch.js";
for (const { namespace, name } of ${JSON.stringify(workloads)}) {
  new DeploymentPatch(\`\${namespace}/\${name}\`, {
    metadata: {
      namespace,
      name,
      annotations: {
        "pulumi.com/patchFieldManager": "cluster-scale",
        "pulumi.com/patchForce": "true",
        "pulumi.com/skipAwait": "true",
      },
    },
    spec: { replicas: ${replicas} },
  }, { retainOnDelete: true, additionalSecretOutputs: ["metadata", "spec", "status"] });
}
`,
  );
  return folder;
}

/** Wall times side by side, each with its ratio to the first. */
export function ratioTable(times: { name: string; seconds: number[] }[]): string {
  const base = median(times[0]?.seconds ?? []);
  return table(
    ["program", "median", "least", "most", "ratio"],
    times.map(({ name, seconds }) => [
      name,
      median(seconds).toFixed(2),
      Math.min(...seconds).toFixed(2),
      Math.max(...seconds).toFixed(2),
      (median(seconds) / base).toFixed(2),
    ]),
  );
}

/** The median of the second beside that of the first, to two digits. */
export function ratio(times: { seconds: number[] }[]): number {
  const [first = [], second = []] = times.map(({ seconds }) => seconds);
  return Number((median(second) / median(first)).toFixed(2));
}
