/**
 * A Deployment's pod template as admission makes it, which is what the scheduler gets to see. docs/semantics.md,
 * "Eligibility". What follows are the API server's own defaults and plugins: LimitRanger, RuntimeClass,
 * PodNodeSelector (and OpenShift's like), DefaultTolerationSeconds.
 */
import type {
  Deployment,
  NodeSelectorTerm,
  Pod,
  PodAffinityTerm,
  PodClaims,
  PodTemplate,
  Resources,
  Toleration,
  TopologySpreadConstraint,
} from "../cluster/snapshot.ts";
import type { WorkloadPolicy } from "../config/policy.ts";
import { withLabelKeys, withTermLabelKeys } from "./affinity.ts";
import { type ClusterIndex, ownPods } from "./cluster-index.ts";
import { withLimitRangeDefaults } from "./limit-ranges.ts";
import { podRequests } from "./resources.ts";

/** Labels of every node's operating system: the present name, then the one before it. */
export const OS_LABELS = ["kubernetes.io/os", "beta.kubernetes.io/os"];

/** Node labels that something other than the template itself requires, and whose they are. */
export interface AddedNodeSelector {
  /** `RuntimeClass gvisor`, `namespace shop`. */
  of: string;
  labels: Record<string, string>;
}

export interface AdmittedPod {
  template: PodTemplate;
  namespace: string;
  labels: Record<string, string>;
  /** With the defaults of LimitRanges and the overhead of the RuntimeClass. */
  claims: PodClaims;
  /** Effective requests of the whole pod. */
  requests: Resources;
  tolerations: Toleration[];
  /** Beside the template's own nodeSelector. */
  addedNodeSelectors: AddedNodeSelector[];
  /** Required node affinities of bound volumes, each of which must hold. */
  volumeAffinities: { claimName: string; terms: NodeSelectorTerm[] }[];
  /** The operating system that the node must have; null where node labels decide it. */
  os: string | null;
  /** Required terms with label keys merged. */
  antiAffinity: PodAffinityTerm[];
  topologySpread: TopologySpreadConstraint[];
  /** Why admission refuses the pod on every node, as a clause; null where it does not. */
  refusal: string | null;
}

/** The label that tells a Deployment's revisions apart; the Deployment controller adds it to every pod. */
export const REVISION_LABEL = "pod-template-hash";

/**
 * The pod that the Deployment's next replica will be.
 *
 * The tolerations of its live pods count too: managed clouds add some at admission that no template shows. Pods of an older
 * revision, or that no ReplicaSet made, tell nothing of the next replica.
 */
export function admit(deployment: Deployment, workload: WorkloadPolicy, index: ClusterIndex): AdmittedPod {
  const { namespace, template } = deployment;
  const live = ownPods(deployment, index);
  const revision = presentRevision(live);
  const isPresent = ({ labels }: Pod) => (labels[REVISION_LABEL] ?? "") === revision;
  const runtimeClass = index.runtimeClasses.get(template.runtimeClassName);
  const addedNodeSelectors = [
    { of: `RuntimeClass ${template.runtimeClassName}`, labels: runtimeClass?.nodeSelector ?? {} },
    ...namespaceSelectors(namespace, index),
  ].filter(({ labels }) => Object.keys(labels).length > 0);
  const overhead = runtimeClass === undefined ? template.claims.overhead : runtimeClass.overhead;
  const claims = withLimitRangeDefaults({ ...template.claims, overhead }, index.limitRanges.get(namespace) ?? []);
  return ofRevision(
    {
      template,
      namespace,
      labels: template.labels,
      claims,
      requests: podRequests(claims),
      tolerations: distinct([
        ...template.claims.tolerations,
        ...(runtimeClass?.tolerations ?? []),
        ...DEFAULT_TOLERATIONS,
        ...live.filter(isPresent).flatMap((pod) => pod.claims.tolerations),
      ]),
      addedNodeSelectors,
      volumeAffinities: volumeAffinities(namespace, template, index),
      os: template.os !== "" ? template.os : speaksOfOs(template, addedNodeSelectors) ? null : workload.os,
      antiAffinity: [],
      topologySpread: [],
      refusal: refusal(template, addedNodeSelectors, index),
    },
    revision,
  );
}

/** The same pod as one revision of its Deployment has it. */
export function ofRevision(pod: AdmittedPod, revision: string): AdmittedPod {
  const labels = { ...pod.template.labels, [REVISION_LABEL]: revision };
  return {
    ...pod,
    labels,
    antiAffinity: pod.template.claims.podAntiAffinity.map((term) => withTermLabelKeys(term, labels)),
    topologySpread: pod.template.topologySpread.map((constraint) => ({
      ...constraint,
      selector: withLabelKeys(constraint.selector, constraint.matchLabelKeys, "In", labels),
    })),
  };
}

/** The revision most of the live pods are of (of several the first by name); with none, one that no other pod is of. */
function presentRevision(live: readonly Pod[]): string {
  const counts = new Map<string, number>();
  for (const { labels } of live) {
    const revision = labels[REVISION_LABEL];
    if (revision !== undefined) counts.set(revision, (counts.get(revision) ?? 0) + 1);
  }
  const [first] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return first?.[0] ?? "";
}

/** Every pod tolerates these for five minutes (admission plugin DefaultTolerationSeconds). */
const DEFAULT_TOLERATIONS: Toleration[] = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"].map(
  (key) => ({ key, operator: "Exists", value: "", effect: "NoExecute" }),
);

/** Each once and in one order, so that pods that tolerate the same are alike. */
function distinct(tolerations: readonly Toleration[]): Toleration[] {
  const textOf = ({ key, operator, value, effect }: Toleration) => JSON.stringify([key, operator, value, effect]);
  const byText = new Map(tolerations.map((toleration) => [textOf(toleration), toleration]));
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, toleration]) => toleration);
}

function namespaceSelectors(namespace: string, index: ClusterIndex): AddedNodeSelector[] {
  const { nodeSelector, openshiftNodeSelector } = index.namespaces.get(namespace) ?? {};
  return [nodeSelector, openshiftNodeSelector].map((written) => ({
    of: `namespace ${namespace}`,
    labels: parseLabels(written ?? ""),
  }));
}

/** `disk=ssd,zone=a` as labels (labels.ConvertSelectorToLabelsMap); anything else names no node. */
function parseLabels(written: string): Record<string, string> {
  const pairs = written.split(",").map((pair) => pair.split("=").map((part) => part.trim()));
  return pairs.every((pair) => pair.length === 2 && pair[0] !== "") ? Object.fromEntries(pairs) : {};
}

function volumeAffinities(
  namespace: string,
  template: PodTemplate,
  index: ClusterIndex,
): AdmittedPod["volumeAffinities"] {
  return template.volumes.flatMap((volume) => {
    if (volume.type !== "claim") return [];
    const { claimName } = volume;
    const bound = index.claims.get(`${namespace}/${claimName}`)?.volumeName ?? "";
    const terms = index.volumes.get(bound)?.nodeAffinity ?? null;
    return terms === null ? [] : [{ claimName, terms }];
  });
}

function speaksOfOs(template: PodTemplate, added: readonly AddedNodeSelector[]): boolean {
  const keys = [
    ...[template.nodeSelector, ...added.map(({ labels }) => labels)].flatMap(Object.keys),
    ...(template.nodeAffinity ?? []).flatMap((term) => term.matchExpressions.map(({ key }) => key)),
  ];
  return keys.some((key) => OS_LABELS.includes(key));
}

function refusal(template: PodTemplate, added: readonly AddedNodeSelector[], index: ClusterIndex): string | null {
  const { runtimeClassName } = template;
  // Without the right to read RuntimeClasses nothing tells whether this one exists.
  if (runtimeClassName !== "" && index.unread.runtimeclasses === undefined) {
    if (!index.runtimeClasses.has(runtimeClassName)) return `RuntimeClass ${runtimeClassName} does not exist`;
  }
  // Two values for one label: admission refuses the pod (RuntimeClass, PodNodeSelector).
  const required = new Map(Object.entries(template.nodeSelector));
  for (const { of, labels } of added) {
    for (const [key, value] of Object.entries(labels)) {
      const other = required.get(key) ?? value;
      if (other !== value) return `nodeSelector ${key}=${other} contradicts ${key}=${value} of ${of}`;
      required.set(key, value);
    }
  }
  return null;
}
