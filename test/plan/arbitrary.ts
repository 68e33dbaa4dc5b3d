/** Clusters and policies at random, for the properties of a plan. */
import fc from "fast-check";
import type { Deployment, Node, Pod, PodTemplate, Snapshot, Taint, Toleration } from "../../src/cluster/snapshot.ts";
import type { Policy, WorkloadPolicy } from "../../src/config/policy.ts";
import {
  affinityTerm,
  claims,
  container,
  deployment,
  labelIn,
  node,
  pod,
  policy,
  secondsAgo,
  snapshot,
  spread,
  taint,
  toleration,
  workload,
} from "./builders.ts";

/** What a cluster may have in it. */
export interface Limits {
  /** States of nodes: fields that put a node into them. */
  states: Partial<Node>[];
  spread: boolean;
}

export const READY: Partial<Node> = {};
export const HEALTHY: Partial<Node>[] = [
  READY,
  READY,
  { unschedulable: true },
  { networkUnavailable: true },
  { deleting: true },
  { ready: { status: "True", since: secondsAgo(5) } },
];
export const ANY_STATE: Partial<Node>[] = [
  ...HEALTHY,
  { ready: { status: "False", since: secondsAgo(60) } },
  { ready: { status: "Unknown", since: secondsAgo(900) } },
  { ready: null },
];

const taints: Taint[][] = [[], [], [taint("gpu")], [taint("spot", "NoExecute")], [taint("rest", "PreferNoSchedule")]];
const ZONE = "topology.kubernetes.io/zone";

export function nodeArbitrary(name: string, states: Partial<Node>[]): fc.Arbitrary<Node> {
  return fc
    .record({
      state: fc.constantFrom(...states),
      zone: fc.constantFrom("a", "b", "c"),
      pool: fc.constantFrom("app", "db"),
      taints: fc.constantFrom(...taints),
      cpu: fc.constantFrom(500, 1000, 4000, null),
    })
    .map(({ state, zone, pool, taints, cpu }) =>
      node(name, {
        ...state,
        taints,
        labels: { [ZONE]: zone, pool },
        allocatable: cpu === null ? null : { cpu, memory: 1e10, pods: 5 },
      }),
    );
}

function nodesArbitrary(states: Partial<Node>[]): fc.Arbitrary<Node[]> {
  return fc
    .integer({ min: 0, max: 7 })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, i) => nodeArbitrary(`w-${i + 1}`, states))));
}

function templateArbitrary(app: string, limits: Limits): fc.Arbitrary<Partial<PodTemplate>> {
  return fc
    .record({
      nodeSelector: fc.constantFrom<Record<string, string>[]>({}, {}, { pool: "app" }, { [ZONE]: "a" }),
      affinity: fc.constantFrom<PodTemplate["nodeAffinity"][]>(null, null, [
        { matchExpressions: [labelIn(ZONE, "a", "b")], matchFields: [] },
      ]),
      cpu: fc.constantFrom(0, 100, 400, 2000),
      port: fc.constantFrom(0, 0, 8080),
      apart: fc.constantFrom("", "", "kubernetes.io/hostname", ZONE),
      tolerated: fc.constantFrom<Toleration[][]>([], [], [toleration()], [toleration({ key: "gpu" })]),
      spread: limits.spread
        ? fc.constantFrom<PodTemplate["topologySpread"][]>(
            [],
            [spread(app)],
            [spread(app, { maxSkew: 2, minDomains: 3 })],
          )
        : fc.constant<PodTemplate["topologySpread"]>([]),
      hostPath: fc.constantFrom(false, false, true),
    })
    .map((shape) => ({
      nodeSelector: shape.nodeSelector,
      nodeAffinity: shape.affinity,
      topologySpread: shape.spread,
      volumes: shape.hostPath ? [{ type: "hostPath" as const, name: "h", writable: true }] : [],
      claims: claims({
        containers: [container({ cpu: shape.cpu })],
        hostPorts: shape.port === 0 ? [] : [{ port: shape.port, protocol: "TCP", ip: "0.0.0.0" }],
        podAntiAffinity: shape.apart === "" ? [] : [affinityTerm(app, { topologyKey: shape.apart })],
        tolerations: shape.tolerated,
      }),
    }));
}

/** A Deployment with a pod for each replica, most of them on a node. */
function deploymentArbitrary(
  name: string,
  nodes: Node[],
  limits: Limits,
): fc.Arbitrary<{ deployment: Deployment; pods: Pod[] }> {
  return fc
    .record({
      template: templateArbitrary(name, limits),
      hosts: fc.array(fc.constantFrom("", ...nodes.map((n) => n.name)), { maxLength: 8 }),
    })
    .map(({ template, hosts }) => {
      const made = deployment(name, { replicas: hosts.length, template });
      const pods = hosts.map((host, i) => pod(name, `${name}-${i}`, host, { claims: made.template.claims }));
      return { deployment: made, pods };
    });
}

const formulas: WorkloadPolicy["formula"][] = [
  "linear",
  "ha",
  { nodesPerReplica: 2 },
  { coresPerReplica: 3 },
  {
    ladder: [
      [1, 1],
      [3, 2],
      [5, 4],
    ],
  },
];

function workloadArbitrary(name: string): fc.Arbitrary<WorkloadPolicy> {
  return fc
    .record({
      max: fc.integer({ min: 1, max: 9 }),
      min: fc.integer({ min: 1, max: 3 }),
      spare: fc.integer({ min: 0, max: 2 }),
      formula: fc.constantFrom(...formulas),
    })
    .map((settings) => workload(name, { ...settings, min: Math.min(settings.min, settings.max) }));
}

export interface Situation {
  snapshot: Snapshot;
  policy: Policy;
}

/** Up to three Deployments of the allowlist on up to seven nodes, with all their pods. */
export function situationArbitrary(limits: Limits, workloads = 3): fc.Arbitrary<Situation> {
  const names = ["web", "api", "job"].slice(0, workloads);
  return nodesArbitrary(limits.states).chain((nodes) =>
    fc
      .record({
        made: fc.tuple(...names.map((name) => deploymentArbitrary(name, nodes, limits))),
        entries: fc.tuple(...names.map(workloadArbitrary)),
        strict: fc.boolean(),
      })
      .map(({ made, entries, strict }) => ({
        snapshot: snapshot({
          nodes,
          deployments: made.map((one) => one.deployment),
          pods: made.flatMap((one) => one.pods),
        }),
        policy: policy(entries, { workers: { strict } }),
      })),
  );
}
