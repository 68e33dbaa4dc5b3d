/** Each finding of the preflight: how bad it is, its sentence with the likely cause, and where to look. */
import type { QueuePolicy } from "../config/queue.ts";
import { seriesText } from "./queue-message.ts";
import { counted } from "./words.ts";

/** `error`: the queue does not scale. `warning`: something else than was meant. `note`, `ok`: as it should be. */
export type Level = "error" | "warning" | "note" | "ok";

export type FindingCode =
  | "api-unregistered"
  | "api-unavailable"
  | "api-without-rules"
  | "api-of-another-adapter"
  | "api-unread"
  | "metric-unknown"
  | "metric-failed"
  | "metric-unread"
  | "no-series"
  | "selector-matches-nothing"
  | "metric-stale"
  | "metric-answers"
  | "age-unknown"
  | "autoscaler-missing"
  | "autoscaler-unread"
  | "autoscaler-asks-otherwise"
  | "autoscaler-not-evaluated"
  | "autoscaler-unable"
  | "autoscaler-inactive"
  | "autoscaler-active"
  | "scaling-disabled"
  | "network-policies-ignored"
  | "network-unread"
  | "no-external-secrets";

/** What a sentence may speak of. */
export interface FindingContext {
  queue?: QueuePolicy;
  /** `namespace/name` of the Service behind the API. */
  service?: string;
  /** Whatever else a finding is about. */
  name?: string;
  /** In the words of the cluster. */
  said?: string;
  value?: number;
  seconds?: number;
}

interface FindingText {
  level: Level;
  /**
   * Whether nothing is declared while it stands: what says that no autoscaler would get its metric. Conditions of an
   * autoscaler that is there block nothing, since it may be this very run that mends it.
   */
  blocks: boolean;
  message: (context: FindingContext) => string;
  look: (context: FindingContext) => string;
}

const API_SERVICE = "v1beta1.external.metrics.k8s.io";
const RAW = "/apis/external.metrics.k8s.io/v1beta1";
const RULE_KEYS =
  "in the adapter's own configuration their key is `externalRules`, in the values of its Helm chart `rules.external`";

const describeService = () => `kubectl describe apiservice ${API_SERVICE}`;
const adapterLogs = ({ service = "", name = service }: FindingContext) => {
  const [namespace = "", adapter = ""] = name.split("/");
  return adapter === "" ? describeService() : `kubectl -n ${namespace} logs deployment/${adapter}`;
};
const rawMetric = ({ queue }: FindingContext) => {
  const labels = Object.entries(queue?.selector ?? {}).map(([label, value]) => `${label}=${value}`);
  return `kubectl get --raw '${RAW}/namespaces/${queue?.namespace}/${queue?.metric}?labelSelector=${encodeURIComponent(labels.join(","))}'`;
};
const describeAutoscaler = ({ queue }: FindingContext) => `kubectl -n ${queue?.namespace} describe hpa ${queue?.name}`;
const nowhere = () => "";

const series = ({ queue }: FindingContext) => (queue === undefined ? "" : seriesText(queue));
const autoscaler = ({ queue }: FindingContext) => `HorizontalPodAutoscaler ${queue?.name}`;

export const FINDINGS: Record<FindingCode, FindingText> = {
  "api-unregistered": {
    level: "error",
    blocks: true,
    message: () =>
      `The API external.metrics.k8s.io is not registered (there is no APIService ${API_SERVICE}), so that no autoscaler can ask for a queue. ` +
      "Install prometheus-adapter with external rules: without any, its chart registers nothing",
    look: () => `kubectl get apiservice ${API_SERVICE}`,
  },
  "api-unavailable": {
    level: "error",
    blocks: true,
    message: ({ name, said }) =>
      `The API external.metrics.k8s.io is registered for Service ${name} and not available: ${said}. ` +
      `The adapter does not run or can't be reached; it ends at once on rules under a key that it does not know (${RULE_KEYS})`,
    look: adapterLogs,
  },
  "api-without-rules": {
    level: "error",
    blocks: true,
    message: ({ name, said }) =>
      `The adapter behind Service ${name} runs and does not serve external.metrics.k8s.io: ${said}. ` +
      `It has no external rules, or has them under a key that is passed over: ${RULE_KEYS}`,
    look: adapterLogs,
  },
  "api-of-another-adapter": {
    level: "error",
    blocks: true,
    message: ({ service, queue }) =>
      `The API external.metrics.k8s.io belongs to Service ${service}, which does not know ${queue?.metric}. Only one adapter can own it: ` +
      "let prometheus-adapter register it, or scale this queue with the other one's own objects",
    look: describeService,
  },
  "api-unread": {
    level: "warning",
    blocks: false,
    message: ({ said }) =>
      `Whether external.metrics.k8s.io is served can't be seen: ${said}. Grant get on apiservices.apiregistration.k8s.io`,
    look: nowhere,
  },
  "metric-unknown": {
    level: "error",
    blocks: true,
    message: ({ queue, service }) =>
      `The adapter behind Service ${service} knows no metric ${queue?.metric}. Either it has not asked Prometheus since the series came: it does so ` +
      "each --metrics-relist-interval, 10 minutes if not said; or Prometheus has no such series, since nothing scrapes the exporter; " +
      `or no external rule makes it: ${RULE_KEYS}`,
    look: () => `kubectl get --raw ${RAW}`,
  },
  "metric-failed": {
    level: "error",
    blocks: true,
    message: (context) =>
      `The adapter could not get ${series(context)} (${context.said}): Prometheus is down, can't be reached from it, or refuses the query of its rule`,
    look: adapterLogs,
  },
  "metric-unread": {
    level: "warning",
    blocks: false,
    message: (context) =>
      `Whether ${series(context)} is served can't be seen: ${context.said}. Grant get and list on external.metrics.k8s.io`,
    look: nowhere,
  },
  "no-series": {
    level: "error",
    blocks: true,
    message: (context) =>
      `There is no series ${series(context)}, which is not the same as 0: a queue that drained is an explicit 0. ` +
      "The exporter is down or its query fails, Prometheus does not scrape it, or the rule asks for a label of the namespace (`namespaced: false` under `resources` leaves it out)",
    look: rawMetric,
  },
  "selector-matches-nothing": {
    level: "error",
    blocks: true,
    message: (context) =>
      `There are series of ${context.queue?.metric}, and none is ${series(context)}. The selector names a queue or a state that the exporter does not know; ` +
      "it has to give a row for each known queue, 0 where nothing waits",
    look: rawMetric,
  },
  "metric-stale": {
    level: "error",
    blocks: true,
    message: (context) =>
      `${series(context)} is ${context.value} and ${context.seconds} s old, more than ${context.queue?.age.maxSeconds} s (age.maxSeconds). ` +
      "The exporter answers scrapes and no longer reads the table, or Prometheus no longer scrapes it",
    look: rawMetric,
  },
  "metric-answers": {
    level: "ok",
    blocks: false,
    message: (context) =>
      `${series(context)} is ${context.value}${context.value === 0 ? ": nothing waits, and that is known" : ""}`,
    look: nowhere,
  },
  "age-unknown": {
    level: "warning",
    blocks: false,
    message: ({ queue }) =>
      `No metric ${queue?.age.metric} says how old ${queue?.metric} is: an exporter that repeats an old value would not be noticed (docs/queue-metric.md)`,
    look: nowhere,
  },
  "autoscaler-missing": {
    level: "note",
    blocks: false,
    message: (context) => `There is no ${autoscaler(context)} yet; apply creates it`,
    look: nowhere,
  },
  "autoscaler-unread": {
    level: "warning",
    blocks: false,
    message: (context) => `${autoscaler(context)} can't be read: ${context.said}`,
    look: nowhere,
  },
  "autoscaler-asks-otherwise": {
    level: "note",
    blocks: false,
    message: (context) =>
      `${autoscaler(context)} asks for something else than ${series(context)} as yet; apply changes that`,
    look: nowhere,
  },
  "autoscaler-not-evaluated": {
    level: "warning",
    blocks: false,
    message: (context) =>
      `${autoscaler(context)} has not been evaluated yet, which is not the same as healthy: ask again in a minute; if it stays so, its controller does not run`,
    look: describeAutoscaler,
  },
  "autoscaler-unable": {
    level: "error",
    blocks: false,
    message: (context) => `${autoscaler(context)} can't scale ${context.queue?.name}: ${context.said}`,
    look: describeAutoscaler,
  },
  "autoscaler-inactive": {
    level: "error",
    blocks: false,
    message: (context) =>
      `${autoscaler(context)} does not scale: ${context.said}. Where the metric answers here, it does so at its next look, within 15 s`,
    look: describeAutoscaler,
  },
  "autoscaler-active": {
    level: "ok",
    blocks: false,
    message: (context) => `${autoscaler(context)} gets its metric and scales`,
    look: nowhere,
  },
  "scaling-disabled": {
    level: "warning",
    blocks: false,
    message: (context) =>
      `${context.queue?.name} has 0 replicas, at which ${autoscaler(context)} leaves it: somebody switched it off. One replica switches it on again`,
    look: nowhere,
  },
  "network-policies-ignored": {
    level: "warning",
    blocks: false,
    message: ({ name }) =>
      `The network plugin ${name} is known not to enforce NetworkPolicies (kindnet before kind 0.24, flannel without another plugin): the declared ones deny nothing here`,
    look: () => "kubectl get daemonsets --all-namespaces",
  },
  "network-unread": {
    level: "note",
    blocks: false,
    message: ({ said }) =>
      `Whether the network plugin enforces NetworkPolicies can't be seen: ${said}. Grant list on daemonsets.apps`,
    look: nowhere,
  },
  "no-external-secrets": {
    level: "warning",
    blocks: false,
    message: ({ name }) =>
      `The cluster has no External Secrets, so that nothing makes Secret ${name}: put it there by other means (a sealed Secret, kubectl), or the pods don't start`,
    look: ({ name = "" }) => `kubectl -n ${name.split("/")[0]} get secret ${name.split("/")[1]}`,
  },
};

/** How many of the findings are of a level, for a summary: `1 error, 2 warnings`. */
export function levelsText(levels: Level[]): string {
  const told = (["error", "warning"] as const).flatMap((level) => {
    const count = levels.filter((each) => each === level).length;
    return count === 0 ? [] : counted(count, level);
  });
  return told.length === 0 ? "nothing is in the way" : told.join(", ");
}
