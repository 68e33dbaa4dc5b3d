/**
 * What stands between a queue and its autoscaler, judged from what the cluster shows: a pure function. docs/queues.md lists
 * the findings, which of them end a run, and what to do.
 */
import type { Condition, MetricAnswer, PreflightFacts, QueueFacts, Unread } from "../cluster/external-metrics.ts";
import type { QueuePolicy } from "../config/queue.ts";
import { keyOf } from "./owner-index.ts";
import { FINDINGS, type FindingCode, type FindingContext, type Level } from "./preflight-findings.ts";

export interface Finding {
  code: FindingCode;
  level: Level;
  /** `namespace/name`; null: of all queues. */
  queue: string | null;
  /** Whether nothing may be declared while it stands. */
  blocks: boolean;
  /** What is so, the likely cause and what to do. */
  message: string;
  /** A command that shows more; empty where nothing is to be looked for. */
  look: string;
}

/** The findings, of the cluster first, then queue by queue; none where there is no queue. */
export function findingsOf(facts: PreflightFacts): Finding[] {
  if (facts.queues.length === 0) return [];
  return [...clusterFindings(facts), ...facts.queues.flatMap((queue) => queueFindings(queue, facts))];
}

function clusterFindings(facts: PreflightFacts): Finding[] {
  const { apiService, daemonSets, externalSecrets, queues } = facts;
  // One queue that is to be enforced is enough: what serves none serves that one neither.
  const isEnforced = queues.some(({ queue }) => queue.preflight === "enforce");
  const find = (code: FindingCode, context: FindingContext = {}) => finding(code, null, isEnforced, context);
  return [
    ...apiFindings(apiService, find),
    ...networkFindings(daemonSets, find),
    ...(externalSecrets === null
      ? missingSecrets(queues).map((secret) => find("no-external-secrets", { name: secret }))
      : []),
  ];
}

type Find = (code: FindingCode, context?: FindingContext) => Finding;

function apiFindings(apiService: PreflightFacts["apiService"], find: Find): Finding[] {
  if (apiService === null) return [find("api-unregistered")];
  if (isUnread(apiService)) return [find("api-unread", { said: apiService.message })];
  const { service, available } = apiService;
  if (available?.status === "True") return [];
  const said = available === null ? "the API server has not looked at it yet" : saidBy(available);
  // An API server that does not have the group says 404, or 403 to whoever may see nothing of it.
  const servesNothing =
    available?.reason === "FailedDiscoveryCheck" && /\bstatus\b.*\b40[34]\b/.test(available.message);
  return [find(servesNothing ? "api-without-rules" : "api-unavailable", { name: service, said })];
}

/** DaemonSets of network plugins that leave NetworkPolicies to others, and of those that enforce them. */
const IGNORING = /^(kindnet|kube-flannel(-ds.*)?)$/;
const ENFORCING =
  /^(calico-node|canal|cilium|antrea-agent|weave-net|kube-router|azure-npm|ovnkube-node|kube-network-policies)$/;

function networkFindings(daemonSets: PreflightFacts["daemonSets"], find: Find): Finding[] {
  if (daemonSets === null) return [];
  if (isUnread(daemonSets)) return [find("network-unread", { said: daemonSets.message })];
  const ignoring = daemonSets.find((name) => IGNORING.test(name));
  if (ignoring === undefined || daemonSets.some((name) => ENFORCING.test(name))) return [];
  return [find("network-policies-ignored", { name: ignoring })];
}

function missingSecrets(queues: QueueFacts[]): string[] {
  const names = queues.flatMap(({ queue }) =>
    (queue.workload?.secrets ?? []).flatMap(({ secret, external }) =>
      external === undefined ? [] : `${queue.namespace}/${secret}`,
    ),
  );
  return [...new Set(names)];
}

function queueFindings(facts: QueueFacts, { apiService, now }: PreflightFacts): Finding[] {
  const { queue } = facts;
  const service = apiService !== null && "service" in apiService ? apiService.service : "";
  const find = (code: FindingCode, context: FindingContext = {}) =>
    finding(code, queue, queue.preflight === "enforce", { queue, service, ...context });
  return [...metricFindings(facts, Date.parse(now), find, service), ...autoscalerFindings(facts, find)];
}

function metricFindings(
  { queue, metric, anySeries, age }: QueueFacts,
  now: number,
  find: Find,
  service: string,
): Finding[] {
  if (metric === null) return [];
  if (isUnread(metric)) {
    const said = metric.message;
    if (metric.code === "forbidden") return [find("metric-unread", { said })];
    if (metric.code !== "not-found") return [find("metric-failed", { said: metric.code })];
    return [find(/keda|datadog/i.test(service) ? "api-of-another-adapter" : "metric-unknown", { said })];
  }
  if (metric.length === 0) {
    const others = Array.isArray(anySeries) && anySeries.length > 0;
    return [find(others ? "selector-matches-nothing" : "no-series")];
  }
  const value = metric.reduce((sum, each) => sum + each.value, 0);
  const served = Math.max(...metric.map(({ timestamp }) => (now - Date.parse(timestamp)) / 1000));
  const read = ageOf(age);
  const oldest = Math.max(served, read ?? 0);
  if (oldest > queue.age.maxSeconds) return [find("metric-stale", { value, seconds: Math.round(oldest) })];
  return [find("metric-answers", { value }), ...(read === null ? [find("age-unknown")] : [])];
}

/** How old the value is, by the metric that says so; null where none does. */
function ageOf(answer: MetricAnswer | null): number | null {
  if (answer === null || isUnread(answer) || answer.length === 0) return null;
  return Math.max(...answer.map(({ value }) => value));
}

function autoscalerFindings({ autoscaler }: QueueFacts, find: Find): Finding[] {
  if (autoscaler === null) return [find("autoscaler-missing")];
  if (isUnread(autoscaler)) return [find("autoscaler-unread", { said: autoscaler.message })];
  if (!autoscaler.asksForThis) return [find("autoscaler-asks-otherwise")];
  const condition = (type: string) => autoscaler.conditions.find((each) => each.type === type);
  const able = condition("AbleToScale");
  if (able?.status === "False") return [find("autoscaler-unable", { said: saidBy(able) })];
  // `currentMetrics` keeps its last value when the metric fails, so that only the condition tells.
  const active = condition("ScalingActive");
  if (active === undefined || active.status === "Unknown") return [find("autoscaler-not-evaluated")];
  if (active.status === "True") return [find("autoscaler-active")];
  if (active.reason === "ScalingDisabled") return [find("scaling-disabled")];
  return [find("autoscaler-inactive", { said: saidBy(active) })];
}

function finding(code: FindingCode, queue: QueuePolicy | null, isEnforced: boolean, context: FindingContext): Finding {
  const { level, blocks, message, look } = FINDINGS[code];
  return {
    code,
    level,
    queue: queue === null ? null : keyOf(queue),
    blocks: blocks && isEnforced,
    message: message(context),
    look: look(context),
  };
}

function saidBy({ reason, message }: Condition): string {
  return [reason, message].filter((part) => part !== "").join(": ");
}

function isUnread(value: object): value is Unread {
  return "code" in value && "message" in value;
}
