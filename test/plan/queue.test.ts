import { describe, expect, it } from "vitest";
import type { FieldManager, HorizontalPodAutoscaler, Snapshot } from "../../src/cluster/snapshot.ts";
import type { QueuePolicy, QueueWorkload } from "../../src/config/queue.ts";
import { plan } from "../../src/plan/index.ts";
import type { QueueEntry } from "../../src/plan/plan.ts";
import {
  autoscaler,
  deployment,
  GIB,
  lostNodes,
  nodes,
  pod,
  policy,
  queue,
  requesting,
  snapshot,
  workload,
} from "./builders.ts";

const OURS: FieldManager = { manager: "cluster-scale-queue", operation: "Apply", ownsCount: true };
const PERSON: FieldManager = { manager: "kubectl", operation: "Update", ownsCount: true };

/** Our autoscaler of `shop/worker`. */
function ours(fields: Partial<HorizontalPodAutoscaler> = {}): HorizontalPodAutoscaler {
  return autoscaler("worker", { fieldManagers: [OURS], maxReplicas: 3, ...fields });
}

/** Three workers and `shop/worker` at one replica, which has been scaled by an autoscaler before. */
function cluster(fields: Partial<Snapshot> = {}, replicas = 1): Snapshot {
  const scaled: FieldManager = { manager: "kube-controller-manager", operation: "Update", ownsCount: true };
  const worker = deployment("worker", { replicas, fieldManagers: [scaled] });
  return snapshot({ nodes: nodes(3), deployments: [worker], ...fields });
}

function planned(of: Snapshot, fields: Partial<QueuePolicy> = {}, takeOver: string[] = []): QueueEntry {
  const { queues = [] } = plan(of, policy([], { queues: [queue("worker", fields)], owners: { takeOver } }));
  return queues[0] as QueueEntry;
}

/** What is decided, and the bounds that are declared. */
function decided(of: Snapshot, fields: Partial<QueuePolicy> = {}) {
  const { decision, current, target, reasons, warnings, action } = planned(of, fields);
  const bounds = action === null ? null : [action.minReplicas, action.maxReplicas];
  return { decision, current, target, reasons, warnings, bounds };
}

const PLAIN = { reasons: [], warnings: [] };
const WORKLOAD: QueueWorkload = {
  image: "worker:1",
  env: {},
  secrets: [],
  resources: { requests: {}, limits: {} },
  probes: {
    startup: { action: { tcpPort: 1 }, timing: {} },
    liveness: { action: { tcpPort: 2 }, timing: {} },
    readiness: { action: { tcpPort: 3 }, timing: {} },
  },
  terminationGracePeriodSeconds: 60,
  network: { dns: [], ingress: [], egress: [] },
};

describe("the maximum follows the workers", () => {
  it("is created within them", () => {
    expect(planned(cluster())).toEqual({
      workload: "shop/worker",
      decision: "create",
      current: null,
      target: 3,
      grow: 3,
      keep: 3,
      reasons: [],
      warnings: [],
      message:
        "creating HorizontalPodAutoscaler worker with a maximum of 3: 3 workers can take its pods (w-1, w-2, w-3). " +
        'It runs 1 to 3 pods, one for each 5 of oban_queue_depth{state="available"}',
      action: {
        kind: "queue",
        namespace: "shop",
        name: "worker",
        minReplicas: 1,
        maxReplicas: 3,
        declared: {
          metric: "oban_queue_depth",
          selector: { state: "available" },
          target: 5,
          scaleDown: { stabilizationWindowSeconds: 600 },
        },
      },
    });
  });

  it.each([
    ["as many as there are workers", {}, {}, { decision: "keep", current: 3, target: 3, bounds: [1, 3] }],
    ["a further worker", { nodes: nodes(4) }, {}, { decision: "scale-up", current: 3, target: 4, bounds: [1, 4] }],
    ["at most max", {}, { max: 2 }, { decision: "scale-down", current: 3, target: 2, bounds: [1, 2] }],
    ["the minimum of the policy", {}, { min: 2 }, { decision: "keep", current: 3, target: 3, bounds: [2, 3] }],
    [
      "the formula",
      {},
      { formula: { nodesPerReplica: 3 } },
      { decision: "scale-down", current: 3, target: 1, bounds: [1, 1] },
    ],
  ] as const)("%s", (_what, fields, of, expected) => {
    const given = cluster({ horizontalPodAutoscalers: [ours()], ...(fields as Partial<Snapshot>) });
    expect(decided(given, of as Partial<QueuePolicy>)).toEqual({ ...PLAIN, ...expected });
  });

  it("stays where it is while a worker is cordoned", () => {
    const [, second, third] = nodes(3);
    const cordoned = [...nodes(1, { unschedulable: true }), second, third] as Snapshot["nodes"];
    expect(decided(cluster({ nodes: cordoned, horizontalPodAutoscalers: [ours()] }))).toEqual({
      decision: "hold",
      current: 3,
      target: 3,
      reasons: ["cordoned"],
      warnings: [],
      bounds: [1, 3],
    });
  });

  it("takes the room that workloads of the allowlist leave", () => {
    const worker = deployment("worker", { template: { claims: requesting({ cpu: 3000, memory: GIB }) } });
    const web = deployment("web", { template: { claims: requesting({ cpu: 3000, memory: GIB }) } });
    const given = snapshot({
      nodes: nodes(3),
      deployments: [web, worker],
      pods: [
        pod("web", "web-1", "w-1", { claims: requesting({ cpu: 3000, memory: GIB }) }),
        pod("worker", "worker-1", "w-2", { claims: requesting({ cpu: 3000, memory: GIB }) }),
      ],
    });
    const { workloads, queues } = plan(given, policy([workload("web", { max: 2 })], { queues: [queue("worker")] }));
    expect(workloads[0]?.target).toBe(2);
    expect(queues?.[0]).toMatchObject({ target: 1, reasons: ["capacity"] });
  });
});

describe("a worker leaves while the autoscaler runs at its bound", () => {
  const three = (replicas: number) => ours({ maxReplicas: 4, currentReplicas: replicas });

  it("lowers the maximum no further than to what runs", () => {
    const given = cluster({ horizontalPodAutoscalers: [three(4)] }, 4);
    expect(decided(given)).toEqual({
      decision: "hold",
      current: 4,
      target: 4,
      reasons: ["hpa"],
      warnings: [],
      bounds: [1, 4],
    });
    expect(planned(given).message).toContain("a maximum below the 4 replicas that run now would cut at once");
  });

  it("goes by the Deployment where the autoscaler has no status yet", () => {
    expect(decided(cluster({ horizontalPodAutoscalers: [three(0)] }, 4))).toMatchObject({ bounds: [1, 4] });
  });

  it("lowers it once fewer run", () => {
    expect(decided(cluster({ horizontalPodAutoscalers: [three(2)] }, 2))).toMatchObject({
      decision: "scale-down",
      bounds: [1, 3],
    });
  });

  it("lowers the minimum at once, without which fewer would never run", () => {
    const given = cluster({ horizontalPodAutoscalers: [ours({ minReplicas: 4, maxReplicas: 4 })] }, 4);
    expect(decided(given, { min: 4 })).toEqual({
      decision: "hold",
      current: 4,
      target: 4,
      reasons: ["hpa"],
      warnings: ["minimum-lowered"],
      bounds: [3, 4],
    });
  });

  it("lowers neither while so many are gone that the view of the cluster is in doubt", () => {
    const given = cluster({
      nodes: [...nodes(3), ...lostNodes(4)],
      horizontalPodAutoscalers: [ours({ minReplicas: 5, maxReplicas: 7, currentReplicas: 1 })],
    });
    expect(decided(given, { min: 5 })).toMatchObject({ reasons: ["cluster-unhealthy"], bounds: [5, 7] });
  });

  it("changes nothing where there is no worker at all", () => {
    const given = cluster({ nodes: [], horizontalPodAutoscalers: [ours({ minReplicas: 2 })] });
    expect(decided(given, { min: 2 })).toMatchObject({
      decision: "hold",
      reasons: ["no-ready-worker"],
      bounds: [2, 3],
    });
  });
});

it("creates nothing where there is no worker at all", () => {
  expect(planned(cluster({ nodes: [] }))).toMatchObject({
    decision: "hold",
    current: null,
    target: null,
    message: "not creating HorizontalPodAutoscaler worker yet: there is no worker",
    action: null,
  });
});

describe("who is in the way", () => {
  const keda = [{ namespace: "shop", name: "worker", target: autoscaler("worker").target }];
  const gitOps = deployment("worker", { labels: { "kustomize.toolkit.fluxcd.io/name": "apps" } });

  it.each([
    ["no Deployment", { deployments: [] }, "missing", [], "missing: there is no Deployment shop/worker"],
    [
      "a Deployment that was switched off",
      { deployments: [deployment("worker", { replicas: 0 })] },
      "skip",
      ["scaled-to-zero"],
      "skipped: someone switched it off, and an autoscaler leaves 0 replicas alone; one replica switches it on again",
    ],
    [
      "another autoscaler on the Deployment",
      { horizontalPodAutoscalers: [autoscaler("by-hand", { target: autoscaler("worker").target })] },
      "defer",
      ["hpa"],
      "left alone: HorizontalPodAutoscaler by-hand is there already, and two autoscalers on one Deployment fight; delete it, or name the field manager of its maxReplicas in `owners.takeOver`",
    ],
    [
      "an autoscaler of the same name",
      { horizontalPodAutoscalers: [autoscaler("worker", { fieldManagers: [PERSON] })] },
      "defer",
      ["hpa"],
      "left alone: HorizontalPodAutoscaler worker is there already, and two autoscalers on one Deployment fight; delete it, or name the field manager of its maxReplicas in `owners.takeOver`",
    ],
    [
      "KEDA, which makes an autoscaler too",
      {
        scaledObjects: keda,
        horizontalPodAutoscalers: [
          autoscaler("keda-hpa-worker", {
            target: autoscaler("worker").target,
            ownerReferences: [{ kind: "ScaledObject", name: "worker" }],
          }),
        ],
      },
      "defer",
      ["keda"],
      "left alone: the count is up to KEDA's ScaledObject worker, paused or not",
    ],
    [
      "GitOps that sets the count",
      { deployments: [gitOps] },
      "defer",
      ["flux"],
      "left alone: Flux's Kustomization shop/apps sets spec.replicas, which an autoscaler would fight; leave replicas out of its manifests",
    ],
    [
      "an operator",
      { deployments: [deployment("worker", { ownerReferences: [{ kind: "Shop", name: "shop" }] })] },
      "refuse",
      ["operator-owned"],
      "refused: it is owned by Shop shop, which would set the count back",
    ],
  ] as const)("%s: nothing is declared", (_who, fields, decision, reasons, message) => {
    expect(planned(cluster(fields as unknown as Partial<Snapshot>))).toEqual({
      workload: "shop/worker",
      decision,
      current: null,
      target: null,
      grow: null,
      keep: null,
      reasons,
      warnings: [],
      message,
      action: null,
    });
  });

  it("GitOps that leaves the count free is in nobody's way", () => {
    const free = { ...gitOps, fieldManagers: [{ ...OURS, manager: "kustomize-controller", ownsCount: false }] };
    expect(decided(cluster({ deployments: [free] }))).toMatchObject({ decision: "create" });
  });

  it("an autoscaler that is ours stays declared as it is, whoever comes: leaving it out would remove it", () => {
    const given = cluster({ scaledObjects: keda, horizontalPodAutoscalers: [ours({ minReplicas: 2 })] });
    expect(decided(given)).toEqual({
      decision: "defer",
      current: 3,
      target: 3,
      reasons: ["keda"],
      warnings: [],
      bounds: [2, 3],
    });
    expect(planned(given).message).toMatch(/\. HorizontalPodAutoscaler worker stays as it is$/);
  });

  it("an autoscaler whose maximum a named manager holds is taken over", () => {
    const given = cluster({ horizontalPodAutoscalers: [autoscaler("worker", { fieldManagers: [PERSON] })] });
    expect(planned(given, {}, ["kubectl"])).toMatchObject({ decision: "scale-down", current: 10, target: 3 });
  });

  it("without managedFields the label tells whose an autoscaler is", () => {
    const labels = { "app.kubernetes.io/managed-by": "cluster-scale" };
    const given = cluster({ horizontalPodAutoscalers: [ours({ fieldManagers: [], labels })] });
    expect(decided(given)).toMatchObject({ decision: "keep" });
  });
});

describe("a workload that is declared with its queue", () => {
  it("is refused where somebody else has declared the Deployment", () => {
    expect(planned(cluster(), { workload: WORKLOAD })).toMatchObject({
      decision: "refuse",
      reasons: ["declared-elsewhere"],
      message:
        "refused: Deployment shop/worker is there and was declared elsewhere; leave out `workload` to scale it as it is, or delete it",
      action: null,
    });
  });

  it("runs one pod on a volume that one node can mount", () => {
    const worker = deployment("worker", { fieldManagers: [{ ...OURS, ownsCount: false }] });
    const volume = { mountPath: "/data", size: "1Gi", accessMode: "ReadWriteOnce" } as const;
    const entry = planned(cluster({ deployments: [worker] }), { min: 2, workload: { ...WORKLOAD, volume } });
    expect(entry).toMatchObject({
      decision: "create",
      target: 1,
      warnings: ["single-node-volume"],
      action: { minReplicas: 1, maxReplicas: 1, declared: { workload: { volume } } },
    });
    expect(entry.message).toContain(
      "Its volume is ReadWriteOnce, which only one node can mount: it never runs more than 1 pod, whatever waits; ReadWriteMany lifts that",
    );
  });
});

it("a Deployment of somebody else on a volume that one node can mount is refused", () => {
  const worker = deployment("worker", {
    template: { volumes: [{ type: "claim", name: "data", claimName: "data", readOnly: false }] },
  });
  const claim = { namespace: "shop", name: "data", accessModes: ["ReadWriteOnce"], volumeName: "" };
  const given = cluster({ deployments: [worker], persistentVolumeClaims: [claim] });
  expect(planned(given)).toMatchObject({
    decision: "refuse",
    reasons: ["singleton-volume"],
    message:
      "refused to create HorizontalPodAutoscaler worker with a maximum of 3: more replicas would share what only one node may mount: claim data (ReadWriteOnce)",
    action: null,
  });
});

describe("removal", () => {
  it("consent to it is in the plan before", () => {
    const entry = planned(cluster({ horizontalPodAutoscalers: [ours()] }), { deleteHpaOnRemoval: true });
    expect(entry.warnings).toEqual(["delete-on-removal"]);
    expect(entry.message).toContain(
      "Once the queue is taken off the list its autoscaler is deleted, and worker is left at the count of that moment",
    );
  });

  it.each([
    [
      "retain",
      "HorizontalPodAutoscaler shop/worker was declared for a queue that is no longer in the policy: it stays and goes on scaling, " +
        "since without it its Deployment would be left at its present 4 replicas. " +
        "To have it deleted, list the queue once more with deleteHpaOnRemoval: true, apply, and take it off.",
    ],
    [
      "delete",
      "HorizontalPodAutoscaler shop/worker was declared for a queue that is no longer in the policy, and goes with it, as deleteHpaOnRemoval says: " +
        "its Deployment is left at its present 4 replicas, and nothing scales it any more.",
    ],
  ])("an autoscaler without a queue is noted: %s", (onRemoval, note) => {
    const left = ours({ labels: { "cluster-scale/on-removal": onRemoval } });
    expect(
      plan(cluster({ horizontalPodAutoscalers: [left], pods: [pod("a", "a", "w-1")] }, 4), policy([])).notes,
    ).toEqual([note]);
  });
});

it("a plan without queues has none", () => {
  expect(plan(cluster(), policy([]))).not.toHaveProperty("queues");
});
