/**
 * The whole program: what people decide, what the cluster shows, what follows from both, and its resources.
 * `pulumi preview` is the plan, `pulumi up` the apply.
 */
import { chooseCluster } from "./src/cluster/kubeconfig.ts";
import { readSnapshot } from "./src/cluster/read.ts";
import { withoutStackTraces } from "./src/resources/errors.ts";
import { stackConfig } from "./src/resources/stack-config.ts";

export default () =>
  withoutStackTraces(async () => {
    const { settings, cluster } = stackConfig();
    const chosen = chooseCluster(cluster);
    // The planner and the kinds of resources load while the API server answers.
    const [snapshot, { declareStack }] = await Promise.all([
      readSnapshot(cluster, settings),
      import("./src/resources/declare.ts"),
    ]);
    return declareStack({ settings, cluster, chosen, snapshot });
  });
