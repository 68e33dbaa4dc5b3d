import type { Plan, PlanEntry, QueueDecision, QueueEntry } from "../plan/plan.ts";

/** `1 → 3`, `3` where nothing changes, `–` where there is no number. */
export function replicasCell({ current, target }: PlanEntry | QueueEntry): string {
  if (current === null && target === null) return "–";
  return current === target ? `${current}` : `${current ?? "–"} → ${target ?? "–"}`;
}

/** The sentence of an entry, with its warnings by code: they change nothing, but a reader has to see them. */
export function whyCell({ message, warnings }: { message: string; warnings: readonly string[] }): string {
  return warnings.length === 0
    ? message
    : `${message} [${warnings.length === 1 ? "warning" : "warnings"}: ${warnings.join(", ")}]`;
}

const WORDS: Record<QueueDecision, string> = {
  create: "to create",
  "scale-up": "to scale up",
  "scale-down": "to scale down",
  keep: "kept",
  hold: "held",
  refuse: "refused",
  defer: "left to their owners",
  skip: "skipped",
  missing: "missing",
};

/** `1 to scale up, 2 kept. Queues: 1 to create.`: how many workloads and clusters, and queues, each decision takes. */
export function decisionsLine({ workloads, clickhouse = [], queues }: Plan): string {
  const planned = [...workloads, ...clickhouse];
  const counts = countsOf(planned);
  const ofWorkloads = counts === "" ? "No workloads." : `${counts}.`;
  if (queues === undefined) return ofWorkloads;
  return `${planned.length === 0 ? "" : `${ofWorkloads} `}Queues: ${countsOf(queues)}.`;
}

/** In the order of a plan's interest; empty where there is none. */
function countsOf(entries: readonly { decision: QueueDecision }[]): string {
  return (Object.keys(WORDS) as QueueDecision[])
    .map((decision) => ({ decision, count: entries.filter((entry) => entry.decision === decision).length }))
    .filter(({ count }) => count > 0)
    .map(({ decision, count }) => `${count} ${WORDS[decision]}`)
    .join(", ");
}
