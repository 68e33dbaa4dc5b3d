/**
 * The whole program: what people decide, what the cluster shows, what follows from both, and its resources.
 * `pulumi preview` is the plan, `pulumi up` the apply.
 */
import { getStack } from "@pulumi/pulumi";
import { chooseCluster } from "./src/cluster/kubeconfig.ts";
import { readSnapshot } from "./src/cluster/read.ts";
import { withoutStackTraces } from "./src/resources/errors.ts";
import { planned } from "./src/resources/planned.ts";
import { clusterProvider } from "./src/resources/provider.ts";
import { Replicas } from "./src/resources/replicas.ts";
import { assertReviewed } from "./src/resources/reviewed.ts";
import { stackConfig } from "./src/resources/stack-config.ts";

export default () =>
  withoutStackTraces(async () => {
    const { settings, cluster } = stackConfig();
    const { requestTimeoutSeconds, rolloutTimeoutSeconds } = settings;
    const chosen = await chooseCluster(cluster);
    const snapshot = await readSnapshot(cluster, settings);
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
    const replicas = new Replicas(getStack(), {
      plan,
      cluster,
      provider,
      requestTimeoutSeconds,
      rolloutTimeoutSeconds,
    });
    declareQueues?.(provider);
    return replicas.finished;
  });

/** Loaded where there are queues: it brings kinds of resources that no other stack needs. */
async function preflightQueues(...args: Parameters<typeof import("./src/resources/queue/stack.ts").preflightQueues>) {
  const queues = await import("./src/resources/queue/stack.ts");
  return queues.preflightQueues(...args);
}
