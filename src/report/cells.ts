import type { Decision, Plan, PlanEntry } from "../plan/plan.ts";

/** `1 → 3`, `3` where nothing changes, `–` where there is no number. */
export function replicasCell({ current, target }: PlanEntry): string {
  if (current === null && target === null) return "–";
  return current === target ? `${current}` : `${current ?? "–"} → ${target ?? "–"}`;
}

/** The sentence of an entry, with its warnings by code: they change nothing, but a reader has to see them. */
export function whyCell({ message, warnings }: { message: string; warnings: readonly string[] }): string {
  return warnings.length === 0
    ? message
    : `${message} [${warnings.length === 1 ? "warning" : "warnings"}: ${warnings.join(", ")}]`;
}

/** `1 to scale up, 2 kept.`: how many workloads and clusters each decision takes, in the order of a plan's interest. */
export function decisionsLine(plan: Plan): string {
  const words: Record<Decision, string> = {
    "scale-up": "to scale up",
    "scale-down": "to scale down",
    keep: "kept",
    hold: "held",
    refuse: "refused",
    defer: "left to their owners",
    skip: "skipped",
    missing: "missing",
  };
  const entries = [...plan.workloads, ...(plan.clickhouse ?? [])];
  const counts = (Object.keys(words) as Decision[])
    .map((decision) => ({ decision, count: entries.filter((entry) => entry.decision === decision).length }))
    .filter(({ count }) => count > 0)
    .map(({ decision, count }) => `${count} ${words[decision]}`);
  return `${counts.length === 0 ? "No workloads" : counts.join(", ")}.`;
}
