/**
 * The whole program: what people decide, what the cluster shows, what follows from both, and its resources.
 * `pulumi preview` is the plan, `pulumi up` the apply.
 */
import { getStack } from "@pulumi/pulumi";
import { chooseCluster } from "./src/cluster/kubeconfig.ts";
import { readSnapshot } from "./src/cluster/read.ts";
import { plan } from "./src/plan/index.ts";
import { withoutStackTraces } from "./src/resources/errors.ts";
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
    const planned = plan(snapshot, settings);
    await assertReviewed(planned, clusterId);
    const provider = await clusterProvider({
      config: cluster,
      chosen,
      clusterId,
      timeoutSeconds: requestTimeoutSeconds,
    });
    const replicas = new Replicas(getStack(), {
      plan: planned,
      cluster,
      provider,
      requestTimeoutSeconds,
      rolloutTimeoutSeconds,
    });
    return replicas.finished;
  });
