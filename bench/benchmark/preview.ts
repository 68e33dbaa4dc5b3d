import { copyFile, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { addNodes } from "../cluster/nodes.ts";
import { startCluster } from "../cluster/start.ts";
import { initStack, pulumiEnv } from "../engine.ts";
import { createDemoWorkloads, demoWorkloads } from "../workloads.ts";
import { interleaved } from "./measure.ts";
import { type Result, table } from "./results.ts";

const root = path.join(import.meta.dirname, "..", "..");
const ROUNDS = 9;

/**
 * What the live read and the plan cost: wall time of `pulumi preview` of the dev stack, against a program that declares the same
 * four patches with their replicas written down. Both have been applied, so both refresh the same resources.
 */
export async function previewBenchmark(): Promise<Result> {
  const cluster = await startCluster();
  const folder = await mkdtemp(path.join(tmpdir(), "cluster-scale-benchmark-"));
  try {
    await addNodes(
      cluster,
      ["worker-1", "worker-2", "worker-3"].map((name) => ({ name })),
    );
    await createDemoWorkloads(cluster);
    const env = await pulumiEnv({
      home: path.join(folder, "home"),
      backendDir: folder,
      kubeconfig: cluster.kubeconfig,
    });
    const live = await stack("live", root, env, path.join(root, "Pulumi.dev.yaml"));
    const fixed = await stack("fixed", await staticProgram(folder), env);
    const times = await interleaved(ROUNDS, {
      "static program": () => fixed("preview"),
      "cluster-scale": () => live("preview"),
    });
    const base = times[0]?.median ?? Number.NaN;
    const rows = times.map(({ name, seconds, median }) => [
      name,
      median.toFixed(2),
      Math.min(...seconds).toFixed(2),
      Math.max(...seconds).toFixed(2),
      (median / base).toFixed(2),
    ]);
    return {
      title: "Preview against a static program",
      command: "npm run benchmark -- preview",
      body: `Wall time of \`pulumi preview\` in seconds, ${ROUNDS} interleaved rounds, three workers, four workloads. Goal: at most 1.15.\n\n${table(["program", "median", "least", "most", "ratio"], rows)}`,
    };
  } finally {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }

  /** Creates a stack, applies it, and gives how to run pulumi on it. */
  async function stack(name: string, project: string, env: Record<string, string>, config?: string) {
    const file = path.join(await mkdtemp(path.join(folder, "stack-")), `Pulumi.${name}.yaml`);
    await (config ? copyFile(config, file) : writeFile(file, "config: {}\n"));
    const pulumi = await initStack(project, file, env);
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await pulumi(args);
      if (code !== 0) throw new Error(`pulumi ${args.join(" ")} failed:\n${stdout}\n${stderr}`);
    };
    await run("up", "--yes", "--skip-preview");
    return run;
  }
}

/** The folder of a program that knows its replicas beforehand. */
async function staticProgram(parent: string): Promise<string> {
  const folder = await mkdtemp(path.join(parent, "static-"));
  await symlink(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  const names = demoWorkloads()
    .filter(({ kind }) => kind === "Deployment")
    .map(({ metadata }) => metadata.name);
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ type: "module", main: "index.ts" }));
  await writeFile(
    path.join(folder, "Pulumi.yaml"),
    "name: static\nruntime: { name: nodejs, options: { typescript: false } }\nmain: index.ts\noptions: { refresh: always }\n",
  );
  await writeFile(
    path.join(folder, "index.ts"),
    `import { DeploymentPatch } from "@pulumi/kubernetes/apps/v1/deploymentPatch.js";
for (const name of ${JSON.stringify(names)}) {
  new DeploymentPatch(\`dev/\${name}\`, {
    metadata: { namespace: "dev", name, annotations: { "pulumi.com/patchFieldManager": "cluster-scale", "pulumi.com/patchForce": "true" } },
    spec: { replicas: 3 },
  }, { retainOnDelete: true });
}
`,
  );
  return folder;
}
