import { describe, expect, it } from "vitest";
import type { Snapshot } from "../../src/cluster/snapshot.ts";
import type { WorkloadPolicy } from "../../src/config/policy.ts";
import { plan } from "../../src/plan/index.ts";
import {
  affinityTerm,
  autoscaler,
  claims,
  deployment,
  labelIn,
  lostNodes,
  node,
  nodes,
  pod,
  policy,
  requesting,
  secondsAgo,
  snapshot,
  spread,
  taint,
  toleration,
  workload,
} from "./builders.ts";

type Web = Parameters<typeof deployment>[1];
const TARGET = { group: "apps", kind: "Deployment", name: "web" };

function message(web: Web, more: Partial<Snapshot> = {}, entry: Partial<WorkloadPolicy> = {}) {
  const cluster = snapshot({ nodes: nodes(3), deployments: [deployment("web", web)], ...more });
  return plan(cluster, policy([workload("web", entry)]))
    .workloads.map((planned) => planned.message)
    .join();
}

const cordonedOf = (count: number) =>
  Array.from({ length: count }, (_, i) => node(`old-${String(i + 1).padStart(2, "0")}`, { unschedulable: true }));
const down = { ready: { status: "False", since: secondsAgo(60) } };

describe("what is planned", () => {
  it.each<[string, string, Web, Partial<Snapshot>?, Partial<WorkloadPolicy>?]>([
    ["scale-up", "raising from 1 to 3: 3 workers can take its pods (w-1, w-2, w-3)", {}],
    ["one worker", "keeping 1: 1 worker can take its pods (w-1)", {}, { nodes: nodes(1) }],
    [
      "a formula that is not one a node",
      "lowering from 9 to 5: 8 workers can take its pods (w-1, w-2, w-3, w-4, w-5 and 3 more), for which the formula linear (max 5) gives 5",
      { replicas: 9 },
      { nodes: nodes(8) },
      { max: 5 },
    ],
    [
      "a formula with everything",
      "raising from 1 to 2: 3 workers can take its pods (w-1, w-2, w-3), for which the formula nodesPerReplica 4 and coresPerReplica 9.5 (max 10, min 2, spare 1) gives 2",
      {},
      {},
      { formula: { nodesPerReplica: 4, coresPerReplica: 9.5 }, min: 2, spare: 1 },
    ],
    [
      "a ladder",
      "keeping 1: 3 workers can take its pods (w-1, w-2, w-3), for which the formula ladder [[1,1],[4,2]] (max 10) gives 1",
      {},
      {},
      {
        formula: {
          ladder: [
            [1, 1],
            [4, 2],
          ],
        },
      },
    ],
    [
      "cordoned",
      "keeping 10: 10 of 12 workers are cordoned (old-01, old-02, old-03, old-04, old-05 and 5 more); 2 could take new replicas",
      { replicas: 10 },
      { nodes: [...cordonedOf(10), ...nodes(2)] },
      { max: 20 },
    ],
    [
      "six names are not shortened",
      "keeping 6: 6 of 7 workers are cordoned (old-01, old-02, old-03, old-04, old-05, old-06); 1 could take new replicas",
      { replicas: 6 },
      { nodes: [...cordonedOf(6), node("w-1")] },
    ],
    [
      "several states",
      "lowering from 9 to 3: 1 of 3 workers is cordoned (old-01), 1 of 3 workers is not Ready (w-2); 1 could take new replicas",
      { replicas: 9 },
      { nodes: [...cordonedOf(1), node("w-1"), node("w-2", down)] },
    ],
    [
      "none to grow on",
      "keeping 1: 1 of 1 worker is cordoned (old-01); none could take new replicas",
      {},
      { nodes: cordonedOf(1) },
    ],
    ["no worker", "keeping 1: there is no worker", {}, { nodes: [] }],
    ["no Ready worker", "keeping 1: of 4 workers none is Ready", {}, { nodes: lostNodes(4) }],
    [
      "no matching worker",
      "keeping 1: none of 3 workers is one that its pods may use",
      { template: { nodeSelector: { disk: "ssd" } } },
    ],
    [
      "an unhealthy cluster",
      "keeping 8: 4 workers can take its pods (w-1, w-2, w-3, w-4); 4 of 8 workers are not Ready, and nothing shrinks until that is clear",
      { replicas: 8 },
      { nodes: [...nodes(4), ...lostNodes(4)] },
    ],
    [
      "placement",
      "keeping 1: 3 workers can take its pods (w-1, w-2, w-3); its own placement rules allow 1",
      { template: { topologySpread: [spread("web", { topologyKey: "kubernetes.io/os", minDomains: 2 })] } },
    ],
    [
      "room",
      "keeping 1: 3 workers can take its pods (w-1, w-2, w-3); the free room is enough for 1",
      { template: { claims: requesting({ cpu: 5000 }) } },
    ],
    [
      "pods that are refused",
      "keeping 1: 3 workers can take its pods (w-1, w-2, w-3); its pods are refused (exceeded quota)",
      { replicaFailure: "exceeded quota" },
    ],
    [
      "pods that are refused, nobody says why",
      "keeping 1: 3 workers can take its pods (w-1, w-2, w-3); its pods are refused",
      { replicaFailure: "" },
    ],
    [
      "pods without a node",
      "keeping 2: 3 workers can take its pods (w-1, w-2, w-3); the scheduler finds no node for web-2",
      { replicas: 2 },
      { pods: [pod("web", "web-1", "w-1"), pod("web", "web-2", "", { unschedulable: true })] },
    ],
    [
      "quota",
      "raising from 1 to 2: 3 workers can take its pods (w-1, w-2, w-3); a ResourceQuota allows 2",
      {},
      { resourceQuotas: [{ namespace: "shop", name: "q", hard: { pods: 2 }, used: { pods: 1 }, scopes: [] }] },
    ],
    [
      "an autoscaler's maximum",
      "lowering the maximum of HorizontalPodAutoscaler web from 10 to 3: 3 workers can take its pods (w-1, w-2, w-3)",
      {},
      { horizontalPodAutoscalers: [autoscaler("web")] },
      { hpa: "bounds" },
    ],
    [
      "an autoscaler that runs more",
      "keeping the maximum of HorizontalPodAutoscaler web at 5: 3 workers can take its pods (w-1, w-2, w-3); a maximum below the 5 replicas that run now would cut at once",
      {},
      { horizontalPodAutoscalers: [autoscaler("web", { maxReplicas: 5, currentReplicas: 5 })] },
      { hpa: "bounds" },
    ],
    [
      "unsafe by claim",
      "refused to raise from 1 to 3: more replicas would share what only one node may mount: claim data (can't be read)",
      { template: { volumes: [{ type: "claim", name: "d", claimName: "data", readOnly: false }] } },
    ],
    [
      "unsafe in two ways",
      "refused to raise from 1 to 3: its strategy Recreate says that two replicas must not run at a time; it writes to directories of its node: logs",
      {
        strategy: { type: "Recreate", maxSurge: 0, maxUnavailable: 0 },
        template: { volumes: [{ type: "hostPath", name: "logs", writable: true }] },
      },
    ],
  ])("%s", (_what, text, web, more = {}, entry = {}) => {
    expect(message(web, more, entry)).toBe(text);
  });
});

describe("what is left to its owner", () => {
  const flux = {
    labels: { "kustomize.toolkit.fluxcd.io/name": "apps", "kustomize.toolkit.fluxcd.io/namespace": "flux-system" },
  };

  it.each<[string, string, Web, Partial<Snapshot>?, Partial<WorkloadPolicy>?]>([
    ["missing", "missing: there is no Deployment shop/web", {}, { deployments: [] }],
    [
      "not-a-deployment",
      "refused: a StatefulSet is out of reach, only Deployments are scaled",
      {},
      {},
      { kind: "StatefulSet" },
    ],
    ["being-deleted", "refused: its Deployment is being deleted", { deleting: true }],
    [
      "operator-owned",
      "refused: it is owned by Team a, which would set the count back",
      { ownerReferences: [{ kind: "Team", name: "a" }] },
    ],
    ["scaled-to-zero", "skipped: someone switched it off; one replica switches it on again", { replicas: 0 }],
    [
      "hpa",
      "left alone: the count is up to HorizontalPodAutoscaler web; with `hpa: bounds` the maximum of a single one is planned instead",
      {},
      { horizontalPodAutoscalers: [autoscaler("web")] },
    ],
    [
      "keda",
      "left alone: the count is up to KEDA's ScaledObject so, paused or not",
      {},
      { scaledObjects: [{ namespace: "shop", name: "so", target: TARGET }] },
    ],
    [
      "argo-rollout",
      "left alone: its pods are run by Argo's Rollout ro",
      {},
      { rollouts: [{ namespace: "shop", name: "ro", workloadRef: TARGET }] },
    ],
    [
      "argocd",
      "left alone: the count is up to Argo CD's Application app; `gitops: override` or `gitops: write` would plan it all the same",
      { annotations: { "argocd.argoproj.io/tracking-id": "app:apps/Deployment:shop/web" } },
    ],
    [
      "flux",
      "left alone: the count is up to Flux's Kustomization flux-system/apps; `gitops: override` or `gitops: write` would plan it all the same",
      flux,
    ],
    [
      "addon-manager",
      "left alone: an add-on manager keeps it as it is (addonmanager.kubernetes.io/mode)",
      { labels: { "addonmanager.kubernetes.io/mode": "Reconcile" } },
    ],
    [
      "field-owner",
      "left alone: the count is written by eks; `owners.takeOver` names managers to take it from",
      { fieldManagers: [{ manager: "eks", operation: "Apply", ownsCount: true }] },
    ],
  ])("%s", (_reason, text, web, more = {}, entry = {}) => {
    expect(message(web, more, entry)).toBe(text);
  });
});

describe("warnings follow, a sentence each", () => {
  const growing = "raising from 1 to 3: 3 workers can take its pods (w-1, w-2, w-3)";

  it.each<[string, string, Web, Partial<Snapshot>?, Partial<WorkloadPolicy>?]>([
    [
      "rollout-deadlock",
      "A rollout would wait forever: none of 3 workers is left for a new pod, and maxUnavailable comes out as 0",
      { template: { claims: claims({ podAntiAffinity: [affinityTerm("web")] }) } },
    ],
    [
      "pdb-blocks-drain",
      "PodDisruptionBudget a, b allows no eviction at 3, so a drain will wait",
      {},
      {
        podDisruptionBudgets: ["b", "a"].map((name) => ({
          namespace: "shop",
          name,
          selector: [labelIn("app", "web")],
          minAvailable: 3,
          maxUnavailable: null,
        })),
      },
    ],
    ["rollout-paused", "Its rollout is paused", { paused: true }],
    [
      "tolerated-pool",
      "It only tolerates the taints of w-1, which all the same count as its workers",
      { template: { claims: claims({ tolerations: [toleration({ key: "gpu" })] }) } },
      { nodes: [node("w-1", { taints: [taint("gpu")] }), node("w-2"), node("w-3")] },
    ],
    [
      "capacity-unknown",
      "The free room is not known (the pods were not read), so new replicas may stay Pending",
      {},
      { unread: { pods: "forbidden" } },
    ],
    [
      "capacity-unknown by node",
      "The free room is not known (a node states no allocatable), so new replicas may stay Pending",
      {},
      { nodes: nodes(3, { allocatable: null }) },
    ],
    [
      "capacity",
      "Some may stay Pending: the free room is enough for 1",
      { template: { claims: requesting({ cpu: 5000 }) } },
      {},
      { capacity: "warn" },
    ],
    [
      "quota",
      "Some may not be created: a ResourceQuota allows 1",
      {},
      { resourceQuotas: [{ namespace: "shop", name: "q", hard: { pods: 1 }, used: { pods: 1 }, scopes: [] }] },
      { capacity: "warn" },
    ],
    [
      "gitops-override",
      "HelmRelease shop/web may set the count back",
      { labels: { "helm.toolkit.fluxcd.io/name": "web" } },
      {},
      { gitops: "override" },
    ],
    [
      "not-modelled",
      "Rules towards other pods and volumes per pod are not modelled, so new replicas may stay Pending",
      { template: { volumes: [{ type: "ephemeral", name: "d" }] } },
    ],
  ])("%s", (_warning, text, web, more = {}, entry = {}) => {
    expect(message(web, more, entry)).toBe(`${growing}. ${text}`);
  });
});
