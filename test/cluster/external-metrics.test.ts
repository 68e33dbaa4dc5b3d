import { expect, it } from "vitest";
import { readPreflight } from "../../src/cluster/external-metrics.ts";
import { parsePolicy } from "../../src/config/schema.ts";
import { type Answer, apiServer, list, status } from "./support/api-server.ts";

const API_SERVICE = "/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.external.metrics.k8s.io";
const METRICS = "/apis/external.metrics.k8s.io/v1beta1/namespaces/jobs";
const DEPTH = `${METRICS}/oban_queue_depth`;
const SELECTOR = "?labelSelector=state%3Davailable%2Cqueue%3Dmails";
const AUTOSCALER = "/apis/autoscaling/v2/namespaces/jobs/horizontalpodautoscalers/mailer";
const TIME = "2026-01-15T12:00:00Z";

const QUEUE = { namespace: "jobs", name: "mailer", queue: "mails", target: 20, max: 6 };
const PROBES = { startup: { tcpPort: 1 }, liveness: { tcpPort: 1 }, readiness: { tcpPort: 2 } };
const available = (status: string) => ({
  spec: { service: { namespace: "monitoring", name: "prometheus-adapter" } },
  status: { conditions: [{ type: "Available", status, reason: "R", message: "M" }] },
});
const values = (...items: object[]) => list("ExternalMetricValue", items);

async function read(answers: Record<string, Answer>, queue: object = {}) {
  const server = await apiServer({ [API_SERVICE]: available("True"), [AUTOSCALER]: status(404, "none"), ...answers });
  const { queues } = parsePolicy({ workloads: [], queues: [{ ...QUEUE, ...queue }] });
  const limits = { requestTimeoutSeconds: 5, readTimeoutSeconds: 15 };
  const facts = await readPreflight({ kubeconfig: server.kubeconfig }, queues, limits, new Date(TIME));
  return { server, facts, queue: facts.queues[0] };
}

it("asks for the metric as the autoscaler does, and for nothing that no queue needs", async () => {
  const { server, queue } = await read({
    [DEPTH]: values({ value: "1k", timestamp: TIME }),
    [`${METRICS}/oban_queue_depth_age_seconds`]: values({ value: "532m", timestamp: TIME }),
  });
  expect(server.requests.toSorted()).toEqual(
    [API_SERVICE, `${DEPTH}${SELECTOR}`, `${METRICS}/oban_queue_depth_age_seconds${SELECTOR}`, AUTOSCALER].toSorted(),
  );
  expect(queue).toMatchObject({
    metric: [{ value: 1000, timestamp: TIME }],
    anySeries: null,
    age: [{ value: 0.532, timestamp: TIME }],
    autoscaler: null,
  });
});

it("asks without the selector where nothing matches it", async () => {
  const { queue } = await read({ [DEPTH]: values({ value: "7", timestamp: TIME }), [`${DEPTH}${SELECTOR}`]: values() });
  expect(queue).toMatchObject({ metric: [], anySeries: [{ value: 7, timestamp: TIME }] });
});

it("asks for no metric of an API that is not available", async () => {
  const { server, facts, queue } = await read({ [API_SERVICE]: available("False") });
  expect(facts.apiService).toEqual({
    service: "monitoring/prometheus-adapter",
    available: { type: "Available", status: "False", reason: "R", message: "M" },
  });
  expect(queue).toMatchObject({ metric: null, age: null });
  expect(server.requests.filter((path) => path.startsWith("/apis/external.metrics"))).toEqual([]);
});

it("an API that is not registered is a fact", async () => {
  expect((await read({ [API_SERVICE]: status(404, "none") })).facts.apiService).toBeNull();
});

it.each([
  [404, "not-found"],
  [403, "forbidden"],
  [500, "server-error"],
])("an answer of %i is a fact", async (code, as) => {
  const { queue } = await read({ [DEPTH]: status(code, "because") });
  expect(queue?.metric).toMatchObject({ code: as, message: expect.stringContaining("because") });
});

it.each([
  [{ queue: "mails", state: "available" }, true],
  [{ queue: "bills", state: "available" }, false],
])("whether the autoscaler asks for the same: %o", async (matchLabels, asksForThis) => {
  const { queue } = await read({
    [AUTOSCALER]: {
      spec: { metrics: [{ external: { metric: { name: "oban_queue_depth", selector: { matchLabels } } } }] },
      status: { conditions: [{ type: "ScalingActive", status: "True" }] },
    },
  });
  expect(queue?.autoscaler).toEqual({
    conditions: [{ type: "ScalingActive", status: "True", reason: "", message: "" }],
    asksForThis,
  });
});

it("looks at network plugins and External Secrets where a workload is declared that has to do with them", async () => {
  const secrets = [{ env: "DATABASE_URL", secret: "db", key: "url", external: { store: "vault", remoteKey: "db" } }];
  const { facts } = await read(
    {
      "/apis/apps/v1/daemonsets": list("DaemonSet", [{ metadata: { name: "kindnet" } }]),
      "/apis/external-secrets.io": { kind: "APIGroup", preferredVersion: { version: "v1beta1" } },
    },
    { workload: { image: "mailer:1", probes: PROBES, secrets } },
  );
  expect(facts).toMatchObject({ daemonSets: ["kindnet"], externalSecrets: "v1beta1" });
});
