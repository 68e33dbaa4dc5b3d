/** The nodes at a glance, and what holds for a plan as a whole. Nothing here decides anything. */
import type { ResourceName } from "../cluster/snapshot.ts";
import { HEALTH_STATES, type WorkerSummary } from "./plan.ts";
import { leftAutoscalers } from "./queue-removal.ts";
import type { ClusterView } from "./view.ts";

/** Names of nodes given for a state; the rest is a number. */
const MAX_NAMES = 10;

/** What the plan does without a kind that could not be read. */
const WITHOUT: Partial<Record<ResourceName, string>> = {
  pods: "the free room is unknown, and growth is not bounded by it",
  resourcequotas: "growth is not bounded by them",
  limitranges: "the requests and limits that they fill in are unknown",
  poddisruptionbudgets: "whether they block a drain is unknown",
  runtimeclasses: "what they ask of nodes is not looked at",
  namespaces: "their node selectors are not looked at",
  persistentvolumeclaims: "no workload that mounts one grows",
  persistentvolumes: "where they can be mounted is not looked at",
};

/** Candidates by state, and the other nodes by why they are none. */
export function summaryOf(view: ClusterView): WorkerSummary {
  const summary: WorkerSummary = { candidates: view.candidates.length, byState: {}, names: {}, nonCandidates: {} };
  for (const state of HEALTH_STATES) {
    const nodes = view.candidates.filter((node) => view.statuses[node.position]?.health === state);
    if (nodes.length === 0) continue;
    summary.byState[state] = nodes.length;
    if (state !== "ready") summary.names[state] = nodes.slice(0, MAX_NAMES).map((node) => node.name);
  }
  const whys = view.statuses.flatMap(({ nonCandidate }) => nonCandidate ?? []);
  for (const why of whys.sort()) {
    summary.nonCandidates[why] = (summary.nonCandidates[why] ?? 0) + 1;
  }
  return summary;
}

/** Sentences about the plan as a whole. */
export function notesOf(view: ClusterView): string[] {
  const { pods, deployments, unread } = view.snapshot;
  const { workers, capacityPodLimit } = view.policy;
  const notes: string[] = [];
  if (view.unhealthy) {
    notes.push(
      `${view.gone} of ${view.candidates.length} workers are not Ready, more than ${workers.okUnreadyCount} and more ` +
        `than ${workers.maxUnreadyPercentage} %: no workload shrinks in this plan.`,
    );
  }
  if (unread.pods === undefined && pods.length === 0) {
    notes.push("The snapshot has no Pod objects: every node counts as empty.");
  }
  if (deployments.length > 0 && deployments.every(({ fieldManagers }) => fieldManagers.length === 0)) {
    notes.push(
      "The snapshot has no managedFields, which kubectl leaves out without --show-managed-fields: who else writes the counts is unknown.",
    );
  }
  if (pods.length > capacityPodLimit) {
    notes.push(`There are more than ${capacityPodLimit} pods (capacityPodLimit): ${WITHOUT.pods}.`);
  }
  notes.push(...leftAutoscalers(view));
  for (const [kind, why] of Object.entries(unread).sort()) {
    notes.push(`${kind} could not be read (${why}): ${WITHOUT[kind as ResourceName] ?? "they are not looked at"}.`);
  }
  return notes;
}
