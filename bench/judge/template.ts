/** Pod templates at random: everything that decides where the scheduler puts a pod. */
import fc from "fast-check";
import type { KubeObject } from "../cluster/objects.ts";
import {
  APP,
  antiAffinity,
  type Fields,
  homeLabel,
  homeTaint,
  hostPorts,
  labelSelector,
  mostly,
  type Names,
  resources,
  sometimes,
  TIER,
  withoutUndefined,
} from "./arbitrary.ts";
import { limitRange, runtimeClassArbitrary, volumeArbitrary } from "./extras.ts";

export interface Template {
  metadata: { labels: Record<string, string> };
  spec: Fields & { affinity: Fields };
  /** Objects that it refers to, or that change it when it is admitted. */
  others: KubeObject[];
}

export function templateArbitrary(names: Names): fc.Arbitrary<Template> {
  return fc
    .record({
      labels: fc.record({ tier: sometimes(60, fc.constant(TIER)), track: sometimes(20, fc.constant("stable")) }),
      size: sizeArbitrary,
      where: whereArbitrary(names),
      apart: sometimes(40, antiAffinity(names)),
      topologySpreadConstraints: spreadArbitrary(names),
      runtimeClass: sometimes(10, runtimeClassArbitrary(names)),
      volume: sometimes(8, volumeArbitrary(names)),
      limitRange: sometimes(10, fc.constant(limitRange(names))),
      os: sometimes(4, fc.constant({ name: "linux" })),
      hostNetwork: sometimes(3, fc.constant(true)),
    })
    .map(({ labels, size, where, apart, runtimeClass, volume, limitRange, ...rest }) =>
      withoutUndefined<Template>({
        metadata: { labels: { app: APP, ...labels } },
        spec: {
          terminationGracePeriodSeconds: 0,
          ...size,
          ...rest,
          ...runtimeClass?.spec,
          ...volume?.spec,
          ...where,
          affinity: { ...where.affinity, ...apart },
        },
        others: [
          ...(runtimeClass?.objects ?? []),
          ...(volume?.objects ?? []),
          // The API refuses a container's default that exceeds what its pod states.
          ...(limitRange && !("resources" in size) ? [limitRange] : []),
        ],
      }),
    );
}

const container = (name: string) =>
  fc
    .record({ resources, ports: sometimes(20, hostPorts) })
    .map((fields): Fields => ({ name, image: "registry.example.invalid/app:1", ...fields }));

/** Containers of all sorts, or resources for the pod as a whole. */
const sizeArbitrary: fc.Arbitrary<Fields> = fc.oneof(
  {
    weight: 19,
    arbitrary: fc
      .record({
        first: container("app"),
        second: sometimes(20, container("helper")),
        init: sometimes(15, initContainer("init")),
        sidecar: sometimes(10, initContainer("sidecar", { restartPolicy: "Always" })),
      })
      .map(({ first, second, init, sidecar }) => ({
        containers: withUniquePorts(present(first, second)),
        initContainers: present(sidecar, init),
      })),
  },
  fc.constant({
    resources: { requests: { cpu: "600m" }, limits: { cpu: "600m" } },
    containers: [{ name: "app", image: "registry.example.invalid/app:1" }],
  }),
);

function initContainer(name: string, more: Fields = {}): fc.Arbitrary<Fields> {
  return resources.map((own) => ({ name, image: "registry.example.invalid/init:1", resources: own, ...more }));
}

function present<T>(...values: (T | undefined)[]): T[] {
  return values.filter((value) => value !== undefined);
}

/** The API refuses a pod whose containers ask for one host port twice. */
function withUniquePorts(containers: Fields[]): Fields[] {
  return containers.map((one, i) => (i === 0 ? one : { ...one, ports: undefined }));
}

/** Tolerations, selectors and node affinity. Whatever they are, they hold the pods on the scenario's own nodes. */
function whereArbitrary(names: Names) {
  const dedicated = names.key("dedicated");
  const toleration = fc.constantFrom<Fields[]>(
    { key: dedicated, operator: "Exists" },
    { key: dedicated, operator: "Equal", value: "batch", effect: "NoSchedule" },
    { key: dedicated, value: "web" },
    { key: dedicated, operator: "Exists", effect: "NoExecute" },
    { key: "node.kubernetes.io/memory-pressure", operator: "Exists" },
  );
  const everything: Fields = { operator: "Exists" };
  const home: Fields = { key: homeTaint(names).key, operator: "Exists" };
  return fc
    .record({
      tolerations: fc.oneof(
        { weight: 12, arbitrary: fc.constant<Fields[]>([]) },
        { weight: 10, arbitrary: fc.tuple(toleration) },
        { weight: 1, arbitrary: fc.constant([everything]) },
      ),
      atHome: fc.boolean(),
      disk: sometimes(6, fc.constant({ [names.key("disk")]: "ssd" })),
      affinity: sometimes(16, nodeAffinity(names)),
    })
    .map(({ tolerations, atHome, disk, affinity }) => ({
      tolerations: tolerations.includes(everything) ? tolerations : [home, ...tolerations],
      nodeSelector: { ...(atHome || tolerations.includes(everything) ? homeLabel(names) : {}), ...disk },
      affinity: affinity ?? {},
    }));
}

function nodeAffinity(names: Names): fc.Arbitrary<Fields> {
  const expression = fc.constantFrom<Fields[]>(
    { key: names.key("disk"), operator: "In", values: ["ssd"] },
    { key: names.key("disk"), operator: "NotIn", values: ["hdd"] },
    { key: names.key("disk"), operator: "Exists" },
    { key: names.key("rack"), operator: "DoesNotExist" },
    { key: names.key("zone"), operator: "In", values: ["a", "b"] },
    { key: names.key("generation"), operator: "Gt", values: ["3"] },
    { key: names.key("generation"), operator: "Lt", values: ["7"] },
  );
  const field = fc
    .constantFrom("In", "NotIn")
    .map((operator): Fields => ({ key: "metadata.name", operator, values: [names.node(0)] }));
  const term = fc.record({
    matchExpressions: sometimes(90, fc.array(expression, { minLength: 1, maxLength: 2 })),
    matchFields: sometimes(15, fc.tuple(field)),
  });
  return fc.array(term, { minLength: 1, maxLength: 2 }).map((nodeSelectorTerms) => ({
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
  }));
}

/** Up to three constraints, over keys that are the scenario's own: the domains of a constraint are those of all nodes. */
function spreadArbitrary(names: Names): fc.Arbitrary<Fields[]> {
  const constraint = (topologyKey: string) =>
    fc
      .record({
        maxSkew: fc.constantFrom(1, 1, 2),
        labelSelector: sometimes(96, labelSelector),
        whenUnsatisfiable: mostly(9, "DoNotSchedule", "ScheduleAnyway"),
        minDomains: sometimes(15, fc.constantFrom(1, 2, 3)),
        nodeAffinityPolicy: sometimes(25, fc.constantFrom("Honor", "Ignore")),
        nodeTaintsPolicy: sometimes(35, fc.constantFrom("Honor", "Ignore")),
        matchLabelKeys: sometimes(15, fc.constant(["pod-template-hash"])),
      })
      .map(
        (fields): Fields => ({
          ...fields,
          topologyKey,
          // The API refuses these two beside what they make no sense with.
          minDomains: fields.whenUnsatisfiable === "DoNotSchedule" ? fields.minDomains : undefined,
          matchLabelKeys: fields.labelSelector === undefined ? undefined : fields.matchLabelKeys,
        }),
      );
  return fc
    .tuple(...["zone", "rack", "host"].map((name) => sometimes(32, constraint(names.key(name)))))
    .map((constraints) => present(...constraints));
}
