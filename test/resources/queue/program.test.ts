/** Queues in a program of one's own: `cluster-scale/queue`. */
import { declareQueues, queueOf } from "cluster-scale/queue";
import { expect, test } from "vitest";
import { apiServer, list, status } from "../../cluster/support/api-server.ts";
import { ofType, previewed } from "../mocked-pulumi.ts";

const QUEUE = { namespace: "jobs", name: "mailer", target: 20, max: 6 };
const METRICS = "/apis/external.metrics.k8s.io/v1beta1/namespaces/jobs";
const value = (number: string) => list("ExternalMetricValue", [{ value: number, timestamp: new Date().toISOString() }]);

const node = (name: string) => ({
  metadata: { name },
  status: { conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" }] },
});
const deployment = {
  metadata: { namespace: "jobs", name: "mailer" },
  spec: {
    selector: { matchLabels: { app: "mailer" } },
    template: { metadata: { labels: { app: "mailer" } }, spec: {} },
  },
};
const CLUSTER = {
  "/api/v1/nodes": list("Node", [node("a"), node("b")]),
  "/apis/apps/v1/namespaces/jobs/deployments": list("Deployment", [deployment]),
  "/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.external.metrics.k8s.io": {
    spec: { service: { namespace: "monitoring", name: "prometheus-adapter" } },
    status: { conditions: [{ type: "Available", status: "True" }] },
  },
  [`${METRICS}/oban_queue_depth`]: value("3"),
  [`${METRICS}/oban_queue_depth_age_seconds`]: value("1"),
  "/apis/autoscaling/v2/namespaces/jobs/horizontalpodautoscalers/mailer": status(404, "none"),
};

test("declareQueues reads, plans, looks for the metric and declares", async () => {
  const { kubeconfig } = await apiServer(CLUSTER);
  const declared = await previewed(() => declareQueues([QUEUE], { cluster: { kubeconfig } }));

  expect(ofType(declared, "kubernetes:autoscaling/v2:HorizontalPodAutoscaler")[0]?.inputs.spec).toMatchObject({
    minReplicas: 1,
    maxReplicas: 2,
  });
  expect(declared.log).toEqual([
    expect.stringContaining("jobs/mailer: creating HorizontalPodAutoscaler mailer with a maximum of 2: 2 workers"),
  ]);
});

test("declareQueues declares nothing where the metric is missing", async () => {
  const { kubeconfig } = await apiServer({
    ...CLUSTER,
    [`${METRICS}/oban_queue_depth`]: status(404, "unknown metric"),
  });
  const declaring = previewed(() => declareQueues([QUEUE], { cluster: { kubeconfig } }));
  await expect(declaring).rejects.toThrow(
    /^the preflight found what keeps queues from scaling; nothing was changed:\n {2}- jobs\/mailer: The adapter behind Service monitoring\/prometheus-adapter knows no metric oban_queue_depth\./,
  );
});

test("queueOf names every mistake", () => {
  expect(() => queueOf({ ...QUEUE, target: 0, max: "6" })).toThrow(
    "The queue: 2 problems\n" +
      "  - queues[0].target: must be a whole number of at least 1, not 0\n" +
      '  - queues[0].max: must be a whole number of at least 1, not "6"',
  );
});
