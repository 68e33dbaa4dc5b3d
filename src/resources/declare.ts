import { getStack } from "@pulumi/pulumi";
import type { ChosenCluster, ClusterConfig } from "../cluster/kubeconfig.ts";
import type { Snapshot } from "../cluster/snapshot.ts";
import type { Settings } from "../config/settings.ts";
import type { Plan } from "../plan/plan.ts";
import type { ReplicasOutputs } from "./outputs.ts";
import { planned } from "./planned.ts";
import { clusterProvider } from "./provider.ts";
import { Replicas } from "./replicas.ts";
import { assertReviewed } from "./reviewed.ts";

export interface StackArgs {
  settings: Settings;
  cluster: ClusterConfig;
  /** What `cluster` meant when it was read. */
  chosen: ChosenCluster;
  snapshot: Snapshot;
}

/** Plans, and declares what the plan says. */
export async function declareStack({ settings, cluster, chosen, snapshot }: StackArgs): Promise<ReplicasOutputs> {
  const { requestTimeoutSeconds, rolloutTimeoutSeconds } = settings;
  const { clusterId } = snapshot;
  const plan = await planned(snapshot, settings);
  await assertReviewed(plan, clusterId);
  const declareQueues = plan.queues === undefined ? undefined : await preflightQueues(cluster, settings, plan);
  const provider = await clusterProvider({
    config: cluster,
    chosen,
    clusterId,
    timeoutSeconds: requestTimeoutSeconds,
  });
  const replicas = await onEmptyStack(
    () => new Replicas(getStack(), { plan, cluster, provider, requestTimeoutSeconds, rolloutTimeoutSeconds }),
  );
  declareQueues?.(provider);
  return replicas.finished;
}

/**
 * Calls a function from a task of its own. The SDK writes the stack of each declaration into the state, and a file backend writes the
 * whole state twice for each resource: all that leads here makes it a twentieth larger, and an update as much slower.
 */
function onEmptyStack<Result>(call: () => Result): Promise<Result> {
  return new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(call());
      } catch (error) {
        reject(error);
      }
    });
  });
}

/** Loaded where there are queues: it brings kinds of resources that no other stack needs. */
async function preflightQueues(cluster: ClusterConfig, settings: Settings, plan: Plan) {
  const queues = await import("./queue/stack.ts");
  return queues.preflightQueues(cluster, settings, plan);
}
