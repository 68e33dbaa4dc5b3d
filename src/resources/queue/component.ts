import { CustomResource } from "@pulumi/kubernetes/apiextensions/customResource.js";
import { Deployment } from "@pulumi/kubernetes/apps/v1/deployment.js";
import { HorizontalPodAutoscaler } from "@pulumi/kubernetes/autoscaling/v2/horizontalPodAutoscaler.js";
import { PersistentVolumeClaim } from "@pulumi/kubernetes/core/v1/persistentVolumeClaim.js";
import { NetworkPolicy } from "@pulumi/kubernetes/networking/v1/networkPolicy.js";
import {
  ComponentResource,
  type ComponentResourceOptions,
  type CustomResourceOptions,
  type Resource,
} from "@pulumi/pulumi";
import type { QueuePolicy } from "../../config/queue.ts";
import { deploymentOf } from "./deployment.ts";
import { autoscalerOf, type Bounds } from "./hpa.ts";
import { networkPoliciesOf } from "./network-policies.ts";
import { externalSecretsOf } from "./secrets.ts";
import { claimOf } from "./volume.ts";

export interface QueueScaledWorkloadArgs {
  /** As `queueOf` validates it. */
  queue: QueuePolicy;
  /** Within the workers, as the planner gives them. */
  bounds: Bounds;
  /** The version of `external-secrets.io` that the cluster serves; absent: none, and the Secrets are made by other means. */
  externalSecrets?: string;
}

/**
 * A workload whose load is a queue: its autoscaler and, where the queue says so, the workload around it.
 *
 * Everything stays in the cluster when it leaves the program: without its Deployment the work would end, and without its
 * autoscaler the Deployment would be left at its present count. Only the autoscaler goes, where `deleteHpaOnRemoval` has
 * been applied before.
 */
export class QueueScaledWorkload extends ComponentResource {
  constructor(name: string, args: QueueScaledWorkloadArgs, options: ComponentResourceOptions = {}) {
    super("cluster-scale:queue:QueueScaledWorkload", name, {}, options);
    const { queue, bounds } = args;
    const around = this.declareWorkload(name, args);
    new HorizontalPodAutoscaler(name, autoscalerOf(queue, bounds), {
      parent: this,
      dependsOn: around,
      retainOnDelete: !queue.deleteHpaOnRemoval,
    });
    this.registerOutputs(bounds);
  }

  /** What the Deployment needs comes first: its pods must not start without their policies. */
  private declareWorkload(name: string, { queue, externalSecrets }: QueueScaledWorkloadArgs): Resource[] {
    const { workload } = queue;
    if (workload === undefined) return [];
    const kept: CustomResourceOptions = { parent: this, retainOnDelete: true };
    const needed: Resource[] = networkPoliciesOf(queue, workload.network).map(
      (policy) => new NetworkPolicy(`${queue.namespace}/${policy.metadata.name}`, policy, kept),
    );
    const claim = claimOf(queue);
    if (claim !== undefined) needed.push(new PersistentVolumeClaim(name, claim, kept));
    for (const secret of externalSecrets === undefined ? [] : externalSecretsOf(queue, externalSecrets)) {
      needed.push(new CustomResource(`${queue.namespace}/${secret.metadata.name}`, secret, kept));
    }
    return [new Deployment(name, deploymentOf(queue, workload), { ...kept, dependsOn: needed })];
  }
}
