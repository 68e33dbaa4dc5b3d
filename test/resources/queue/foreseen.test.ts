import { expect, test } from "vitest";
import type { QueuePolicy } from "../../../src/config/queue.ts";
import { parsePolicy } from "../../../src/config/schema.ts";
import { planned } from "../../../src/resources/planned.ts";
import { deployment, node, nodes, pod, requesting, snapshot } from "../../plan/builders.ts";

const policy = parsePolicy({
  workloads: [],
  queues: [
    {
      namespace: "jobs",
      name: "mailer",
      target: 20,
      max: 6,
      workload: {
        image: "registry.example/mailer:1",
        resources: { requests: { cpu: 3 } },
        probes: { startup: { tcpPort: 1 }, liveness: { tcpPort: 1 }, readiness: { tcpPort: 2 } },
        volume: { mountPath: "/data", size: "1Gi" },
      },
    },
  ],
});

test("a workload that is yet to be declared is planned by the room that it asks for", async () => {
  const taken = pod("web", "web-1", "w-1", { claims: requesting({ cpu: 2000 }) });
  const { queues } = await planned(snapshot({ nodes: nodes(3), pods: [taken] }), policy);
  expect(queues?.[0]).toMatchObject({ decision: "create", target: 2, reasons: ["capacity"] });
});

test("once it is there, what is there counts", async () => {
  const labels = { "app.kubernetes.io/managed-by": "cluster-scale" };
  const there = deployment("mailer", { namespace: "jobs", labels, replicas: 2 });
  const { queues } = await planned(snapshot({ nodes: nodes(3), deployments: [there] }), policy);
  expect(queues?.[0]).toMatchObject({ decision: "create", target: 3 });
});

test("a policy without declared workloads is planned as it is", async () => {
  const [queue] = policy.queues as [QueuePolicy];
  const { workload: _, ...alone } = queue;
  const { queues } = await planned(snapshot({ nodes: [node("w-1")] }), { ...policy, queues: [alone] });
  expect(queues?.[0]).toMatchObject({ decision: "missing" });
});
