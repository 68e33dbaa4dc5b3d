import type { ClusterConfig } from "../cluster/kubeconfig.ts";
import { type Rollout, readingRollouts } from "../cluster/rollout.ts";
import type { Settings } from "../config/settings.ts";
import type { Plan } from "../plan/plan.ts";
import { type Applied, statusesOf, statusTable } from "../report/status.ts";
import type { ReplicasOutputs } from "../resources/outputs.ts";
import { planned } from "../resources/planned.ts";
import { EngineError } from "./engine-error.ts";
import { jsonText, type Streams, styleOf } from "./output.ts";
import { readStackPolicy, stackName } from "./policy.ts";
import { pulumi } from "./pulumi.ts";
import { readSource } from "./source.ts";

export interface StatusOptions {
  stack?: string;
  cwd: string;
  output: "table" | "json";
}

/** Shows what the stack set last, what is live, what the plan of now would set, and how far the pods are. Writes nothing. */
export async function statusCommand(options: StatusOptions, { out }: Streams): Promise<void> {
  const stack = await stackName(options);
  const policy = await readStackPolicy(stack, options.cwd);
  const [snapshot, applied] = await Promise.all([
    readSource({ cwd: options.cwd }, policy),
    appliedBy(stack, options.cwd),
  ]);
  const made = await planned(snapshot, policy.settings);
  const rollouts = await rolloutsOf(made, await policy.cluster(), policy.settings);
  const statuses = statusesOf(made, applied, rollouts);
  const { paint, width } = styleOf(out);
  out.write(
    options.output === "json"
      ? jsonText({
          stack,
          ...statuses,
          workers: made.workers,
          ...(made.clickhouse && { clickhouse: made.clickhouse }),
        })
      : `${statusTable(statuses, made, paint, width)}\n`,
  );
}

/** By the outputs of the last `up`; nothing by a stack that was never there. */
async function appliedBy(stack: string, cwd: string): Promise<Applied> {
  const { targets = {}, queues = {} } = await outputsOfStack(stack, cwd);
  const maxima = Object.entries(queues).map(([workload, { maxReplicas }]) => [workload, maxReplicas] as const);
  return { workloads: targets, queues: Object.fromEntries(maxima) };
}

async function outputsOfStack(stack: string, cwd: string): Promise<Partial<ReplicasOutputs>> {
  try {
    return JSON.parse(await pulumi(["stack", "output", "--json", "--stack", stack], cwd));
  } catch (error) {
    if (error instanceof EngineError && error.code === "no-stack") return {};
    throw error;
  }
}

/** How far each Deployment of the plan is, or why that can't be known. */
async function rolloutsOf(
  { workloads }: Plan,
  cluster: ClusterConfig,
  { requestTimeoutSeconds, readTimeoutSeconds }: Settings,
): Promise<Map<string, Rollout | Error>> {
  const there = workloads.filter(({ kind, current }) => kind === "Deployment" && current !== null);
  if (there.length === 0) return new Map();
  const limits = { requestTimeoutSeconds, timeoutSeconds: readTimeoutSeconds };
  const names = there.map(({ workload }) => {
    const [namespace = "", name = ""] = workload.split("/");
    return { namespace, name };
  });
  const rollouts = await readingRollouts(cluster, limits, (read) => read(names));
  return new Map(there.map(({ workload }, index) => [workload, rollouts[index] as Rollout | Error]));
}
