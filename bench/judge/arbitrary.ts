/** What the arbitraries of a scenario share: its names, and values at random. */
import fc from "fast-check";

/** Kubernetes JSON that is put into an object. */
export type Fields = Record<string, unknown>;

/**
 * The names of one scenario. Scenarios share a cluster and must not notice each other, so topology keys and node labels are
 * its own (a spread constraint looks at every node that has its key), and so is the taint on all of its nodes.
 */
export class Names {
  readonly scenario: number;
  /** Where the workload is, and where others are. */
  readonly namespace: string;
  readonly otherNamespace: string;

  /** @param place of the scenario among those that are on the cluster at the same time */
  constructor(scenario: number, place: number) {
    this.scenario = scenario;
    this.namespace = `judge-${place}`;
    this.otherNamespace = `judge-${place}-other`;
  }

  /** A label or taint key that no other scenario has. */
  key(name: string): string {
    return `x${this.scenario}.judge/${name}`;
  }

  node(number: number): string {
    return `x${this.scenario}-${number}`;
  }

  /** The name of an object beside namespaces. */
  get object(): string {
    return `x${this.scenario}`;
  }
}

/** Labels of pods that selectors and terms are about. */
export const APP = "web";
export const OTHER_APPS = ["cache", "queue"];
export const TIER = "front";

/** The extended resource that some nodes have. */
export const DEVICE = "example.com/device";

export const HOSTNAME = "kubernetes.io/hostname";

/** The taint on all nodes of a scenario, which its own pods alone tolerate. */
export function homeTaint(names: Names) {
  return { key: names.key("home"), effect: "NoSchedule" as const };
}

/** The label on all nodes of a scenario. */
export function homeLabel(names: Names): Record<string, string> {
  return { [names.key("home")]: "yes" };
}

/** Leaves out what is undefined, as sending it would: what is generated is also printed and counted. */
export function withoutUndefined<T>(value: unknown): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** A value in so many of a hundred scenarios; undefined, as if it were not written, in the others. */
export function sometimes<T>(percent: number, value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof(
    { weight: percent, arbitrary: value },
    { weight: 100 - percent, arbitrary: fc.constant<T | undefined>(undefined) },
  );
}

/** One of the values, the first so many times as often as each of the others. */
export function mostly<T>(times: number, first: T, ...others: T[]): fc.Arbitrary<T> {
  return fc.oneof({ weight: times, arbitrary: fc.constant(first) }, ...others.map((other) => fc.constant(other)));
}

/** Requests and limits of a container, or undefined for one that states none. */
export const resources: fc.Arbitrary<Fields | undefined> = fc.constantFrom<(Fields | undefined)[]>(
  undefined,
  undefined,
  { requests: { cpu: "100m" } },
  { requests: { cpu: "200m" } },
  { requests: { cpu: "250m", memory: "128Mi" } },
  { requests: { cpu: "300m", memory: "300Mi" }, limits: { memory: "400Mi" } },
  { requests: { cpu: "700m" } },
  { requests: { cpu: "0" }, limits: { memory: "400Mi" } },
  { limits: { cpu: "300m", memory: "300Mi" } },
  { limits: { [DEVICE]: "1" } },
  { requests: { "ephemeral-storage": "3Gi" } },
);

/** Ports of a container, some of them on the host. */
export const hostPorts: fc.Arbitrary<Fields[]> = fc
  .record({
    hostPort: fc.constantFrom(8080, 8081),
    hostIP: sometimes(30, fc.constantFrom("10.0.0.1", "10.0.0.2")),
    protocol: mostly(4, "TCP", "UDP"),
  })
  .map((port) => [{ containerPort: port.hostPort, ...port }]);

/** Label selectors of terms and constraints: the workload's own pods, more than them, others, all, and none. */
export const labelSelector: fc.Arbitrary<Fields> = mostly<Fields>(
  12,
  { matchLabels: { app: APP } },
  { matchLabels: { tier: TIER } },
  { matchExpressions: [{ key: "app", operator: "In", values: [APP, ...OTHER_APPS] }] },
  { matchExpressions: [{ key: "app", operator: "Exists" }] },
  { matchExpressions: [{ key: "tier", operator: "DoesNotExist" }] },
  { matchLabels: { app: OTHER_APPS[0] as string } },
  {},
);

/** Required anti-affinity with one or two terms. */
export function antiAffinity(names: Names): fc.Arbitrary<Fields> {
  const term = fc
    .record({
      labelSelector: sometimes(97, labelSelector),
      topologyKey: fc.constantFrom(HOSTNAME, HOSTNAME, names.key("zone"), names.key("rack")),
      namespaces: sometimes(10, fc.constantFrom([names.namespace], [names.otherNamespace])),
      namespaceSelector: sometimes(
        12,
        fc.constantFrom<Fields[]>({}, { matchLabels: { team: "own" } }, { matchLabels: { team: "other" } }),
      ),
      matchLabelKeys: sometimes(10, fc.constant(["pod-template-hash"])),
      mismatchLabelKeys: sometimes(5, fc.constant(["track"])),
    })
    // The API refuses label keys beside no selector at all.
    .map(({ matchLabelKeys, mismatchLabelKeys, ...rest }) =>
      rest.labelSelector === undefined ? rest : { ...rest, matchLabelKeys, mismatchLabelKeys },
    );
  return fc
    .oneof({ weight: 4, arbitrary: fc.tuple(term) }, fc.tuple(term, term))
    .map((terms) => ({ podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } }));
}
