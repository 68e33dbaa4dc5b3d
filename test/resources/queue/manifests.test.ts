import { describe, expect, test } from "vitest";
import type { QueuePolicy } from "../../../src/config/queue.ts";
import { parsePolicy } from "../../../src/config/schema.ts";
import { deploymentOf } from "../../../src/resources/queue/deployment.ts";
import { autoscalerOf } from "../../../src/resources/queue/hpa.ts";
import { networkPoliciesOf } from "../../../src/resources/queue/network-policies.ts";
import { externalSecretsOf } from "../../../src/resources/queue/secrets.ts";
import { claimOf } from "../../../src/resources/queue/volume.ts";

const WORKLOAD = {
  image: "registry.example/mailer:1.4.2",
  command: ["bin/mailer", "start"],
  env: { POOL_SIZE: 10 },
  secrets: [
    {
      env: "DATABASE_URL",
      secret: "mailer-db",
      key: "url",
      external: { store: "vault", remoteKey: "prod/mailer", property: "url" },
    },
    { env: "SMTP_PASSWORD", secret: "smtp", key: "password" },
  ],
  resources: { requests: { cpu: "250m", memory: "256Mi" } },
  probes: {
    startup: { path: "/health/started", port: 4000 },
    liveness: { path: "/health/alive", port: 4000, periodSeconds: 20 },
    readiness: { exec: ["bin/mailer", "ready"] },
  },
  preStop: { exec: ["bin/mailer", "drain"] },
  volume: { mountPath: "/data", size: "10Gi" },
  network: {
    metrics: { port: 9568, from: { namespace: "monitoring", podLabels: { app: "prometheus" } } },
    egress: [{ peer: { cidr: "10.1.0.0/16" }, ports: [5432] }],
  },
};

function queueOf(fields: object = {}): QueuePolicy {
  const written = { namespace: "jobs", name: "mailer", queue: "mails", target: 20, max: 6, ...fields };
  return parsePolicy({ workloads: [], queues: [written] }).queues[0] as QueuePolicy;
}

function withWorkload(fields: object = {}) {
  const queue = queueOf({ workload: { ...WORKLOAD, ...fields } });
  return { queue, workload: queue.workload as NonNullable<QueuePolicy["workload"]> };
}

describe("the autoscaler", () => {
  const bounds = { minReplicas: 1, maxReplicas: 4 };

  test("asks for the depth of the queue, and comes down after ten minutes", () => {
    expect(autoscalerOf(queueOf(), bounds)).toEqual({
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: {
        namespace: "jobs",
        name: "mailer",
        labels: { "app.kubernetes.io/managed-by": "cluster-scale", "cluster-scale/on-removal": "retain" },
        annotations: {
          "pulumi.com/patchFieldManager": "cluster-scale-queue",
          "pulumi.com/patchForce": "true",
          "pulumi.com/skipAwait": "true",
        },
      },
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "mailer" },
        minReplicas: 1,
        maxReplicas: 4,
        metrics: [
          {
            type: "External",
            external: {
              metric: { name: "oban_queue_depth", selector: { matchLabels: { state: "available", queue: "mails" } } },
              target: { type: "AverageValue", averageValue: "20" },
            },
          },
        ],
        behavior: { scaleDown: { stabilizationWindowSeconds: 600 } },
      },
    });
  });

  test("carries the policy's rules of scaling and the consent to its removal", () => {
    const scaleUp = { policies: [{ type: "Pods", value: 2, periodSeconds: 30 }] };
    const queue = queueOf({ scaleUp, deleteHpaOnRemoval: true });
    const { metadata, spec } = autoscalerOf(queue, bounds);
    expect(spec.behavior).toEqual({ scaleUp, scaleDown: { stabilizationWindowSeconds: 600 } });
    expect(metadata.labels).toMatchObject({ "cluster-scale/on-removal": "delete" });
  });

  test.each([
    [1, "1"],
    [1500, "1500"],
    [2000, "2k"],
    [3_000_000, "3M"],
  ])("writes a target of %i as the API server does: %s", (target, averageValue) => {
    const [metric] = autoscalerOf(queueOf({ target }), bounds).spec.metrics;
    expect(metric?.external.target.averageValue).toBe(averageValue);
  });
});

describe("the Deployment", () => {
  test("never states its replicas", () => {
    const { queue, workload } = withWorkload();
    expect(deploymentOf(queue, workload).spec).not.toHaveProperty("replicas");
  });

  test("has three probes, time to drain, its volume, and secrets by reference alone", () => {
    const { queue, workload } = withWorkload();
    expect(deploymentOf(queue, workload).spec).toEqual({
      selector: { matchLabels: { "cluster-scale/worker": "mailer" } },
      template: {
        metadata: { labels: { "cluster-scale/worker": "mailer" } },
        spec: {
          terminationGracePeriodSeconds: 60,
          containers: [
            {
              name: "worker",
              image: "registry.example/mailer:1.4.2",
              command: ["bin/mailer", "start"],
              env: [
                { name: "POOL_SIZE", value: "10" },
                { name: "DATABASE_URL", valueFrom: { secretKeyRef: { name: "mailer-db", key: "url" } } },
                { name: "SMTP_PASSWORD", valueFrom: { secretKeyRef: { name: "smtp", key: "password" } } },
              ],
              ports: [{ name: "metrics", containerPort: 9568, protocol: "TCP" }],
              resources: { requests: { cpu: "250m", memory: "256Mi" }, limits: {} },
              startupProbe: { httpGet: { path: "/health/started", port: 4000, scheme: "HTTP" }, failureThreshold: 30 },
              livenessProbe: { httpGet: { path: "/health/alive", port: 4000, scheme: "HTTP" }, periodSeconds: 20 },
              readinessProbe: { exec: { command: ["bin/mailer", "ready"] } },
              lifecycle: { preStop: { exec: { command: ["bin/mailer", "drain"] } } },
              volumeMounts: [{ name: "shared", mountPath: "/data" }],
            },
          ],
          volumes: [{ name: "shared", persistentVolumeClaim: { claimName: "mailer" } }],
        },
      },
    });
  });

  test("is recreated where only one node can mount its volume", () => {
    const { queue, workload } = withWorkload({
      volume: { mountPath: "/data", size: "10Gi", accessMode: "ReadWriteOnce" },
      preStop: { sleepSeconds: 10 },
    });
    const { spec } = deploymentOf(queue, workload);
    expect(spec).toMatchObject({ strategy: { type: "Recreate" } });
    expect(spec.template.spec.containers[0]).toMatchObject({ lifecycle: { preStop: { sleep: { seconds: 10 } } } });
  });
});

describe("the volume", () => {
  test("is shared, if not said otherwise", () => {
    expect(claimOf(withWorkload().queue)?.spec).toEqual({
      accessModes: ["ReadWriteMany"],
      resources: { requests: { storage: "10Gi" } },
    });
  });

  test("may be a claim that is there already, or none", () => {
    const { queue, workload } = withWorkload({ volume: { mountPath: "/data", existingClaim: "files" } });
    expect(claimOf(queue)).toBeUndefined();
    expect(deploymentOf(queue, workload).spec.template.spec.volumes).toEqual([
      { name: "shared", persistentVolumeClaim: { claimName: "files" } },
    ]);
    expect(claimOf(queueOf())).toBeUndefined();
  });
});

describe("network policies", () => {
  const podSelector = { matchLabels: { "cluster-scale/worker": "mailer" } };
  const policyTypes = ["Ingress", "Egress"];
  const DNS = {
    to: [
      {
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "kube-system" } },
        podSelector: { matchLabels: { "k8s-app": "kube-dns" } },
      },
    ],
    ports: [
      { protocol: "UDP", port: 53 },
      { protocol: "TCP", port: 53 },
    ],
  };

  test("deny everything, and allow DNS, the scrape and what is declared", () => {
    const { queue, workload } = withWorkload();
    const policies = networkPoliciesOf(queue, workload.network);
    expect(policies.map(({ metadata, spec }) => [metadata.name, spec])).toEqual([
      ["mailer-default-deny", { podSelector, policyTypes }],
      [
        "mailer-allow",
        {
          podSelector,
          policyTypes,
          ingress: [
            {
              from: [
                {
                  namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "monitoring" } },
                  podSelector: { matchLabels: { app: "prometheus" } },
                },
              ],
              ports: [{ protocol: "TCP", port: 9568 }],
            },
          ],
          egress: [DNS, { to: [{ ipBlock: { cidr: "10.1.0.0/16" } }], ports: [{ protocol: "TCP", port: 5432 }] }],
        },
      ],
    ]);
  });

  test("DNS is allowed always, and nothing else where nothing is declared", () => {
    const { queue, workload } = withWorkload({ network: {} });
    expect(networkPoliciesOf(queue, workload.network)[1]?.spec).toEqual({ podSelector, policyTypes, egress: [DNS] });
  });
});

test("External Secrets fetch what has a store, one object a Secret; plain references need none", () => {
  expect(externalSecretsOf(withWorkload().queue, "v1")).toMatchObject([
    {
      apiVersion: "external-secrets.io/v1",
      kind: "ExternalSecret",
      metadata: { namespace: "jobs", name: "mailer-db" },
      spec: {
        refreshInterval: "1h",
        secretStoreRef: { name: "vault", kind: "ClusterSecretStore" },
        target: { name: "mailer-db", creationPolicy: "Owner" },
        data: [{ secretKey: "url", remoteRef: { key: "prod/mailer", property: "url" } }],
      },
    },
  ]);
});
