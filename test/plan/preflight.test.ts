import { describe, expect, it } from "vitest";
import type {
  ApiService,
  AutoscalerFacts,
  Condition,
  MetricAnswer,
  PreflightFacts,
  QueueFacts,
  Unread,
} from "../../src/cluster/external-metrics.ts";
import type { QueuePolicy, QueueWorkload } from "../../src/config/queue.ts";
import { findingsOf } from "../../src/plan/preflight.ts";
import { queue } from "./builders.ts";

const NOW = "2026-01-15T12:00:00.000Z";
const secondsAgo = (seconds: number) => new Date(Date.parse(NOW) - seconds * 1000).toISOString();
const value = (number: number, age = 1) => [{ value: number, timestamp: secondsAgo(age) }];
const unread = (code: Unread["code"], message = "…"): Unread => ({ code, message });
const condition = (type: string, status: string, reason = "", message = ""): Condition => ({
  type,
  status,
  reason,
  message,
});

const AVAILABLE: ApiService = { service: "monitoring/prometheus-adapter", available: condition("Available", "True") };
const ACTIVE: AutoscalerFacts = {
  conditions: [condition("AbleToScale", "True"), condition("ScalingActive", "True", "ValidMetricFound")],
  asksForThis: true,
};

interface Seen extends Partial<Omit<QueueFacts, "queue">> {
  policy?: Partial<QueuePolicy>;
  apiService?: PreflightFacts["apiService"];
  daemonSets?: PreflightFacts["daemonSets"];
  externalSecrets?: string | null;
}

/** A queue of which 3 jobs wait, whose autoscaler scales: a test names what is otherwise. */
function findings({
  policy = {},
  apiService = AVAILABLE,
  daemonSets = null,
  externalSecrets = null,
  ...facts
}: Seen = {}) {
  return findingsOf({
    now: NOW,
    apiService,
    daemonSets,
    externalSecrets,
    queues: [
      {
        queue: queue("worker", { selector: { state: "available", queue: "mails" }, ...policy }),
        metric: value(3),
        anySeries: null,
        age: value(2),
        autoscaler: ACTIVE,
        ...facts,
      },
    ],
  });
}

/** `code level`, with `blocks` where it does. */
function codes(seen: Seen = {}): string[] {
  return findings(seen).map(({ code, level, blocks }) => `${code} ${level}${blocks ? " blocks" : ""}`);
}

/** The sentence of the first finding with a code. */
function said(code: string, seen: Seen): string | undefined {
  return findings(seen).find((finding) => finding.code === code)?.message;
}

const SERIES = 'oban_queue_depth{queue="mails",state="available"}';
const OK = ["metric-answers ok", "autoscaler-active ok"];

it("no queue, no finding", () => {
  expect(findingsOf({ now: NOW, apiService: null, queues: [], daemonSets: null, externalSecrets: null })).toEqual([]);
});

it("all is well", () => {
  expect(codes()).toEqual(OK);
  expect(said("metric-answers", {})).toBe(`${SERIES} is 3`);
});

it("a healthy 0 passes, and is told from no series", () => {
  expect(codes({ metric: value(0) })).toEqual(OK);
  expect(said("metric-answers", { metric: value(0) })).toBe(`${SERIES} is 0: nothing waits, and that is known`);
  expect(codes({ metric: [], anySeries: [] })).toContain("no-series error blocks");
});

describe("the API", () => {
  const asked = { metric: null, age: null };
  const unavailable = (reason: string, message: string): ApiService => ({
    ...AVAILABLE,
    available: condition("Available", "False", reason, message),
  });

  it.each<[string, PreflightFacts["apiService"], string]>([
    ["is not registered", null, "api-unregistered error blocks"],
    ["has not been looked at", { ...AVAILABLE, available: null }, "api-unavailable error blocks"],
    ["has nothing behind it", unavailable("MissingEndpoints", "no endpoints"), "api-unavailable error blocks"],
    [
      "does not answer",
      unavailable("FailedDiscoveryCheck", "failing or missing response from https://…: dial tcp: connection refused"),
      "api-unavailable error blocks",
    ],
    [
      "is not served by the adapter that runs",
      unavailable("FailedDiscoveryCheck", "failing or missing response from https://…: bad status from https://…: 404"),
      "api-without-rules error blocks",
    ],
    [
      "is not served by the adapter, which says so to nobody",
      unavailable("FailedDiscoveryCheck", "failing or missing response from https://…: bad status from https://…: 403"),
      "api-without-rules error blocks",
    ],
    ["can't be looked at", unread("forbidden"), "api-unread warning"],
  ])("%s", (_what, apiService, code) => {
    expect(codes({ apiService, ...asked })).toEqual([code, "autoscaler-active ok"]);
  });

  it("names the two keys of the rules and the words of the API server", () => {
    const apiService = unavailable("FailedDiscoveryCheck", "bad status from https://…: 404");
    expect(said("api-without-rules", { apiService, ...asked })).toBe(
      "The adapter behind Service monitoring/prometheus-adapter runs and does not serve external.metrics.k8s.io: " +
        "FailedDiscoveryCheck: bad status from https://…: 404. It has no external rules, or has them under a key that is passed over: " +
        "in the adapter's own configuration their key is `externalRules`, in the values of its Helm chart `rules.external`",
    );
  });

  it("of another adapter, which does not know the metric", () => {
    const apiService = { ...AVAILABLE, service: "keda/keda-operator-metrics-apiserver" };
    const seen = { apiService, metric: unread("not-found") };
    expect(codes(seen)[0]).toBe("api-of-another-adapter error blocks");
    expect(said("api-of-another-adapter", seen)).toBe(
      "The API external.metrics.k8s.io belongs to Service keda/keda-operator-metrics-apiserver, which does not know oban_queue_depth. " +
        "Only one adapter can own it: let prometheus-adapter register it, or scale this queue with the other one's own objects",
    );
  });
});

describe("the metric", () => {
  it.each<[string, Seen, string]>([
    ["is unknown to the adapter", { metric: unread("not-found") }, "metric-unknown error blocks"],
    ["can't be had from Prometheus", { metric: unread("server-error") }, "metric-failed error blocks"],
    ["can't be asked for", { metric: unread("forbidden") }, "metric-unread warning"],
    ["has no series", { metric: [], anySeries: [] }, "no-series error blocks"],
    ["has other series", { metric: [], anySeries: value(7) }, "selector-matches-nothing error blocks"],
    ["was served long ago", { metric: value(3, 121) }, "metric-stale error blocks"],
    ["was read long ago", { age: value(121) }, "metric-stale error blocks"],
  ])("%s", (_what, seen, code) => {
    expect(codes(seen)).toEqual([code, "autoscaler-active ok"]);
    expect(codes({ ...seen, policy: { preflight: "warn" } })[0]).toBe(code.replace(" blocks", ""));
  });

  it.each<[MetricAnswer]>([[unread("not-found")], [[]]])("of unknown age is a warning: %o", (age) => {
    expect(codes({ age })).toEqual(["metric-answers ok", "age-unknown warning", "autoscaler-active ok"]);
  });

  it("says how old it is, and how to look", () => {
    const [finding] = findings({ metric: value(5), age: value(300) });
    expect(finding).toMatchObject({
      queue: "shop/worker",
      message: `${SERIES} is 5 and 300 s old, more than 120 s (age.maxSeconds). The exporter answers scrapes and no longer reads the table, or Prometheus no longer scrapes it`,
      look: "kubectl get --raw '/apis/external.metrics.k8s.io/v1beta1/namespaces/shop/oban_queue_depth?labelSelector=state%3Davailable%2Cqueue%3Dmails'",
    });
  });

  it("names Prometheus where the adapter fails", () => {
    expect(said("metric-failed", { metric: unread("server-error") })).toBe(
      `The adapter could not get ${SERIES} (server-error): Prometheus is down, can't be reached from it, or refuses the query of its rule`,
    );
  });

  it("names the relist interval, the missing scrape and the keys of the rules", () => {
    expect(said("metric-unknown", { metric: unread("not-found") })).toMatch(
      /--metrics-relist-interval, 10 minutes .* nothing scrapes the exporter; .*`externalRules`.*`rules\.external`/,
    );
  });
});

describe("the autoscaler", () => {
  const judged = (...conditions: Condition[]): Seen => ({ autoscaler: { ...ACTIVE, conditions } });

  it.each<[string, Seen, string]>([
    ["is not there yet", { autoscaler: null }, "autoscaler-missing note"],
    ["asks for something else", { autoscaler: { ...ACTIVE, asksForThis: false } }, "autoscaler-asks-otherwise note"],
    ["can't be read", { autoscaler: unread("forbidden") }, "autoscaler-unread warning"],
    ["has no conditions yet: not evaluated, not healthy", judged(), "autoscaler-not-evaluated warning"],
    [
      "was switched off by somebody: 0 replicas",
      judged(condition("ScalingActive", "False", "ScalingDisabled")),
      "scaling-disabled warning",
    ],
    [
      "gets no metric",
      judged(condition("ScalingActive", "False", "FailedGetExternalMetric", "no metrics returned")),
      "autoscaler-inactive error",
    ],
    [
      "has no target",
      judged(condition("AbleToScale", "False", "FailedGetScale", 'deployments "worker" not found')),
      "autoscaler-unable error",
    ],
  ])("%s; it blocks nothing, since this very run may mend it", (_what, seen, code) => {
    expect(codes(seen)).toEqual(["metric-answers ok", code]);
  });

  it("is told in the words of its condition", () => {
    const seen = judged(condition("ScalingActive", "False", "FailedGetExternalMetric", "no metrics returned"));
    expect(said("autoscaler-inactive", seen)).toBe(
      "HorizontalPodAutoscaler worker does not scale: FailedGetExternalMetric: no metrics returned. " +
        "Where the metric answers here, it does so at its next look, within 15 s",
    );
  });
});

describe("network plugins that ignore NetworkPolicies", () => {
  it.each([
    [["kindnet", "kube-proxy"], ["network-policies-ignored warning"]],
    [["kube-flannel-ds"], ["network-policies-ignored warning"]],
    [["kube-flannel-ds", "calico-node"], []],
    [["canal"], []],
    [["cilium", "kindnet"], []],
    [["kube-proxy"], []],
  ])("%o", (daemonSets, expected) => {
    expect(codes({ daemonSets })).toEqual([...expected, ...OK]);
  });

  it("are named", () => {
    expect(said("network-policies-ignored", { daemonSets: ["kindnet"] })).toMatch(
      /^The network plugin kindnet is known/,
    );
  });

  it("can't be seen without permission", () => {
    expect(codes({ daemonSets: unread("forbidden") })[0]).toBe("network-unread note");
  });
});

describe("secrets that External Secrets should fetch", () => {
  const external = { store: "vault", storeKind: "ClusterSecretStore", remoteKey: "db", refreshInterval: "1h" } as const;
  const secrets = [
    { env: "DATABASE_URL", secret: "db", key: "url", external },
    { env: "OTHER", secret: "plain", key: "other" },
  ];
  const policy = { workload: { secrets } as unknown as QueueWorkload };

  it("are missing where the cluster has none", () => {
    expect(codes({ policy })).toEqual(["no-external-secrets warning", ...OK]);
    expect(said("no-external-secrets", { policy })).toMatch(/nothing makes Secret shop\/db: put it there/);
  });

  it("are fetched where it has", () => {
    expect(codes({ policy, externalSecrets: "v1" })).toEqual(OK);
  });
});
