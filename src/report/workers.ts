import { HEALTH_STATES, type HealthState, type NonCandidate, type WorkerSummary } from "../plan/plan.ts";

const NON_CANDIDATES: Record<NonCandidate, string> = {
  "control-plane": "dedicated control-plane",
  virtual: "virtual",
  excluded: "excluded by workers.exclude",
  "not-selected": "outside workers.selector",
};

/** One line about the nodes: `Workers: 3 ready, 1 cordoned (worker-4). Not counted: 1 dedicated control-plane.` */
export function workersLine(workers: WorkerSummary): string {
  const states = HEALTH_STATES.filter((state) => workers.byState[state] !== undefined);
  const counted = states.length === 0 ? "none" : states.map((state) => stateClause(workers, state)).join(", ");
  const others = Object.entries(NON_CANDIDATES)
    .filter(([why]) => workers.nonCandidates[why as NonCandidate] !== undefined)
    .map(([why, words]) => `${workers.nonCandidates[why as NonCandidate]} ${words}`);
  return `Workers: ${counted}.${others.length === 0 ? "" : ` Not counted: ${others.join(", ")}.`}`;
}

function stateClause(workers: WorkerSummary, state: HealthState): string {
  const count = workers.byState[state] ?? 0;
  const names = workers.names[state] ?? [];
  if (names.length === 0) return `${count} ${state}`;
  const more = count - names.length;
  return `${count} ${state} (${names.join(", ")}${more > 0 ? ` and ${more} more` : ""})`;
}
