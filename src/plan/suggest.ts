/** Which Deployments may safely follow the workers, by the planner's own rules: a first allowlist. */
import type { Snapshot } from "../cluster/snapshot.ts";
import type { Policy, WorkloadPolicy } from "../config/policy.ts";
import { reasonsOf } from "./decisions.ts";
import { ownedMessage, whyOf } from "./message.ts";
import { ownershipOf } from "./ownership.ts";
import { type ClusterView, viewOf } from "./view.ts";
import { factsOf } from "./workload.ts";

/** Whether a Deployment may be listed, and why, in one sentence. */
export interface Suggestion {
  namespace: string;
  name: string;
  suggest: boolean;
  why: string;
}

/** Settings under which nothing but the rules of ownership, nodes and safety speaks against a workload. */
const JUDGED: Omit<WorkloadPolicy, "namespace" | "name"> = {
  kind: "Deployment",
  max: Number.MAX_SAFE_INTEGER,
  min: 1,
  formula: "linear",
  spare: 0,
  capacity: "off",
  gitops: "defer",
  hpa: "defer",
  os: "linux",
  allowUnsafe: [],
};

/** Its Deployments are part of the cluster, and their number follows the cluster's own rules. */
const CLUSTER_NAMESPACE = "kube-system";

/**
 * A suggestion for every Deployment of the snapshot, by namespace and name.
 *
 * @param policy its workers and owners count; the workloads that it lists don't matter
 */
export function suggest(snapshot: Snapshot, policy: Policy): Suggestion[] {
  const view = viewOf(snapshot, policy);
  const deployments = [...view.owners.deployments].sort(([a], [b]) => (a < b ? -1 : 1));
  return deployments.map(([, { namespace, name }]) => suggestion({ ...JUDGED, namespace, name }, view));
}

function suggestion(entry: WorkloadPolicy, view: ClusterView): Suggestion {
  const { namespace, name } = entry;
  const subject = ownershipOf(entry, view.policy.owners.takeOver, view.owners);
  if (subject.decision !== null) return { namespace, name, suggest: false, why: ownedMessage(subject) };
  if (namespace === CLUSTER_NAMESPACE) {
    return { namespace, name, suggest: false, why: `it is part of the cluster itself (${namespace})` };
  }
  const facts = factsOf(entry, subject, view);
  const against =
    facts.hazards.length > 0
      ? facts.hazards.map(({ reason }) => reason)
      : facts.sets.keep.length === 0
        ? reasonsOf(facts.numbers, facts.sets, view)
        : [];
  return { namespace, name, suggest: against.length === 0, why: whyOf(against, facts) };
}
