/** The message of an entry: what is done, why, and a sentence for each warning. docs/semantics.md, "Decisions". */
import type { Facts } from "./facts.ts";
import type { Owned } from "./ownership.ts";
import type { Decision, Reason, Warning } from "./plan.ts";
import { formulaInWords, HAZARDS, isOther, OWNERSHIP, REASONS, STATES, WARNINGS } from "./sentences.ts";
import { counted, listed, listedNodes } from "./words.ts";

/** How planning ended. */
export const ENDED: Record<Owned["decision"], string> = {
  refuse: "refused",
  defer: "left alone",
  skip: "skipped",
  missing: "missing",
};

/** For a workload whose planning ended before there was a number. */
export function ownedMessage({ decision, reason, by }: Owned): string {
  return `${ENDED[decision]}: ${reason === null ? `there is no Deployment ${by}` : OWNERSHIP[reason](by)}`;
}

/** For a workload that has its numbers. */
export function plannedMessage(decision: Decision, reasons: Reason[], warnings: Warning[], facts: Facts): string {
  const sentences = [`${leadOf(decision, facts)}: ${whyOf(reasons, facts)}`];
  return [...sentences, ...warnings.map((warning) => WARNINGS[warning](facts))].join(". ");
}

/** What is done: `raising from 1 to 3`. */
export function leadOf(decision: Decision, { subject, numbers }: Facts): string {
  const { current, target } = numbers;
  const maximum =
    subject.autoscaler === null ? "" : ` the maximum of HorizontalPodAutoscaler ${subject.autoscaler.name}`;
  switch (decision) {
    case "scale-up":
      return `raising${maximum} from ${current} to ${target}`;
    case "scale-down":
      return `lowering${maximum} from ${current} to ${target}`;
    case "refuse":
      return `refused to raise${maximum} from ${current} to ${target}`;
    default:
      return maximum === "" ? `keeping ${target}` : `keeping${maximum} at ${target}`;
  }
}

/** The clauses of reasons; with none, the workers that the target follows. */
export function whyOf(reasons: readonly Reason[], facts: Facts): string {
  const hazards = facts.hazards.filter(({ reason }) => reasons.includes(reason));
  if (hazards.length > 0) return hazards.map(({ reason, what }) => HAZARDS[reason](what)).join("; ");
  const others = reasons.filter(isOther).map((reason) => REASONS[reason](facts));
  return (facts.sets.keep.length === 0 ? others : [workersClause(reasons, facts), ...others]).join("; ");
}

/** The nodes behind the numbers: those that explain the target where it is not the formula's, else those that count. */
function workersClause(reasons: readonly Reason[], { policy, sets, numbers }: Facts): string {
  const total = counted(sets.keep.length, "worker");
  const states = [...sets.notReady].filter(([state]) => reasons.includes(state));
  const grow = sets.grow.length;
  if (states.length > 0) {
    const shares = states.map(([state, names]) => {
      const [one, several] = STATES[state];
      return `${names.length} of ${total} ${names.length === 1 ? one : several} (${listed(names)})`;
    });
    return `${shares.join(", ")}; ${grow === 0 ? "none" : grow} could take new replicas`;
  }
  if (grow === 0) return `none of ${total} can take new replicas`;
  const clause = `${counted(grow, "worker")} can take its pods (${listedNodes(sets.grow)})`;
  return numbers.formulaGrow === grow
    ? clause
    : `${clause}, for which the formula ${formulaInWords(policy)} gives ${numbers.formulaGrow}`;
}
