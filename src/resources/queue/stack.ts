/** The queues of a plan as resources of a stack, once the preflight has let them pass. */
import { log, type ProviderResource } from "@pulumi/pulumi";
import { readPreflight } from "../../cluster/external-metrics.ts";
import type { ClusterConfig } from "../../cluster/kubeconfig.ts";
import type { Settings } from "../../config/settings.ts";
import type { Plan } from "../../plan/plan.ts";
import { findingsOf } from "../../plan/preflight.ts";
import { blockedBy, findingLine } from "../../report/preflight-error.ts";
import { QueueScaledWorkload } from "./component.ts";

/** Declares the queues that were looked at. */
export type DeclareQueues = (provider?: ProviderResource) => QueueScaledWorkload[];

/**
 * Looks at the way from each queue that is to be declared to its autoscaler, and tells what is in it. In a preview and in an
 * update alike, and before anything is declared.
 *
 * @throws PreflightError where nothing would scale.
 */
export async function preflightQueues(cluster: ClusterConfig, settings: Settings, plan: Plan): Promise<DeclareQueues> {
  const actions = new Map((plan.queues ?? []).flatMap(({ workload, action }) => (action ? [[workload, action]] : [])));
  const queues = settings.queues.flatMap((queue) => {
    const name = `${queue.namespace}/${queue.name}`;
    const action = actions.get(name);
    return action === undefined ? [] : [{ name, queue, action }];
  });
  if (queues.length === 0) return () => [];
  const facts = await readPreflight(
    cluster,
    queues.map(({ queue }) => queue),
    settings,
  );
  const findings = findingsOf(facts);
  const blocked = blockedBy(findings);
  if (blocked !== undefined) throw blocked;
  for (const finding of findings) {
    if (finding.level === "error" || finding.level === "warning") void log.warn(findingLine(finding));
  }
  const { externalSecrets } = facts;
  return (provider) =>
    queues.map(({ name, queue, action }) => {
      const bounds = { minReplicas: action.minReplicas, maxReplicas: action.maxReplicas };
      const args = { queue, bounds, ...(externalSecrets === null ? {} : { externalSecrets }) };
      return new QueueScaledWorkload(name, args, provider === undefined ? {} : { provider });
    });
}
