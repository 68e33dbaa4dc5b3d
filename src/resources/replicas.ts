import { ComponentResource, type CustomResource, log, type ProviderResource, runtime } from "@pulumi/pulumi";
import type { ClusterConfig } from "../cluster/kubeconfig.ts";
import { readingRollouts } from "../cluster/rollout.ts";
import type { Plan } from "../plan/plan.ts";
import { declareClusterPatch } from "./clickhouse.ts";
import { outputsOf, type ReplicasOutputs } from "./outputs.ts";
import { declarePatch, patchActions } from "./patches.ts";
import { waitForRollouts } from "./rollouts.ts";
import { showPlan } from "./show.ts";

export interface ReplicasArgs {
  plan: Plan;
  /** The cluster that the plan was made for, and the provider for it. */
  cluster: ClusterConfig;
  provider: ProviderResource;
  /** For one request. */
  requestTimeoutSeconds: number;
  /** How long the pods of a changed Deployment may take to become available. */
  rolloutTimeoutSeconds: number;
}

/** A plan as resources: a patch for each workload that the plan sizes, under one component. */
export class Replicas extends ComponentResource {
  /** The outputs, once every changed Deployment runs. Rejects with a RolloutError; in a preview there is no waiting. */
  readonly finished: Promise<ReplicasOutputs>;

  constructor(name: string, args: ReplicasArgs) {
    super("cluster-scale:index:Replicas", name);
    const { plan, provider } = args;
    showPlan(plan, this);

    const patches = new Map(
      patchActions(plan).map(({ workload, action }) => [
        workload,
        declarePatch(workload, action, { parent: this, provider }),
      ]),
    );
    for (const entry of plan.clickhouse ?? []) {
      if (entry.action !== null) declareClusterPatch(entry, entry.action, { parent: this, provider });
    }
    const outputs = outputsOf(plan);
    this.registerOutputs(outputs);
    this.finished = (runtime.isDryRun() ? Promise.resolve() : rolledOut(args, patches)).then(() => outputs);
  }
}

/** Waits for the Deployments whose count this run changes. Others may be unhealthy for reasons of their own. */
async function rolledOut(args: ReplicasArgs, patches: Map<string, CustomResource>): Promise<void> {
  const changed = args.plan.workloads.flatMap(({ workload, action, current, target }) =>
    action?.kind === "deployment" && current !== target ? [{ ...action, workload }] : [],
  );
  if (changed.length === 0) return;
  await Promise.all(changed.map(({ workload }) => new Promise((resolve) => patches.get(workload)?.id.apply(resolve))));

  const { requestTimeoutSeconds, rolloutTimeoutSeconds: timeoutSeconds } = args;
  const limits = { requestTimeoutSeconds, timeoutSeconds: timeoutSeconds + requestTimeoutSeconds };
  await readingRollouts(args.cluster, limits, (read) =>
    waitForRollouts(changed, {
      read,
      tell: (workload, message) => void log.warn(message, patches.get(workload)),
      // Ephemeral: the state of things while it goes on, not a message that stays.
      show: (workload, { available, wanted }) =>
        void log.info(`${available} of ${wanted} pods available`, patches.get(workload), undefined, true),
      timeoutSeconds,
    }),
  );
}
