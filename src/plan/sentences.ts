/** The sentence of every code, with names and numbers: machines read the codes, people read these. */
import type { UnsafeReason, WorkloadPolicy } from "../config/policy.ts";
import type { Facts } from "./facts.ts";
import type { NotReadyState } from "./node-sets.ts";
import type { HealthState, NonCandidate, OwnershipReason, Reason, Warning } from "./plan.ts";
import { blockingBudgets } from "./warnings.ts";
import { counted, listed } from "./words.ts";

/** Why a node is no candidate. */
export const NON_CANDIDATES: Record<NonCandidate, string> = {
  "control-plane": "it is a dedicated control-plane node",
  virtual: "there is no machine behind it",
  excluded: "`workers.exclude` matches it",
  "not-selected": "`workers.selector` does not match it",
};

/** What nodes in a state are: one of them, several of them. */
export const STATES: Record<HealthState, [one: string, several: string]> = {
  ready: ["is Ready", "are Ready"],
  settling: ["has only just become Ready", "have only just become Ready"],
  cordoned: ["is cordoned", "are cordoned"],
  starting: ["is still starting", "are still starting"],
  pressure: ["is short of memory, disk or processes", "are short of memory, disk or processes"],
  leaving: ["is leaving the cluster", "are leaving the cluster"],
  unready: ["is not Ready", "are not Ready"],
  lost: ["is lost", "are lost"],
};

/** Why nothing is planned; `by` names the owner or the evidence. */
export const OWNERSHIP: Record<OwnershipReason, (by: string) => string> = {
  "not-a-deployment": (kind) => `a ${kind} is out of reach, only Deployments are scaled`,
  "being-deleted": (kind) => `its ${kind} is being deleted`,
  "operator-owned": (owner) => `it is owned by ${owner}, which would set the count back`,
  "scaled-to-zero": () => "someone switched it off; one replica switches it on again",
  hpa: (owner) => `the count is up to ${owner}; with \`hpa: bounds\` the maximum of a single one is planned instead`,
  keda: (owner) => `the count is up to KEDA's ${owner}, paused or not`,
  "argo-rollout": (owner) => `its pods are run by Argo's ${owner}`,
  argocd: (owner) =>
    `the count is up to Argo CD's ${owner}; \`gitops: override\` or \`gitops: write\` would plan it all the same`,
  flux: (owner) =>
    `the count is up to Flux's ${owner}; \`gitops: override\` or \`gitops: write\` would plan it all the same`,
  "addon-manager": (mark) => `an add-on manager keeps it as it is (${mark})`,
  "field-owner": (managers) =>
    `the count is written by ${managers}; \`owners.takeOver\` names managers to take it from`,
};

/** Why a workload is not safe to multiply; `what` of its template says so. */
export const HAZARDS: Record<UnsafeReason, (what: string) => string> = {
  "singleton-volume": (what) => `more replicas would share what only one node may mount: ${what}`,
  "recreate-strategy": () => "its strategy Recreate says that two replicas must not run at a time",
  "writable-host-path": (what) => `it writes to directories of its node: ${what}`,
};

/** A reason that neither a node's state nor an owner or a hazard is: it is told from the numbers. */
type OtherReason = Exclude<Reason, NotReadyState | UnsafeReason | Exclude<OwnershipReason, "hpa">>;

export const REASONS: Record<OtherReason, (facts: Facts) => string> = {
  "no-ready-worker": ({ view }) =>
    view.candidates.length === 0
      ? "there is no worker"
      : `of ${counted(view.candidates.length, "worker")} none is Ready`,
  "no-matching-node": ({ view }) => `none of ${counted(view.candidates.length, "worker")} is one that its pods may use`,
  "cluster-unhealthy": ({ view }) =>
    `${view.gone} of ${counted(view.candidates.length, "worker")} are not Ready, and nothing shrinks until that is clear`,
  hpa: ({ subject }) =>
    `a maximum below the ${counted(subject.autoscaler?.currentReplicas ?? 0, "replica")} that run now would cut at once`,
  placement: ({ numbers }) => `its own placement rules allow ${numbers.placementGrow}`,
  capacity: (facts) => troubleOf(facts) ?? `the free room is enough for ${facts.numbers.room}`,
  quota: ({ numbers }) => `a ResourceQuota allows ${numbers.allowed}`,
};

export function isOther(reason: Reason): reason is OtherReason {
  return Object.hasOwn(REASONS, reason);
}

export const WARNINGS: Record<Warning, (facts: Facts) => string> = {
  "rollout-deadlock": ({ sets }) =>
    `A rollout would wait forever: none of ${counted(sets.grow.length, "worker")} is left for a new pod, and maxUnavailable comes out as 0`,
  "pdb-blocks-drain": (facts) =>
    `PodDisruptionBudget ${listed(blockingBudgets(facts))} allows no eviction at ${facts.numbers.target}, so a drain will wait`,
  "rollout-paused": () => "Its rollout is paused",
  "tolerated-pool": ({ sets }) =>
    `It only tolerates the taints of ${listed(sets.tolerated)}, which all the same count as its workers`,
  "capacity-unknown": ({ view }) =>
    `The free room is not known (${view.index.podsKnown ? "a node states no allocatable" : "the pods were not read"}), so new replicas may stay Pending`,
  capacity: (facts) => `Some may stay Pending: ${REASONS.capacity(facts)}`,
  quota: (facts) => `Some may not be created: ${REASONS.quota(facts)}`,
  "gitops-override": ({ subject }) =>
    `${listed(subject.passed.filter((owner) => !owner.free).map((owner) => owner.by))} may set the count back`,
  "not-modelled": () =>
    "Rules towards other pods and volumes per pod are not modelled, so new replicas may stay Pending",
};

/** A policy's formula with everything that may cut or lift it: `linear (max 5)`. */
export function formulaInWords({ formula, min, max, spare }: WorkloadPolicy): string {
  const name =
    typeof formula === "string"
      ? formula
      : Object.entries(formula)
          .map(([key, value]) => `${key} ${JSON.stringify(value)}`)
          .join(" and ");
  const limits = [`max ${max}`, ...(min > 1 ? [`min ${min}`] : []), ...(spare > 0 ? [`spare ${spare}`] : [])];
  return `${name} (${limits.join(", ")})`;
}

/** What says, before any calculation, that further replicas would not start. */
function troubleOf({ subject, own }: Facts): string | null {
  const { replicaFailure } = subject.deployment;
  if (replicaFailure !== null) return `its pods are refused${replicaFailure === "" ? "" : ` (${replicaFailure})`}`;
  const waiting = own.filter((pod) => pod.unschedulable).map((pod) => pod.name);
  return waiting.length === 0 ? null : `the scheduler finds no node for ${listed(waiting.sort())}`;
}
