/**
 * Probes: a pod of the template for each node of a scenario, steered there, which the scheduler either binds or says why
 * not. So every verdict on a node is judged, not only those on the nodes that it happens to choose.
 */
import type { KubeObject } from "../cluster/objects.ts";
import type { Scenario } from "./scenario.ts";

type Term = { matchExpressions?: unknown[]; matchFields?: unknown[] };

/** The label of a probe, whose value is the node it is for. */
export const PROBE = "judge/probe";

/**
 * Pods that are the template's but for what concerns other pods: they have no labels of it and no rules on neighbours, so
 * that all can be tried at once. Of spread constraints the topology keys stay, which a node must have.
 */
export function probesOf({ deployment, nodes, names }: Scenario): KubeObject[] {
  const { spec } = deployment.spec.template;
  return nodes.map(({ metadata: { name } }, i) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace: names.namespace, name: `probe-${i}`, labels: { [PROBE]: name } },
    spec: {
      ...spec,
      affinity: { nodeAffinity: steered(spec.affinity.nodeAffinity, name) },
      topologySpreadConstraints: spec.topologySpreadConstraints.map(
        ({ topologyKey, whenUnsatisfiable }: Record<string, string>) => ({
          topologyKey,
          whenUnsatisfiable,
          maxSkew: 1,
        }),
      ),
    },
  }));
}

/** Node affinity that also requires the one node. A term of nothing matches no node, and must go on doing so. */
function steered(
  affinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: Term[] } } | undefined,
  node: string,
) {
  const here = { key: "metadata.name", operator: "In", values: [node] };
  const terms = affinity?.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms;
  const steer = (term: Term) =>
    Object.keys(term).length === 0 ? term : { ...term, matchFields: [...(term.matchFields ?? []), here] };
  return {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: terms?.map(steer) ?? [{ matchFields: [here] }],
    },
  };
}
