import path from "node:path";
import { execa } from "execa";
import { addNodes } from "../cluster/nodes.ts";
import { startCluster } from "../cluster/start.ts";
import { createMany, createNamespaces } from "../load/create.ts";
import { loadDeployment, loadNamespace } from "../load/objects.ts";
import { type RunningProxy, startProxy } from "../proxy.ts";
import { createStack, linkProgram, type Stack, writeConfig } from "../stack.ts";
import { interleaved } from "./measure.ts";
import { ratio, ratioTable } from "./programs.ts";
import { type Result, table } from "./results.ts";

const ROUNDS = 9;
const NAMESPACE = loadNamespace(0);
const COUNTS = [1, 10, 100];

/** The plan without the engine: its time against kubectl's, and how many requests it makes. */
export async function commandBenchmark(): Promise<Result> {
  const cluster = await startCluster();
  const proxy = await startProxy(cluster);
  const stack = await createStack({ kubeconfig: cluster.kubeconfig, config: policyOf(4) });
  try {
    await addNodes(
      cluster,
      ["worker-1", "worker-2", "worker-3"].map((name) => ({ name })),
    );
    await createNamespaces(cluster, 1);
    await createMany(cluster, Math.max(...COUNTS), (index) => loadDeployment(index, 1));
    await linkProgram(stack);
    const env = { KUBECONFIG: cluster.kubeconfig, HOME: stack.folder };
    const times = await interleaved(ROUNDS, {
      "kubectl get nodes,deploy": () => kubectl(env),
      "cluster-scale plan": () => plan(stack, cluster.kubeconfig),
    });
    const requests = await requestsOf(stack, proxy, COUNTS);
    const rows = [...requests].map(([count, made]) => [count, made]);
    return {
      title: "A plan without the engine",
      command: "npm run benchmark -- command",
      body:
        `Wall time in seconds, ${ROUNDS} interleaved rounds, three workers, four workloads.\n\n${ratioTable(times)}\n\n` +
        `Requests to the API server, counted by a proxy in front of it, for workloads of one namespace:\n\n${table(["workloads", "requests"], rows)}`,
      checks: [
        { what: "plan of 4 workloads, against kubectl get nodes,deploy", value: ratio(times), atMost: 3 },
        {
          what: "requests for 100 workloads of a namespace beyond those for 1",
          value: (requests.get(100) ?? Number.NaN) - (requests.get(1) ?? Number.NaN),
          atMost: 0,
        },
      ],
    };
  } finally {
    await stack.remove();
    await proxy.close();
    await cluster.stop();
  }
}

/** How many requests a plan of so many workloads of one namespace makes, by that number. */
export async function requestsOf(stack: Stack, proxy: RunningProxy, counts: number[]): Promise<Map<number, number>> {
  const requests = new Map<number, number>();
  for (const count of counts) {
    await writeConfig(stack.config, policyOf(count));
    proxy.requests.length = 0;
    await plan(stack, proxy.kubeconfig);
    requests.set(count, proxy.requests.length);
  }
  return requests;
}

/** The first workloads that the load generator makes. */
export function policyOf(count: number): Record<string, unknown> {
  return {
    workloads: Array.from({ length: count }, (_, index) => ({ namespace: NAMESPACE, name: `app-${index}`, max: 10 })),
  };
}

async function kubectl(env: Record<string, string>): Promise<void> {
  const args = ["get", "nodes,deployments", "--all-namespaces", "--output", "yaml"];
  await execa("kubectl", args, { env }).catch((error) => {
    throw error.code === "ENOENT"
      ? new Error("there is no kubectl on the PATH. Install it (https://kubernetes.io/docs/tasks/tools/)")
      : error;
  });
}

/** As people run it, by the entry of the package. */
async function plan({ folder, env }: Stack, kubeconfig: string): Promise<void> {
  await execa(process.execPath, [path.join(folder, "src", "cli", "bin.mjs"), "plan", "--no-preview"], {
    cwd: folder,
    extendEnv: false,
    env: { ...env, KUBECONFIG: kubeconfig },
  });
}
