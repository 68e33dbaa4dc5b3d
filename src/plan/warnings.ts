/** Warnings, which change nothing. docs/semantics.md, "Safety". */
import type { Deployment, PodDisruptionBudget } from "../cluster/snapshot.ts";
import { termMatchesSelf } from "./affinity.ts";
import { selectsNodes } from "./eligibility.ts";
import type { Facts } from "./facts.ts";
import { isSelfExcluding, surgeFits } from "./placement.ts";
import type { Warning } from "./plan.ts";
import { matchesSelector } from "./selectors.ts";

/** Every warning that is due, in a fixed order. */
export function warningsOf(facts: Facts): Warning[] {
  const { policy, subject, numbers } = facts;
  const grows = numbers.target > numbers.current;
  // What bounds the target under `enforce` is only reported under `warn`, where it would have been tighter.
  const nodesAllow = Math.min(numbers.formulaGrow, numbers.placementGrow);
  const warns = policy.capacity === "warn";
  const due: [Warning, boolean][] = [
    ["rollout-deadlock", isRolloutDeadlocked(facts)],
    ["pdb-blocks-drain", blockingBudgets(facts).length > 0],
    ["rollout-paused", subject.deployment.paused],
    ["tolerated-pool", isToleratedPool(facts)],
    ["capacity-unknown", grows && policy.capacity !== "off" && !numbers.roomKnown],
    ["capacity", warns && numbers.room < nodesAllow],
    ["quota", warns && numbers.allowed < nodesAllow],
    ["gitops-override", policy.gitops === "override" && subject.passed.some((owner) => !owner.free)],
    ["not-modelled", grows && hasUnmodelledRule(facts)],
  ];
  return due.filter(([, isDue]) => isDue).map(([warning]) => warning);
}

/** A rollout that can neither start a pod (no node is left for one) nor stop one waits forever. */
function isRolloutDeadlocked({ view, subject, pod, sets, numbers }: Facts): boolean {
  return (
    sets.grow.length > 0 &&
    subject.deployment.strategy.type === "RollingUpdate" &&
    isSelfExcluding(pod, view.index) &&
    !surgeFits(pod, sets.grow, view.index, numbers.target) &&
    maxUnavailable(subject.deployment, numbers.target) === 0
  );
}

/** As the Deployment controller resolves it (ResolveFenceposts): 1 where the surge comes out as 0 too. */
function maxUnavailable({ strategy }: Deployment, replicas: number): number {
  const unavailable = resolve(strategy.maxUnavailable, replicas, Math.floor);
  return unavailable === 0 && resolve(strategy.maxSurge, replicas, Math.ceil) === 0 ? 1 : unavailable;
}

/** Names of the budgets that select the pods and allow no eviction at the target. */
export function blockingBudgets({ view, subject, pod, numbers }: Facts): string[] {
  return (view.index.podDisruptionBudgets.get(subject.deployment.namespace) ?? [])
    .filter((budget) => budget.selector !== null && matchesSelector(budget.selector, pod.labels))
    .filter((budget) => evictions(budget, numbers.target) <= 0)
    .map((budget) => budget.name);
}

/** Evictions that a budget allows with so many healthy pods; its percentages are of them, rounded up. */
export function evictions({ minAvailable, maxUnavailable }: PodDisruptionBudget, pods: number): number {
  if (maxUnavailable !== null) return resolve(maxUnavailable, pods, Math.ceil);
  return minAvailable === null ? pods : pods - resolve(minAvailable, pods, Math.ceil);
}

/** A number, or a percentage of a total. */
function resolve(value: number | string, total: number, round: (value: number) => number): number {
  if (typeof value === "number") return value;
  return round((Number.parseInt(value, 10) * total) / 100);
}

/** A tainted pool that is not asked for: beside nodes without a taint, or with nothing that selects it. */
function isToleratedPool({ pod, sets }: Facts): boolean {
  return sets.tolerated.length > 0 && (sets.tolerated.length < sets.keep.length || !selectsNodes(pod));
}

/** Rules of a template that the plan does not follow: towards other pods, and volumes that are attached per pod. */
function hasUnmodelledRule({ view, subject, pod }: Facts): boolean {
  const { podAffinity, volumes } = subject.deployment.template;
  return (
    podAffinity.length > 0 ||
    pod.antiAffinity.some((term) => !termMatchesSelf(term, pod, view.index)) ||
    volumes.some((volume) => volume.type === "ephemeral")
  );
}
