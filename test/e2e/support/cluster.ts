import type { Cluster } from "../../../bench/cluster/cluster.ts";
import { addNodes } from "../../../bench/cluster/nodes.ts";
import { type ClusterOptions, startCluster } from "../../../bench/cluster/start.ts";

/** A cluster with three empty workers: worker-1, worker-2 and worker-3. */
export async function startWithThreeWorkers(options?: ClusterOptions): Promise<Cluster> {
  const cluster = await startCluster(options);
  await addNodes(
    cluster,
    ["worker-1", "worker-2", "worker-3"].map((name) => ({ name })),
  );
  return cluster;
}
