import { describe, expect, test } from "vitest";
import type { QueuePolicy } from "../../../src/config/queue.ts";
import { parsePolicy } from "../../../src/config/schema.ts";
import { QueueScaledWorkload } from "../../../src/resources/queue/component.ts";
import { ofType, previewed } from "../mocked-pulumi.ts";

const HPA = "kubernetes:autoscaling/v2:HorizontalPodAutoscaler";
const DEPLOYMENT = "kubernetes:apps/v1:Deployment";
const CLAIM = "kubernetes:core/v1:PersistentVolumeClaim";
const POLICY = "kubernetes:networking.k8s.io/v1:NetworkPolicy";
const SECRET = "kubernetes:external-secrets.io/v1:ExternalSecret";
const COMPONENT = "cluster-scale:queue:QueueScaledWorkload";

const WORKLOAD = {
  image: "registry.example/mailer:1.4.2",
  secrets: [{ env: "DATABASE_URL", secret: "db", key: "url", external: { store: "vault", remoteKey: "db" } }],
  probes: { startup: { tcpPort: 1 }, liveness: { tcpPort: 1 }, readiness: { tcpPort: 2 } },
  volume: { mountPath: "/data", size: "1Gi" },
};

async function declared(fields: object = {}, externalSecrets?: string) {
  const written = { namespace: "jobs", name: "mailer", target: 20, max: 6, ...fields };
  const queue = parsePolicy({ workloads: [], queues: [written] }).queues[0] as QueuePolicy;
  const args = { queue, bounds: { minReplicas: 1, maxReplicas: 4 } };
  return previewed(async () => {
    new QueueScaledWorkload("jobs/mailer", externalSecrets === undefined ? args : { ...args, externalSecrets });
  });
}

/** What was declared, without the stack itself: type and name. */
async function names(...args: Parameters<typeof declared>): Promise<string[]> {
  const { resources } = await declared(...args);
  return resources.filter(({ type }) => type !== "pulumi:pulumi:Stack").map(({ type, name }) => `${type} ${name}`);
}

test("for a Deployment of somebody else nothing but the autoscaler", async () => {
  expect(await names()).toEqual([`${COMPONENT} jobs/mailer`, `${HPA} jobs/mailer`]);
});

test("a declared workload comes with what it needs, and the autoscaler last", async () => {
  const all = await names({ workload: WORKLOAD }, "v1");
  expect(all.toSorted()).toEqual(
    [
      `${COMPONENT} jobs/mailer`,
      `${POLICY} jobs/mailer-default-deny`,
      `${POLICY} jobs/mailer-allow`,
      `${CLAIM} jobs/mailer`,
      `${SECRET} jobs/db`,
      `${DEPLOYMENT} jobs/mailer`,
      `${HPA} jobs/mailer`,
    ].toSorted(),
  );
  expect(all.slice(-2)).toEqual([`${DEPLOYMENT} jobs/mailer`, `${HPA} jobs/mailer`]);
});

test("without External Secrets the Secret is referred to all the same", async () => {
  const resources = await declared({ workload: WORKLOAD });
  expect(ofType(resources, SECRET)).toEqual([]);
  expect(ofType(resources, DEPLOYMENT)[0]?.inputs.spec.template.spec.containers[0].env).toEqual([
    { name: "DATABASE_URL", valueFrom: { secretKeyRef: { name: "db", key: "url" } } },
  ]);
});

describe("what leaves the program stays in the cluster", () => {
  test.each([DEPLOYMENT, CLAIM, POLICY, SECRET, HPA])("%s", async (type) => {
    const { args } = await declared({ workload: WORKLOAD }, "v1");
    expect(args.get(type)?.opts.retainOnDelete).toBe(true);
  });

  test("but for the autoscaler where there is consent, and nothing else even then", async () => {
    const { args } = await declared({ workload: WORKLOAD, deleteHpaOnRemoval: true }, "v1");
    expect(args.get(HPA)?.opts.retainOnDelete).toBe(false);
    expect(args.get(DEPLOYMENT)?.opts.retainOnDelete).toBe(true);
  });
});
