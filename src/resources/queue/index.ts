/** Queues for Pulumi programs of your own, as `cluster-scale/queue`: docs/queues.md, "In a program of your own". */
import { log, type ProviderResource } from "@pulumi/pulumi";
import type { ClusterConfig } from "../../cluster/kubeconfig.ts";
import { readSnapshot } from "../../cluster/read.ts";
import type { QueuePolicy } from "../../config/queue.ts";
import { parsePolicy } from "../../config/schema.ts";
import { parseSettings } from "../../config/settings.ts";
import { withoutStackTraces } from "../errors.ts";
import { planned } from "../planned.ts";
import type { QueueScaledWorkload } from "./component.ts";
import { preflightQueues } from "./stack.ts";

export { QueueScaledWorkload, type QueueScaledWorkloadArgs } from "./component.ts";

/**
 * One queue as a policy writes it, validated, with every default filled in.
 *
 * @throws ConfigError with every problem.
 */
export function queueOf(written: object): QueuePolicy {
  const [queue] = parsePolicy({ workloads: [], queues: [written] }, "The queue").queues;
  return queue as QueuePolicy;
}

export interface DeclareOptions {
  /** The cluster to plan for, as the Kubernetes provider is configured; kubectl's rules where nothing is said. */
  cluster?: ClusterConfig;
  /** The provider of the same cluster; the default one where none is given. */
  provider?: ProviderResource;
  /** Further keys of a policy: `workers`, `owners`, the timeouts. */
  policy?: Record<string, unknown>;
}

/**
 * Reads the cluster, plans the queues within its workers, looks whether their metrics are there, and declares them.
 *
 * @param written queues as a policy writes them.
 * @returns a component for each queue that is declared; one that somebody else scales is left out, and told of.
 * @throws RunError with what a person needs to know, before anything is declared.
 */
export function declareQueues(written: object[], options: DeclareOptions = {}): Promise<QueueScaledWorkload[]> {
  const { cluster = {}, provider, policy = {} } = options;
  return withoutStackTraces(async () => {
    const settings = parseSettings({ ...policy, workloads: [], queues: written }, "The queues");
    const plan = await planned(await readSnapshot(cluster, settings), settings);
    const declare = await preflightQueues(cluster, settings, plan);
    for (const { workload, message } of plan.queues ?? []) void log.info(`${workload}: ${message}`);
    return declare(provider);
  });
}
