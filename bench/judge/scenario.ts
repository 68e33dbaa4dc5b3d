/**
 * One scenario for the scheduler to judge: a few nodes, pods that stand there, and a Deployment. The same number always
 * gives the same scenario, whatever place it has on a cluster.
 */
import fc from "fast-check";
import type { KubeObject } from "../cluster/objects.ts";
import {
  APP,
  antiAffinity,
  hostPorts,
  mostly,
  Names,
  OTHER_APPS,
  resources,
  sometimes,
  TIER,
  withoutUndefined,
} from "./arbitrary.ts";
import { nodesArbitrary } from "./nodes.ts";
import { type Template, templateArbitrary } from "./template.ts";

export interface Scenario extends Objects {
  names: Names;
}

interface Objects {
  nodes: KubeObject[];
  /** Pods of others, each bound to its node. */
  standing: StandingPod[];
  /** With the replicas that it starts with. */
  deployment: KubeObject;
  /** RuntimeClass, LimitRange, volume and claim, where there are any. */
  others: KubeObject[];
}

export interface StandingPod {
  pod: KubeObject;
  state: "running" | "finished" | "terminating";
}

/** @param place see Names */
export function scenarioOf(number: number, place: number): Scenario {
  const names = new Names(number, place);
  // Neighbouring numbers must not give alike scenarios.
  const [scenario] = fc.sample(fc.noBias(scenarioArbitrary(names)), {
    seed: Math.imul(number, 0x9e3779b1),
    numRuns: 1,
  });
  if (scenario === undefined) throw new Error(`no scenario ${number}`);
  return { ...withoutUndefined<Objects>(scenario), names };
}

function scenarioArbitrary(names: Names): fc.Arbitrary<Objects> {
  return fc
    .record({
      nodes: nodesArbitrary(names),
      template: templateArbitrary(names),
      replicas: fc.constantFrom(1, 1, 2, 3),
    })
    .chain(({ nodes, template: { others, ...template }, replicas }) =>
      standingArbitrary(names, nodes, template).map((standing) => ({
        nodes,
        others,
        standing,
        deployment: deployment(names, template, replicas),
      })),
    );
}

function standingArbitrary(
  names: Names,
  nodes: KubeObject[],
  template: Omit<Template, "others">,
): fc.Arbitrary<StandingPod[]> {
  const pod = fc
    .record({
      // Pods that the Deployment's selector matches too, though no ReplicaSet made them, are among them.
      app: mostly(2, OTHER_APPS[0] as string, ...OTHER_APPS.slice(1), APP),
      tier: sometimes(30, fc.constant(TIER)),
      namespace: fc.constantFrom(names.namespace, names.namespace, names.otherNamespace),
      nodeName: fc.constantFrom(...nodes.map(({ metadata }) => metadata.name)),
      resources,
      ports: sometimes(20, hostPorts),
      affinity: sometimes(30, antiAffinity(names)),
      state: fc.oneof(
        { weight: 16, arbitrary: fc.constant("running" as const) },
        { weight: 4, arbitrary: fc.constantFrom("finished" as const, "terminating" as const) },
      ),
    })
    .map(({ app, tier, namespace, nodeName, resources, ports, affinity, state }) => ({
      state,
      pod: {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { namespace, name: "", labels: { app, ...(tier ? { tier } : {}) } } as KubeObject["metadata"],
        spec: {
          nodeName,
          terminationGracePeriodSeconds: 0,
          // Own pods have what their template has, which may not let them stay on some nodes.
          tolerations: app === APP ? template.spec.tolerations : [{ operator: "Exists" }],
          containers: [{ name: "app", image: "registry.example.invalid/other:1", resources, ports }],
          affinity,
        },
      },
    }));
  const evicting = new Set(
    nodes
      .filter(({ spec }) => spec.taints.some(({ effect }: { effect: string }) => effect === "NoExecute"))
      .map(({ metadata }) => metadata.name),
  );
  const stays = ({ pod }: StandingPod) => pod.metadata.labels?.app !== APP || !evicting.has(pod.spec.nodeName);
  return fc.array(pod, { maxLength: 6 }).map((pods) =>
    pods.filter(stays).map((standing, i) => ({
      ...standing,
      pod: { ...standing.pod, metadata: { ...standing.pod.metadata, name: `other-${i}` } },
    })),
  );
}

function deployment({ namespace }: Names, template: Omit<Template, "others">, replicas: number): KubeObject {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace, name: APP },
    spec: { replicas, selector: { matchLabels: { app: APP } }, template },
  };
}
