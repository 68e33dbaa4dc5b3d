/** The plan of one workload: ownership, nodes, numbers, safety, decision, in the order of docs/semantics.md. */
import type { WorkloadPolicy } from "../config/policy.ts";
import { actionFor } from "./actions.ts";
import { admit } from "./admitted-pod.ts";
import { ownPods } from "./cluster-index.ts";
import { decisionOf, reasonsOf } from "./decisions.ts";
import type { Facts } from "./facts.ts";
import { ownedMessage, plannedMessage } from "./message.ts";
import { nodeSetsOf } from "./node-sets.ts";
import { numbersOf } from "./numbers.ts";
import { type Owned, ownershipOf, type Unowned } from "./ownership.ts";
import type { PlanEntry, Reason } from "./plan.ts";
import { hazardsOf } from "./safety.ts";
import type { ClusterView } from "./view.ts";
import { warningsOf } from "./warnings.ts";

/** Plans a workload and takes the room of its pods: the order of calls is the order of the allowlist. */
export function planWorkload(policy: WorkloadPolicy, view: ClusterView): PlanEntry {
  const subject = ownershipOf(policy, view.policy.owners.takeOver, view.owners);
  return subject.decision === null ? planUnowned(policy, subject, view) : planOwned(policy, subject);
}

function planOwned(policy: WorkloadPolicy, owned: Owned): PlanEntry {
  const { decision, reason, current } = owned;
  return {
    ...identityOf(policy),
    decision,
    current,
    target: current,
    grow: null,
    keep: null,
    reasons: reason === null ? [] : [reason],
    warnings: [],
    message: ownedMessage(owned),
    action: null,
  };
}

function planUnowned(policy: WorkloadPolicy, subject: Unowned, view: ClusterView): PlanEntry {
  const facts = factsOf(policy, subject, view);
  const { pod, sets, numbers, hazards } = facts;
  const { current, grow, keep } = numbers;
  // There is at least one replica now, so a target above it is above 1.
  const refused = hazards.length > 0 && numbers.target > current;
  const target = refused ? current : numbers.target;
  const reasons: Reason[] = refused ? hazards.map((hazard) => hazard.reason) : reasonsOf(numbers, sets, view);
  const decision = refused ? "refuse" : decisionOf(numbers, reasons);
  const warnings = refused ? [] : warningsOf(facts);
  view.room.take(pod, subject.deployment, sets.grow, target);
  return {
    ...identityOf(policy),
    decision,
    current,
    target,
    grow,
    keep,
    reasons,
    warnings,
    message: plannedMessage(decision, reasons, warnings, facts),
    action: actionFor(decision, target, subject, policy.gitops === "write"),
  };
}

/** Everything that a decision on a workload rests on, its numbers among it. Takes no room. */
export function factsOf(policy: WorkloadPolicy, subject: Unowned, view: ClusterView): Facts {
  const { deployment } = subject;
  const pod = admit(deployment, policy, view.index);
  const given = {
    view,
    policy,
    subject,
    pod,
    own: ownPods(deployment, view.index),
    sets: nodeSetsOf(pod, view),
    hazards: hazardsOf(deployment, policy, (name) => view.index.claims.get(`${deployment.namespace}/${name}`)),
  };
  return { ...given, numbers: numbersOf(given) };
}

function identityOf({ namespace, name, kind }: WorkloadPolicy): Pick<PlanEntry, "workload" | "kind"> {
  return { workload: `${namespace}/${name}`, kind };
}
