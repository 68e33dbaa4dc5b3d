/**
 * What the cluster shows of the way from a queue to its autoscaler: asked of the API server itself, since the adapter in
 * between fails without a word (an autoscaler then shows `<unknown>`, and everything else is green). Nothing is judged here.
 */
import type { QueuePolicy } from "../config/queue.ts";
import { ReadError, type ReadErrorCode } from "./errors.ts";
import type { ClusterConfig } from "./kubeconfig.ts";
import { parseQuantity } from "./quantity.ts";
import { type Send, sending } from "./send.ts";

export const EXTERNAL_METRICS = "external.metrics.k8s.io";
export const EXTERNAL_METRICS_SERVICE = `v1beta1.${EXTERNAL_METRICS}`;

export interface Condition {
  type: string;
  status: string;
  reason: string;
  message: string;
}

/** A read that was refused or failed. */
export interface Unread {
  code: ReadErrorCode;
  message: string;
}

/** The registration of the external metrics API. */
export interface ApiService {
  /** `namespace/name` of the Service behind it; empty where the API server serves it itself. */
  service: string;
  /** Null before the API server has looked at it. */
  available: Condition | null;
}

/** The series that the external metrics API gives for a selector; none is an empty list. */
export type MetricAnswer = { value: number; timestamp: string }[] | Unread;

export interface AutoscalerFacts {
  conditions: Condition[];
  /** Whether it asks for the metric and the selector of the policy; otherwise its conditions are of something else. */
  asksForThis: boolean;
}

export interface QueueFacts {
  queue: QueuePolicy;
  /** Null: not asked, since the API is not there. */
  metric: MetricAnswer | null;
  /** The same metric without a selector, asked where nothing matches; null: not asked. */
  anySeries: MetricAnswer | null;
  age: MetricAnswer | null;
  /** Null: there is none. */
  autoscaler: AutoscalerFacts | Unread | null;
}

export interface PreflightFacts {
  /** RFC 3339. */
  now: string;
  /** Null: not registered. */
  apiService: ApiService | Unread | null;
  queues: QueueFacts[];
  /** Names of all DaemonSets, among which network plugins are; null: not asked, since no workload is declared. */
  daemonSets: string[] | Unread | null;
  /** The version of External Secrets; null: the cluster has none, or it was not asked, since no secret is fetched. */
  externalSecrets: string | null;
}

/** @throws ReadError where there is no way to the cluster. */
export function readPreflight(
  config: ClusterConfig,
  queues: QueuePolicy[],
  limits: { requestTimeoutSeconds: number; readTimeoutSeconds: number },
  now?: Date,
): Promise<PreflightFacts> {
  const { requestTimeoutSeconds, readTimeoutSeconds: timeoutSeconds } = limits;
  return sending(config, { requestTimeoutSeconds, timeoutSeconds }, async (send, time) => {
    const workloads = queues.flatMap(({ workload }) => workload ?? []);
    const fetches = workloads.some(({ secrets }) => secrets.some(({ external }) => external !== undefined));
    const [apiService, daemonSets, externalSecrets] = await Promise.all([
      apiServiceOf(send),
      workloads.length === 0 ? null : tolerant(daemonSetsOf(send)),
      fetches ? externalSecretsOf(send) : null,
    ]);
    const isServed = apiService !== null && "available" in apiService && apiService.available?.status === "True";
    const facts = await Promise.all(queues.map((queue) => queueFactsOf(send, queue, isServed)));
    return { now: (now ?? time()).toISOString(), apiService, queues: facts, daemonSets, externalSecrets };
  });
}

async function queueFactsOf(send: Send, queue: QueuePolicy, isServed: boolean): Promise<QueueFacts> {
  const { namespace, metric, selector, age } = queue;
  const ask = (name: string, labels: Record<string, string>) =>
    isServed ? tolerant(metricOf(send, namespace, name, labels)) : null;
  const [answer, ageAnswer, autoscaler] = await Promise.all([
    ask(metric, selector),
    ask(age.metric, selector),
    tolerant(autoscalerOf(send, queue)),
  ]);
  const nothing = Array.isArray(answer) && answer.length === 0;
  return { queue, metric: answer, anySeries: nothing ? await ask(metric, {}) : null, age: ageAnswer, autoscaler };
}

/** What could not be read is a fact too; where the cluster can't be reached at all there are none. */
async function tolerant<Value>(reading: Promise<Value>): Promise<Value | Unread> {
  try {
    return await reading;
  } catch (error) {
    const told: ReadErrorCode[] = ["forbidden", "not-found", "server-error", "malformed", "throttled", "timeout"];
    if (error instanceof ReadError && told.includes(error.code)) return { code: error.code, message: error.message };
    throw error;
  }
}

async function ifThere<Value>(reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ReadError && error.code === "not-found") return null;
    throw error;
  }
}

interface RawService {
  spec: { service?: { namespace: string; name: string } };
  status?: { conditions?: Partial<Condition>[] };
}

function apiServiceOf(send: Send): Promise<ApiService | Unread | null> {
  const path = `/apis/apiregistration.k8s.io/v1/apiservices/${EXTERNAL_METRICS_SERVICE}`;
  return tolerant(
    ifThere(send<RawService>({ method: "GET", path })).then((raw) => {
      if (raw === null) return null;
      const { service } = raw.spec;
      const available = conditionsOf(raw.status).find(({ type }) => type === "Available") ?? null;
      return { service: service === undefined ? "" : `${service.namespace}/${service.name}`, available };
    }),
  );
}

function conditionsOf(status: { conditions?: Partial<Condition>[] } | undefined): Condition[] {
  return (status?.conditions ?? []).map(({ type = "", status = "", reason = "", message = "" }) => ({
    type,
    status,
    reason,
    message,
  }));
}

async function metricOf(send: Send, namespace: string, name: string, labels: Record<string, string>) {
  const selector = Object.entries(labels).map(([label, value]) => `${label}=${value}`);
  const query = selector.length === 0 ? "" : `?labelSelector=${encodeURIComponent(selector.join(","))}`;
  const path = `/apis/${EXTERNAL_METRICS}/v1beta1/namespaces/${namespace}/${name}${query}`;
  const { items = [] } = await send<{ items?: { value: string; timestamp: string }[] }>({ method: "GET", path });
  return items.map(({ value, timestamp }) => ({
    value: (parseQuantity(value, "milli") ?? Number.NaN) / 1000,
    timestamp,
  }));
}

interface RawAutoscaler {
  spec: {
    metrics?: { external?: { metric?: { name?: string; selector?: { matchLabels?: Record<string, string> } } } }[];
  };
  status?: { conditions?: Partial<Condition>[] };
}

async function autoscalerOf(send: Send, { namespace, name, metric, selector }: QueuePolicy) {
  const path = `/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers/${name}`;
  const raw = await ifThere(send<RawAutoscaler>({ method: "GET", path }));
  if (raw === null) return null;
  const asked = (raw.spec.metrics ?? []).map(({ external }) => external?.metric);
  const sorted = (labels: Record<string, string> = {}) => JSON.stringify(Object.entries(labels).sort());
  return {
    conditions: conditionsOf(raw.status),
    asksForThis: asked.some((each) => each?.name === metric && sorted(each.selector?.matchLabels) === sorted(selector)),
  };
}

async function daemonSetsOf(send: Send): Promise<string[]> {
  const { items } = await send<{ items: { metadata: { name: string } }[] }>({
    method: "GET",
    path: "/apis/apps/v1/daemonsets",
  });
  return items.map(({ metadata }) => metadata.name);
}

async function externalSecretsOf(send: Send): Promise<string | null> {
  interface Group {
    preferredVersion?: { version?: string };
  }
  const group = await ifThere(send<Group>({ method: "GET", path: "/apis/external-secrets.io" }));
  return group?.preferredVersion?.version ?? null;
}
