/** How the targets of a stack stand in the cluster. */
import type { Rollout } from "../cluster/rollout.ts";
import type { ClickHouseEntry } from "../plan/clickhouse-plan.ts";
import type { Plan, PlanEntry, QueueEntry } from "../plan/plan.ts";
import { decisionsLine } from "./cells.ts";
import { clusterCell, sizeText } from "./clickhouse.ts";
import { cell, columns } from "./columns.ts";
import type { Paint, Style } from "./paint.ts";
import { problemText } from "./rollout.ts";
import { workersLine } from "./workers.ts";

/**
 * `drift`: live is not what was applied last. `to-apply`: live is not the target. `rolling-out`: pods are missing. `left-alone`:
 * somebody else's, or missing. `in-sync`: none of these.
 */
export type State = "in-sync" | "drift" | "to-apply" | "rolling-out" | "left-alone";

export interface WorkloadStatus {
  workload: string;
  states: State[];
  /** Replicas now (an autoscaler's maxReplicas under `hpa: bounds` and of a queue). */
  live: number | null;
  /** What the last `up` of the stack set; null where it set nothing. */
  applied: number | null;
  target: number | null;
  /** Null for what has no pods of its own to look at, or where they can't be read. */
  pods: { available: number; wanted: number } | null;
  message: string;
}

export interface Statuses {
  workloads: WorkloadStatus[];
  /** Of the queues' autoscalers; only where the policy has queues. */
  queues?: WorkloadStatus[];
}

/** What the last `up` set, by `namespace/name`. */
export interface Applied {
  /** Replicas, an autoscaler's maxReplicas under `hpa: bounds`. */
  workloads: Record<string, number>;
  /** The maxReplicas of each queue's autoscaler. */
  queues: Record<string, number>;
}

/** @param rollouts how far each Deployment is, or why that can't be known, by `namespace/name`. */
export function statusesOf(plan: Plan, applied: Applied, rollouts: Map<string, Rollout | Error>): Statuses {
  const { workloads, queues } = plan;
  return {
    workloads: workloads.map((entry) =>
      statusOf(entry, applied.workloads[entry.workload], rollouts.get(entry.workload)),
    ),
    ...(queues && { queues: queues.map((entry) => statusOf(entry, applied.queues[entry.workload])) }),
  };
}

function statusOf(
  entry: PlanEntry | QueueEntry,
  applied: number | undefined,
  rollout?: Rollout | Error,
): WorkloadStatus {
  const { workload, current: live, target, action } = entry;
  const states: State[] = [];
  const sentences: string[] = [];
  const is = (state: State, sentence: string) => {
    states.push(state);
    sentences.push(sentence);
  };
  if (applied !== undefined && live !== applied) is("drift", `${applied} was applied, ${live ?? "nothing"} is live.`);
  if (live !== target) is("to-apply", `apply would set ${target}: ${entry.message}`);
  else if (action === null) is("left-alone", `${entry.decision}: ${entry.message}`);
  if (rollout instanceof Error) sentences.push(`Its pods can't be read: ${rollout.message}.`);
  else if (rollout !== undefined && !rollout.complete) {
    const { available, wanted, problems } = rollout;
    is("rolling-out", [`${available} of ${wanted} pods are available.`, ...problems.map(problemText)].join(" "));
  }
  const pods =
    rollout === undefined || rollout instanceof Error ? null : { available: rollout.available, wanted: rollout.wanted };
  return {
    workload,
    states: states.length === 0 ? ["in-sync"] : states,
    live,
    applied: applied ?? null,
    target,
    pods,
    message: sentences.join(" "),
  };
}

const STYLES: Record<State, Style> = {
  "in-sync": "green",
  drift: "red",
  "to-apply": "yellow",
  "rolling-out": "cyan",
  "left-alone": "dim",
};

/** One aligned row a workload, a ClickHouse cluster and a queue, then the plan's own summary. Lines without a final newline. */
export function statusTable({ workloads, queues = [] }: Statuses, plan: Plan, paint: Paint, width: number): string {
  const titles = ["WORKLOAD", "LIVE", "APPLIED", "TARGET", "PODS", "STATE", "WHY"];
  const head = titles.map((title) => cell(title, paint("bold", title)));
  const rows = workloads.map((status) => statusRow(status, status.workload, paint));
  const clusters = (plan.clickhouse ?? []).map((entry) => clusterRow(entry, paint));
  const ofQueues = queues.map((status) => statusRow(status, `queue ${status.workload}`, paint));
  return [
    columns([head, ...rows, ...clusters, ...ofQueues], width),
    "",
    decisionsLine(plan),
    workersLine(plan.workers),
  ].join("\n");
}

function statusRow({ states, live, applied, target, pods, message }: WorkloadStatus, name: string, paint: Paint) {
  return [
    cell(name),
    ...[live, applied, target].map((number) => cell(`${number ?? "–"}`)),
    cell(pods === null ? "–" : `${pods.available}/${pods.wanted}`),
    cell(states.join(", "), states.map((state) => paint(STYLES[state], state)).join(", ")),
    cell(message),
  ];
}

/** Its pods, and how far a step of it is, are in its sentence. */
function clusterRow(entry: ClickHouseEntry, paint: Paint) {
  const { current, target, decision, message } = entry;
  const state = STATE_OF[decision];
  return [
    cell(clusterCell(entry)),
    cell(sizeText(current)),
    cell("–"),
    cell(sizeText(target)),
    cell("–"),
    cell(state, paint(STYLES[state], state)),
    cell(message),
  ];
}

const STATE_OF: Record<ClickHouseEntry["decision"], State> = {
  "scale-up": "to-apply",
  "scale-down": "to-apply",
  keep: "in-sync",
  hold: "rolling-out",
  refuse: "left-alone",
  defer: "left-alone",
  skip: "left-alone",
  missing: "left-alone",
};
