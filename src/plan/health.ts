/** Health of a candidate. docs/semantics.md, "Health". */
import type { Node, Taint } from "../cluster/snapshot.ts";
import type { WorkersPolicy } from "../config/policy.ts";
import { isHard } from "./candidates.ts";
import type { HealthState } from "./plan.ts";

const CORDONED = ["node.kubernetes.io/unschedulable"];
const STARTING = [
  "node.cloudprovider.kubernetes.io/uninitialized",
  "karpenter.sh/unregistered",
  "node.kubernetes.io/network-unavailable",
];
const PRESSURE = [
  "node.kubernetes.io/memory-pressure",
  "node.kubernetes.io/disk-pressure",
  "node.kubernetes.io/pid-pressure",
];
const LEAVING = [
  "ToBeDeletedByClusterAutoscaler",
  "karpenter.sh/disrupted",
  "karpenter.sh/disruption",
  "node.cloudprovider.kubernetes.io/shutdown",
];
const UNREADY = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];
const LOST = ["node.kubernetes.io/out-of-service"];
const HEALTH_TAINTS = new Set([...CORDONED, ...STARTING, ...PRESSURE, ...LEAVING, ...UNREADY, ...LOST]);

/** Whether a taint tells of a node's health, which no toleration makes good: left out of the toleration check. */
export function isHealthTaint(taint: Taint, workers: WorkersPolicy): boolean {
  return isHard(taint) && (HEALTH_TAINTS.has(taint.key) || workers.startupTaints.includes(taint.key));
}

/**
 * The state of a candidate at a time; where several apply, the worst (the last of HEALTH_STATES).
 *
 * @param now the time of the snapshot, milliseconds since the epoch
 */
export function healthOf(node: Node, workers: WorkersPolicy, now: number): HealthState {
  const tainted = (keys: string[]) => node.taints.some((taint) => isHard(taint) && keys.includes(taint.key));

  if (node.ready === null || tainted(LOST)) return "lost";
  if (node.ready.status !== "True" || tainted(UNREADY)) {
    // No time known: unready, since nothing says that the grace is over.
    const seconds = secondsSince(unreadySince(node), now) ?? 0;
    return seconds > workers.unreadyGraceSeconds ? "lost" : "unready";
  }
  if (node.deleting || tainted(LEAVING)) return "leaving";
  if (tainted(PRESSURE)) return "pressure";
  if (node.networkUnavailable || tainted(STARTING) || tainted(workers.startupTaints)) return "starting";
  if (node.unschedulable || tainted(CORDONED)) return "cordoned";
  // No transition time: Ready long ago.
  const readyFor = secondsSince(node.ready.since, now) ?? Number.POSITIVE_INFINITY;
  return readyFor < workers.minReadySeconds ? "settling" : "ready";
}

/** When a node stopped being Ready: its condition says so, or the earliest taint where the condition still says True. */
function unreadySince(node: Node): string | null {
  if (node.ready?.status !== "True") return node.ready?.since ?? null;
  const times = node.taints
    .filter((taint) => isHard(taint) && UNREADY.includes(taint.key))
    .flatMap((taint) => taint.timeAdded ?? []);
  return times.sort((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null;
}

/** Seconds from a time to now; null where there is none or it can't be read. */
function secondsSince(since: string | null, now: number): number | null {
  const seconds = (now - Date.parse(since ?? "")) / 1000;
  return Number.isNaN(seconds) ? null : seconds;
}
