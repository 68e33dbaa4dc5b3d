/**
 * Queues on a real table of jobs, Prometheus, adapter, autoscaler and Pulumi: docs/queues.md.
 *
 * What the preflight finds is injected from outside, one fault at a time, each in a cluster that works otherwise.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditWrites } from "../../bench/cluster/audit.ts";
import type { Cluster } from "../../bench/cluster/cluster.ts";
import { addNodes, removeNode } from "../../bench/cluster/nodes.ts";
import { startCluster } from "../../bench/cluster/start.ts";
import { waitFor } from "../../bench/cluster/wait.ts";
import { type FaultName, faults } from "../../bench/queue/faults.ts";
import { type QueueBench, queueCluster, startQueueBench } from "../../bench/queue/start.ts";
import type { QueueEntry } from "../../src/plan/plan.ts";
import type { Finding } from "../../src/plan/preflight.ts";
import { CliStack } from "./support/cli.ts";
import { createWorkloads, deployment, liveReplicas, NAMESPACE, waitForRunning } from "./support/workloads.ts";

const AUTOSCALER = `/apis/autoscaling/v2/namespaces/${NAMESPACE}/horizontalpodautoscalers/worker`;
const DEPLOYMENT = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments/worker`;

/** A short way down, so that a test can see it; ten minutes is the default, which the unit tests assert. */
const QUEUE = {
  namespace: NAMESPACE,
  name: "worker",
  queue: "mails",
  target: 5,
  max: 10,
  age: { maxSeconds: 5 },
  scaleDown: { stabilizationWindowSeconds: 3 },
};

let cluster: Cluster;
let bench: QueueBench;
let cli: CliStack;

beforeAll(async () => {
  cluster = await startCluster({ ...queueCluster, audit: true });
  await addNodes(
    cluster,
    [1, 2, 3, 4].map((number) => ({ name: `worker-${number}` })),
  );
  await createWorkloads(cluster.api, [deployment("worker")]);
  bench = await startQueueBench(cluster, { queues: ["mails"] });
  cli = await CliStack.create(cluster.kubeconfig, { workloads: [], queues: [QUEUE] });
});

afterAll(async () => {
  await cli?.remove();
  await bench?.close();
  await cluster?.stop();
});

/** Codes of all findings, with the level of each. */
async function preflight(): Promise<{ code: number | undefined; findings: string[]; all: Finding[] }> {
  const { code, stdout, stderr } = await cli.run(["preflight", "--output", "json"]);
  expect(stderr).toBe("");
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  return { code, findings: findings.map((finding) => `${finding.level} ${finding.code}`), all: findings };
}

async function plannedQueue(): Promise<QueueEntry | undefined> {
  const { code, stdout, stderr } = await cli.run(["plan", "--output", "json", "--no-preview"]);
  expect(code, stderr).toBe(0);
  return (JSON.parse(stdout) as { queues?: QueueEntry[] }).queues?.[0];
}

/** What the stack's user has written since then, as `verb resource/name`. */
function written(since: Date): string[] {
  return auditWrites(cluster, { user: "admin", since })
    .map(({ verb, objectRef }) => `${verb} ${objectRef?.resource}/${objectRef?.name}`)
    .sort();
}

async function waitForReplicas(count: number): Promise<void> {
  await waitFor(async () => (await liveReplicas(cluster.api)).worker === count, {
    what: `${count} replicas of worker`,
    timeout: 60_000,
  });
}

async function isActive(): Promise<boolean> {
  const { status } = await cluster.api.get(AUTOSCALER);
  return status?.conditions?.some(
    (condition: { type: string; status: string }) => condition.type === "ScalingActive" && condition.status === "True",
  );
}

describe("the first run", () => {
  it("the preflight passes on an empty queue: 0 is healthy, and a missing autoscaler no fault", async () => {
    const { code, findings, all } = await preflight();
    expect({ code, findings }).toEqual({ code: 0, findings: ["ok metric-answers", "note autoscaler-missing"] });
    expect(all[0]?.message).toBe(
      'oban_queue_depth{queue="mails",state="available"} is 0: nothing waits, and that is known',
    );
  });

  it("the plan creates the autoscaler within the workers", async () => {
    expect(await plannedQueue()).toMatchObject({ decision: "create", current: null, target: 4 });
  });

  it("up writes the autoscaler and nothing to the Deployment", async () => {
    const since = new Date();
    const up = await cli.stack.up();

    expect(up.code, up.output).toBe(0);
    expect(written(since)).toEqual(["patch horizontalpodautoscalers/worker"]);
    const { spec, metadata } = await cluster.api.get(AUTOSCALER);
    expect(spec).toMatchObject({
      minReplicas: 1,
      maxReplicas: 4,
      behavior: { scaleDown: { stabilizationWindowSeconds: 3 } },
    });
    expect(metadata.managedFields?.find(({ operation }) => operation === "Apply")?.manager).toBe("cluster-scale-queue");
  });

  it("a second up is silent", async () => {
    const since = new Date();
    const up = await cli.stack.up();

    expect(up.code, up.output).toBe(0);
    expect(written(since)).toEqual([]);
    expect(up.stdout).toMatch(/Resources:\n\s+\d+ unchanged/);
  });

  it("the autoscaler gets its metric, and the preflight says so", async () => {
    await waitFor(isActive, { what: "the autoscaler to be active", timeout: 30_000 });
    expect(await preflight()).toMatchObject({ code: 0, findings: ["ok metric-answers", "ok autoscaler-active"] });
  });
});

describe("a queue that nobody consumes", () => {
  it("takes the Deployment from its minimum to the bound", async () => {
    await bench.jobs.insert(100, { queue: "mails" });
    await waitForReplicas(4);
    await waitForRunning(cluster.api, "worker", 4);
  });

  it("a worker leaves: the maximum is not lowered below what runs", async () => {
    await removeNode(cluster, "worker-4");
    expect(await plannedQueue()).toMatchObject({ decision: "hold", current: 4, target: 4, reasons: ["hpa"] });
    const up = await cli.stack.up();

    expect(up.code, up.output).toBe(0);
    expect((await cluster.api.get(AUTOSCALER)).spec).toMatchObject({ minReplicas: 1, maxReplicas: 4 });
    expect((await liveReplicas(cluster.api)).worker).toBe(4);
  });

  it("drained, the metric is an explicit 0 and the Deployment comes down", async () => {
    await bench.jobs.drain("mails");
    await bench.waitForValue("state=available,queue=mails", "0");
    await waitForReplicas(1);
  });

  it("and now the maximum follows the workers", async () => {
    const up = await cli.stack.up();
    expect(up.code, up.output).toBe(0);
    expect((await cluster.api.get(AUTOSCALER)).spec.maxReplicas).toBe(3);
  });
});

describe("a silent failure is named", () => {
  const FOUND: Record<FaultName, string> = {
    "the adapter is stopped": "api-unavailable",
    "the API is not registered": "api-unregistered",
    "the adapter has the rules under the chart's key": "api-unavailable",
    "the adapter has no external rules": "api-without-rules",
    "the adapter has not listed the series yet": "metric-unknown",
    "Prometheus is stopped": "metric-failed",
    "the exporter is stopped": "no-series",
    "the exporter hangs": "no-series",
    "the exporter repeats an old value": "metric-stale",
    "the database is stopped": "no-series",
  };

  it.for(Object.entries(FOUND) as [FaultName, string][])("%s: %s", async ([name, code]) => {
    await faults[name].inject(bench);
    try {
      const found = await waitFor(
        async () => {
          const { code: exitCode, all } = await preflight();
          const finding = all.find((each) => each.code === code);
          return finding === undefined ? undefined : { exitCode, finding };
        },
        // An old value has to grow old first.
        { what: `the preflight to find ${code}`, timeout: 30_000 },
      );
      expect(found).toMatchObject({ exitCode: 1, finding: { level: "error", blocks: true } });
    } finally {
      await faults[name].mend(bench);
    }
    await bench.waitUntilWorking();
  });

  it("a selector that matches nothing", async () => {
    await cli.stack.setConfig({ workloads: [], queues: [{ ...QUEUE, queue: "typo" }] });
    expect(await preflight()).toMatchObject({
      code: 1,
      findings: ["error selector-matches-nothing", "note autoscaler-asks-otherwise"],
    });
    await cli.stack.setConfig({ workloads: [], queues: [QUEUE] });
  });

  it("a Deployment at 0 is somebody's decision", async () => {
    await cluster.api.patch(`${DEPLOYMENT}/scale`, { spec: { replicas: 0 } });
    const disabled = async () => (await preflight()).findings.includes("warning scaling-disabled");
    await waitFor(disabled, { what: "the preflight to see the autoscaler disabled", timeout: 30_000 });
    expect(await plannedQueue()).toMatchObject({
      decision: "skip",
      reasons: ["scaled-to-zero"],
      action: { maxReplicas: 3 },
    });
    await cluster.api.patch(`${DEPLOYMENT}/scale`, { spec: { replicas: 1 } });
    await waitFor(isActive, { what: "the autoscaler to be active again", timeout: 30_000 });
  });

  it("preview and up fail on it, and change nothing", async () => {
    await faults["Prometheus is stopped"].inject(bench);
    try {
      const state = await cli.stack.stateFiles();
      const preview = await cli.stack.preview();
      expect(preview.code).not.toBe(0);
      expect(preview.output).toContain("the preflight found what keeps queues from scaling; nothing was changed:");
      expect(preview.output).toContain(
        'dev/worker: The adapter could not get oban_queue_depth{queue="mails",state="available"}',
      );
      const apply = await cli.run(["apply", "--yes"]);
      expect(apply).toMatchObject({ code: 1, stdout: "" });
      expect(apply.stderr).toContain("See: kubectl -n monitoring logs deployment/prometheus-adapter");
      expect(await cli.stack.stateFiles()).toEqual(state);

      await cli.stack.setConfig({ workloads: [], queues: [{ ...QUEUE, preflight: "warn" }] });
      const warned = await cli.stack.preview();
      expect(warned.code, warned.output).toBe(0);
      expect(warned.output).toContain("warning: dev/worker: The adapter could not get");
      await cli.stack.setConfig({ workloads: [], queues: [QUEUE] });
    } finally {
      await faults["Prometheus is stopped"].mend(bench);
    }
    await bench.waitUntilWorking();
  });
});

describe("taking the queue off the list", () => {
  const replicas = async () => (await liveReplicas(cluster.api)).worker;

  it("leaves the autoscaler where nobody has consented", async () => {
    await cli.stack.setConfig({ workloads: [] });
    const up = await cli.stack.up();
    expect(up.code, up.output).toBe(0);
    expect((await cluster.api.get(AUTOSCALER)).spec.maxReplicas).toBe(3);
  });

  it("takes it back without a change when the queue is listed again", async () => {
    await cli.stack.setConfig({ workloads: [], queues: [QUEUE] });
    expect(await plannedQueue()).toMatchObject({ decision: "keep", current: 3, target: 3 });
    const up = await cli.stack.up();
    expect(up.code, up.output).toBe(0);
  });

  it("deletes it with consent, which is in the plan before, and leaves the Deployment at its count", async () => {
    await bench.jobs.insert(100, { queue: "mails" });
    await waitForReplicas(3);
    await cli.stack.setConfig({ workloads: [], queues: [{ ...QUEUE, deleteHpaOnRemoval: true }] });
    expect(await plannedQueue()).toMatchObject({ warnings: ["delete-on-removal"] });
    const consent = await cli.stack.up();
    expect(consent.code, consent.output).toBe(0);

    await cli.stack.setConfig({ workloads: [] });
    const up = await cli.stack.up();
    expect(up.code, up.output).toBe(0);
    expect(await cluster.api.find(AUTOSCALER)).toBeUndefined();
    expect(await replicas()).toBe(3);
  });
});

describe("a workload that is declared with its queue", () => {
  const CANARY = "canary-of-the-database";
  const WORKLOAD = {
    image: "registry.example.invalid/mailer:1",
    secrets: [
      {
        env: "DATABASE_URL",
        secret: "mailer-db",
        key: "url",
        external: { store: "vault", remoteKey: "prod/mailer", property: "url" },
      },
    ],
    resources: { requests: { cpu: "100m", memory: "64Mi" } },
    probes: {
      startup: { path: "/health/started", port: 4000 },
      liveness: { path: "/health/alive", port: 4000 },
      readiness: { path: "/health/ready", port: 4000 },
    },
    preStop: { sleepSeconds: 10 },
    volume: { mountPath: "/data", existingClaim: "files" },
    network: {
      metrics: { port: 9568, from: { namespace: "monitoring", podLabels: { app: "prometheus" } } },
      egress: [{ peer: { namespace: "databases" }, ports: [5432] }],
    },
  };
  const MAILER = { ...QUEUE, name: "mailer", workload: WORKLOAD };
  const path = (group: string, resource: string, name: string) =>
    `/${group}/namespaces/${NAMESPACE}/${resource}/${name}`;
  const MAILER_PATH = path("apis/apps/v1", "deployments", "mailer");

  beforeAll(async () => {
    await bench.jobs.drain();
    const { api } = cluster;
    await api.create({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "externalsecrets.external-secrets.io" },
      spec: {
        group: "external-secrets.io",
        names: { kind: "ExternalSecret", plural: "externalsecrets", singular: "externalsecret" },
        scope: "Namespaced",
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
          },
        ],
      },
    });
    await waitFor(async () => (await api.find("/apis/external-secrets.io/v1")) !== undefined, { what: "the CRD" });
    await api.create({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { namespace: NAMESPACE, name: "mailer-db" },
      stringData: { url: `ecto://mailer:${CANARY}@db/prod` },
    });
    await api.create({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { namespace: NAMESPACE, name: "files" },
      spec: {
        accessModes: ["ReadWriteMany"],
        storageClassName: "",
        volumeName: "files",
        resources: { requests: { storage: "1Gi" } },
      },
    });
    await api.create({
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: "files" },
      spec: {
        accessModes: ["ReadWriteMany"],
        capacity: { storage: "1Gi" },
        nfs: { server: "nfs.example.invalid", path: "/" },
        claimRef: { namespace: NAMESPACE, name: "files" },
      },
    });
    await cli.stack.setConfig({ workloads: [], queues: [MAILER] });
  });

  it("every manifest passes a server-side dry run in the preview", async () => {
    const since = new Date();
    const preview = await cli.stack.preview();
    expect(preview.code, preview.output).toBe(0);
    expect(written(since)).toEqual([]);
  });

  it("up creates it whole, and scales it", async () => {
    const up = await cli.stack.up();
    expect(up.code, up.output).toBe(0);

    const { spec } = await cluster.api.get(MAILER_PATH);
    const [container] = spec.template.spec.containers;
    expect(container).toMatchObject({
      startupProbe: { httpGet: { path: "/health/started" } },
      livenessProbe: { httpGet: { path: "/health/alive" } },
      readinessProbe: { httpGet: { path: "/health/ready" } },
      lifecycle: { preStop: { sleep: { seconds: 10 } } },
      env: [{ name: "DATABASE_URL", valueFrom: { secretKeyRef: { name: "mailer-db", key: "url" } } }],
    });
    expect(spec.template.spec.volumes).toMatchObject([{ persistentVolumeClaim: { claimName: "files" } }]);
    const policies = await cluster.api.list(`/apis/networking.k8s.io/v1/namespaces/${NAMESPACE}/networkpolicies`);
    expect(policies.map(({ metadata }) => metadata.name).sort()).toEqual(["mailer-allow", "mailer-default-deny"]);
    expect(await cluster.api.get(path("apis/external-secrets.io/v1", "externalsecrets", "mailer-db"))).toMatchObject({
      spec: { secretStoreRef: { name: "vault", kind: "ClusterSecretStore" } },
    });

    await bench.jobs.insert(100, { queue: "mails" });
    const available = async () => (await cluster.api.get(MAILER_PATH)).status?.availableReplicas === 3;
    await waitFor(available, { what: "3 available pods of mailer", timeout: 60_000 });
  });

  it("a second up is silent, though the autoscaler has set the count", async () => {
    const since = new Date();
    const up = await cli.stack.up();
    expect(up.code, up.output).toBe(0);
    expect(written(since)).toEqual([]);
    expect(up.stdout).toMatch(/Resources:\n\s+\d+ unchanged/);
    expect((await liveReplicas(cluster.api)).mailer).toBe(3);
  });

  it("no secret is in the state, in the plan or in what was shown", async () => {
    const up = await cli.stack.preview();
    const { stdout } = await cli.run(["plan", "--output", "json", "--no-preview"]);
    const seen = [...Object.values(await cli.stack.stateFiles()), up.output, stdout].join("\n");
    expect(seen).not.toContain(CANARY);
    expect(seen).not.toContain(Buffer.from(`ecto://mailer:${CANARY}@db/prod`).toString("base64"));
  });

  it.each([
    ["taken off the list", () => cli.stack.setConfig({ workloads: [] }).then(() => cli.stack.up())],
    ["destroyed", () => cli.stack.destroy()],
  ])("stays whole and running when it is %s", async (_how, leave) => {
    await cli.stack.setConfig({ workloads: [], queues: [MAILER] });
    expect(await cli.stack.up()).toMatchObject({ code: 0 });
    const left = await leave();

    expect(left.code, left.output).toBe(0);
    expect((await liveReplicas(cluster.api)).mailer).toBe(3);
    const kept = [
      path("apis/networking.k8s.io/v1", "networkpolicies", "mailer-default-deny"),
      path("apis/autoscaling/v2", "horizontalpodautoscalers", "mailer"),
      path("apis/external-secrets.io/v1", "externalsecrets", "mailer-db"),
    ];
    for (const object of kept) expect(await cluster.api.find(object)).toBeDefined();
  });

  it("a claim that one node can mount is warned of, and bounds the workload to 1", async () => {
    const volume = { mountPath: "/data", size: "1Gi", accessMode: "ReadWriteOnce" };
    await cli.stack.setConfig({
      workloads: [],
      queues: [{ ...MAILER, name: "single", workload: { ...WORKLOAD, volume } }],
    });
    const preview = await cli.stack.preview();
    expect(preview.code, preview.output).toBe(0);
    expect(await plannedQueue()).toMatchObject({ target: 1, warnings: ["single-node-volume"] });
  });
});

it("placeholders, empty strings and literal secrets fail with their keys, all at once", async () => {
  const workload = { image: "<image>", probes: {}, env: { DB_PASSWORD: "hunter2" } };
  await cli.stack.setConfig({ workloads: [], queues: [{ ...QUEUE, name: "", workload }] });
  const preview = await cli.stack.preview();
  expect(preview.code).not.toBe(0);
  expect(preview.output).toContain('queues[0].name: must be the name of a Deployment, not ""');
  expect(preview.output).toContain('queues[0].workload.image: is still the placeholder "<image>"; must be an image');
  expect(preview.output).toContain("queues[0].workload.env.DB_PASSWORD: holds a literal secret");
  expect(preview.output).toContain("queues[0].workload.probes.liveness: is missing");
  expect(preview.output).not.toContain("hunter2");
});
