/** The message of a queue's entry: what is done to its autoscaler, why, within which bounds, and its warnings. */
import type { HorizontalPodAutoscaler } from "../cluster/snapshot.ts";
import type { QueuePolicy } from "../config/queue.ts";
import type { Facts } from "./facts.ts";
import { ENDED, leadOf, whyOf } from "./message.ts";
import type { OwnershipReason, QueueDecision, QueueReason, QueueWarning, Reason, Warning } from "./plan.ts";
import type { OwnedQueue } from "./queue.ts";
import { OWNERSHIP, WARNINGS } from "./sentences.ts";
import { counted } from "./words.ts";

/** Where a queue is told otherwise than a workload of the allowlist. */
const QUEUE_OWNERSHIP: Record<OwnershipReason | "declared-elsewhere", (by: string) => string> = {
  ...OWNERSHIP,
  "scaled-to-zero": () =>
    "someone switched it off, and an autoscaler leaves 0 replicas alone; one replica switches it on again",
  hpa: (owner) =>
    `${owner} is there already, and two autoscalers on one Deployment fight; delete it, or name the field manager of its maxReplicas in \`owners.takeOver\``,
  argocd: (owner) =>
    `Argo CD's ${owner} sets spec.replicas, which an autoscaler would fight; leave replicas out of its manifests`,
  flux: (owner) =>
    `Flux's ${owner} sets spec.replicas, which an autoscaler would fight; leave replicas out of its manifests`,
  "declared-elsewhere": (what) =>
    `${what} is there and was declared elsewhere; leave out \`workload\` to scale it as it is, or delete it`,
};

/** For a queue whose planning ended before there was a number. */
export function ownedQueueMessage(
  { decision, reason, by }: OwnedQueue,
  own: HorizontalPodAutoscaler | undefined,
): string {
  const why = reason === null ? `there is no Deployment ${by}` : QUEUE_OWNERSHIP[reason as OwnershipReason](by);
  const stays = own === undefined ? "" : `. HorizontalPodAutoscaler ${own.name} stays as it is`;
  return `${ENDED[decision]}: ${why}${stays}`;
}

interface Planned {
  decision: QueueDecision;
  reasons: QueueReason[];
  warnings: QueueWarning[];
  bounds: { minReplicas: number; maxReplicas: number };
}

/** For a queue that has its numbers. */
export function plannedQueueMessage(
  queue: QueuePolicy,
  planned: Planned,
  facts: Facts,
  own: HorizontalPodAutoscaler | undefined,
): string {
  const { decision, reasons, warnings, bounds } = planned;
  const lead =
    own === undefined || decision === "create" ? leadWithout(decision, queue, facts) : leadOf(decision, facts);
  const sentences = [
    `${lead}: ${whyOf(reasons as Reason[], facts)}`,
    ...(decision === "refuse" || facts.sets.keep.length === 0 ? [] : [rangeSentence(queue, bounds)]),
    ...warnings.map((warning) => warningSentence(warning, queue, facts)),
  ];
  return sentences.join(". ");
}

/** Where there is no autoscaler yet. */
function leadWithout(decision: QueueDecision, { name }: QueuePolicy, { numbers }: Facts): string {
  const what = `HorizontalPodAutoscaler ${name}`;
  if (decision === "hold") return `not creating ${what} yet`;
  return `${decision === "create" ? "creating" : "refused to create"} ${what} with a maximum of ${numbers.target}`;
}

function rangeSentence(queue: QueuePolicy, { minReplicas, maxReplicas }: Planned["bounds"]): string {
  const range =
    minReplicas === maxReplicas ? counted(maxReplicas, "pod") : `${minReplicas} to ${counted(maxReplicas, "pod")}`;
  return `It runs ${range}, one for each ${queue.target} of ${seriesText(queue)}`;
}

/** The series as Prometheus writes it: `oban_queue_depth{queue="mails",state="available"}`. */
export function seriesText({ metric, selector }: Pick<QueuePolicy, "metric" | "selector">): string {
  const labels = Object.entries(selector)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return `${metric}{${labels.join(",")}}`;
}

function warningSentence(warning: QueueWarning, queue: QueuePolicy, facts: Facts): string {
  switch (warning) {
    case "single-node-volume":
      return `Its volume is ReadWriteOnce, which only one node can mount: it never runs more than 1 pod, whatever waits; ReadWriteMany lifts that`;
    case "minimum-lowered":
      return `Its minimum of ${queue.min} is lowered to what the workers can hold`;
    case "delete-on-removal":
      return `Once the queue is taken off the list its autoscaler is deleted, and ${queue.name} is left at the count of that moment`;
    default:
      return WARNINGS[warning satisfies Warning](facts);
  }
}
