import { describe, expect, it } from "vitest";
import type { Policy } from "../../src/config/policy.ts";
import { ConfigError } from "../../src/config/problems.ts";
import { parsePolicy } from "../../src/config/schema.ts";

const web = { namespace: "shop", name: "web", max: 3 };

/** The problems of a policy with one workload that says this. */
function problemsOf(value: unknown): string[] {
  try {
    parsePolicy(value);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const problemsOfWorkload = (more: object) => problemsOf({ workloads: [{ ...web, ...more }] });

describe("a policy", () => {
  it("of one workload has every default", () => {
    expect(parsePolicy({ workloads: [web] })).toEqual({
      workers: {
        selector: [],
        exclude: [],
        controlPlane: "auto",
        controlPlaneLabels: [
          "node-role.kubernetes.io/control-plane",
          "node-role.kubernetes.io/master",
          "node-role.kubernetes.io/controlplane",
          "node-role.kubernetes.io/etcd",
          "node.kubernetes.io/microk8s-controlplane",
        ],
        startupTaints: [],
        minReadySeconds: 30,
        unreadyGraceSeconds: 300,
        maxUnreadyPercentage: 45,
        okUnreadyCount: 3,
        strict: false,
      },
      owners: { takeOver: [] },
      capacityPodLimit: 20_000,
      queues: [],
      workloads: [
        {
          namespace: "shop",
          name: "web",
          kind: "Deployment",
          max: 3,
          min: 1,
          formula: "linear",
          spare: 0,
          capacity: "enforce",
          gitops: "defer",
          hpa: "defer",
          os: "linux",
          allowUnsafe: [],
        },
      ],
      clickhouse: [],
    } satisfies Policy);
  });

  it("takes all that can be said", () => {
    const policy = parsePolicy({
      workers: {
        selector: "pool=app",
        exclude: ["spot=true", "!ready"],
        controlPlane: "never",
        startupTaints: ["a/b"],
        strict: true,
      },
      owners: { takeOver: ["argocd-controller"] },
      capacityPodLimit: 5,
      workloads: [
        {
          ...web,
          kind: "StatefulSet",
          min: 2,
          formula: { nodesPerReplica: 0.5, coresPerReplica: 16 },
          spare: 1,
          capacity: "warn",
          gitops: "write",
          hpa: "bounds",
          os: "windows",
          allowUnsafe: ["singleton-volume", "recreate-strategy", "writable-host-path"],
        },
      ],
    });
    expect(policy.workers.selector).toEqual([{ key: "pool", operator: "In", values: ["app"] }]);
    expect(policy.workers.exclude[1]).toEqual([{ key: "ready", operator: "DoesNotExist", values: [] }]);
    expect(policy).toMatchObject({
      workers: { controlPlane: "never", startupTaints: ["a/b"], strict: true },
      owners: { takeOver: ["argocd-controller"] },
      capacityPodLimit: 5,
      workloads: [{ kind: "StatefulSet", formula: { nodesPerReplica: 0.5, coresPerReplica: 16 }, os: "windows" }],
    });
  });

  it("may have an empty allowlist", () => {
    expect(parsePolicy({ workloads: [] }).workloads).toEqual([]);
  });

  it("takes a workload's word before its layer's, and that before the defaults'", () => {
    const { workloads } = parsePolicy({
      defaults: { max: 4, min: 2, spare: 1, formula: "ha" },
      layers: {
        edge: {
          max: 10,
          formula: {
            ladder: [
              [1, 1],
              [4, 2],
            ],
          },
        },
        constructor: { max: 7 },
      },
      workloads: [
        { namespace: "shop", name: "a" },
        { namespace: "shop", name: "b", layer: "edge" },
        { namespace: "shop", name: "c", layer: "edge", max: 3, formula: "linear" },
        { namespace: "shop", name: "d", layer: "constructor" },
      ],
    });
    expect(workloads).toMatchObject([
      { max: 4, min: 2, spare: 1, formula: "ha" },
      {
        max: 10,
        min: 2,
        spare: 1,
        formula: {
          ladder: [
            [1, 1],
            [4, 2],
          ],
        },
        layer: "edge",
      },
      { max: 3, min: 2, formula: "linear" },
      { max: 7 },
    ]);
  });
});

describe("one mistake", () => {
  const WHOLE = "must be a whole number of at least 1";
  const FORMULA = "must be linear, ha, { nodesPerReplica }, { coresPerReplica }, both of these, or { ladder }";
  const STEPS = "must be a list of at least one step [nodes, replicas], nodes ascending and replicas never descending";

  it.each([
    [{ max: 2.5 }, `workloads[0].max: ${WHOLE}, not 2.5`],
    [{ max: 0 }, `workloads[0].max: ${WHOLE}, not 0`],
    [{ max: "3" }, `workloads[0].max: ${WHOLE}, not "3"`],
    [{ max: null }, `workloads[0].max: has no value; ${WHOLE}`],
    [{ max: "<count>" }, `workloads[0].max: is still the placeholder "<count>"; ${WHOLE}`],
    [{ max: Number.NaN }, `workloads[0].max: ${WHOLE}, not NaN`],
    [{ min: 0 }, `workloads[0].min: ${WHOLE}, not 0`],
    [{ min: 4 }, "workloads[0]: min must be at most max, which comes out as 3, not 4"],
    [{ spare: -1 }, "workloads[0].spare: must be a whole number of at least 0, not -1"],
    [{ namespace: "" }, 'workloads[0].namespace: must be the name of a namespace, not ""'],
    [{ namespace: "Shop" }, 'workloads[0].namespace: must be the name of a namespace, not "Shop"'],
    [
      { name: "{{ name }}" },
      'workloads[0].name: is still the placeholder "{{ name }}"; must be the name of a workload',
    ],
    [{ name: 7 }, "workloads[0].name: must be the name of a workload, not 7"],
    [{ kind: "deployment" }, 'workloads[0].kind: must be a kind such as Deployment, not "deployment"'],
    [{ layer: "" }, 'workloads[0].layer: must be the name of a layer, not ""'],
    [{ layer: "edge" }, 'workloads[0].layer: must be a layer, of which the policy has none, not "edge"'],
    [{ capacity: "on" }, 'workloads[0].capacity: must be enforce, warn or off, not "on"'],
    [{ gitops: true }, "workloads[0].gitops: must be defer, override or write, not true"],
    [{ hpa: "" }, 'workloads[0].hpa: must be defer or bounds, not ""'],
    [{ os: "darwin" }, 'workloads[0].os: must be linux or windows, not "darwin"'],
    [
      { allowUnsafe: ["volume"] },
      'workloads[0].allowUnsafe[0]: must be singleton-volume, recreate-strategy or writable-host-path, not "volume"',
    ],
    [
      { allowUnsafe: "recreate-strategy" },
      'workloads[0].allowUnsafe: must be a list of singleton-volume, recreate-strategy or writable-host-path, not "recreate-strategy"',
    ],
    [{ formula: "cubic" }, `workloads[0].formula: ${FORMULA}, not "cubic"`],
    [{ formula: {} }, `workloads[0].formula: ${FORMULA}, not {}`],
    [{ formula: { nodesPerReplica: 0 } }, "workloads[0].formula.nodesPerReplica: must be a number above 0, not 0"],
    [{ formula: { coresPerReplica: -1 } }, "workloads[0].formula.coresPerReplica: must be a number above 0, not -1"],
    [
      { formula: { corePerReplica: 4 } },
      "workloads[0].formula.corePerReplica: unknown key (did you mean coresPerReplica?); allowed: nodesPerReplica, coresPerReplica",
    ],
    [{ formula: { ladder: [] } }, `workloads[0].formula.ladder: ${STEPS}, not []`],
    [
      {
        formula: {
          ladder: [
            [1, 1],
            [16, 4],
            [4, 2],
          ],
        },
      },
      `workloads[0].formula.ladder: ${STEPS}, not [[1,1],[16,4],[4,2]]`,
    ],
    [
      {
        formula: {
          ladder: [
            [1, 2],
            [4, 1],
          ],
        },
      },
      `workloads[0].formula.ladder: ${STEPS}, not [[1,2],[4,1]]`,
    ],
    [{ formula: { ladder: [[1, 0]] } }, `workloads[0].formula.ladder[0][1]: ${WHOLE}, not 0`],
    [{ formula: { ladder: [[1]] } }, "workloads[0].formula.ladder[0]: must be a pair [nodes, replicas], not [1]"],
    [
      { formula: { ladder: [[1, 1]], nodesPerReplica: 1 } },
      "workloads[0].formula.nodesPerReplica: unknown key; allowed: ladder",
    ],
    [
      { minReplicas: 2 },
      "workloads[0].minReplicas: unknown key (did you mean min?); allowed: namespace, name, kind, layer, max, min, formula, spare, capacity, gitops, hpa, os, allowUnsafe",
    ],
  ])("of a workload: %j", (more, problem) => {
    expect(problemsOfWorkload(more)).toEqual([problem]);
  });

  const KEYS = "workers, owners, capacityPodLimit, defaults, layers, workloads, clickhouse, queues";
  const SETTINGS = "max, min, formula, spare, capacity, gitops, hpa, os, allowUnsafe";
  const SELECTOR = "must be a label selector as kubectl takes it, such as pool=app,tier!=edge";

  it.each([
    [{ worker: {} }, `worker: unknown key (did you mean workers?); allowed: ${KEYS}`],
    [{ zones: {} }, `zones: unknown key; allowed: ${KEYS}`],
    [{ workloads: undefined }, "workloads: is missing; must be the allowlist, a list of { namespace, name, max, … }"],
    [{ workloads: {} }, "workloads: must be the allowlist, a list of { namespace, name, max, … }, not {}"],
    [{ capacityPodLimit: 0 }, `capacityPodLimit: ${WHOLE}, not 0`],
    [{ defaults: { name: "x" } }, `defaults.name: unknown key; allowed: ${SETTINGS}`],
    [{ layers: { edge: { layer: "x" } } }, `layers.edge.layer: unknown key; allowed: ${SETTINGS}`],
    [{ layers: { edge: null } }, `layers.edge: has no value; must be a map with keys of: ${SETTINGS}`],
    [{ layers: [] }, "layers: must be a map from names of layers to their settings, not []"],
    [{ owners: { takeOver: [""] } }, 'owners.takeOver[0]: must be the name of a field manager, not ""'],
    [{ workers: { selector: "" } }, `workers.selector: ${SELECTOR} (it is empty), not ""`],
    [{ workers: { selector: ["a"] } }, `workers.selector: ${SELECTOR}, not ["a"]`],
    [
      { workers: { exclude: ["a b"] } },
      `workers.exclude[0]: ${SELECTOR} ("b" in "a b" is none of =, ==, !=, in, notin, <, >), not "a b"`,
    ],
    [{ workers: { controlPlane: "yes" } }, 'workers.controlPlane: must be auto, never or always, not "yes"'],
    [{ workers: { controlPlaneLabels: ["a b"] } }, 'workers.controlPlaneLabels[0]: must be a label key, not "a b"'],
    [{ workers: { minReadySeconds: 0.5 } }, "workers.minReadySeconds: must be a whole number of at least 0, not 0.5"],
    [
      { workers: { maxUnreadyPercentage: 101 } },
      "workers.maxUnreadyPercentage: must be a number from 0 to 100, not 101",
    ],
    [{ workers: { strict: "true" } }, 'workers.strict: must be true or false, not "true"'],
  ])("%j", (more, problem) => {
    expect(problemsOf({ workloads: [], ...more })).toEqual([problem]);
  });

  it.each([null, undefined, [], "text"])("no policy at all: %j", (value) => {
    expect(problemsOf(value)[0]).toMatch(/^(is missing; |has no value; )?must be a map with keys of: workers, owners/);
  });
});

describe("mistakes that show once the levels are put together", () => {
  it("max is nowhere", () => {
    const bare = { namespace: "shop", name: "web" };
    expect(problemsOf({ workloads: [bare] })).toEqual([
      "workloads[0].max: is missing; must be a whole number of at least 1, here or in defaults",
    ]);
    expect(problemsOf({ layers: { edge: {} }, workloads: [{ ...bare, layer: "edge" }] })).toEqual([
      "workloads[0].max: is missing; must be a whole number of at least 1, here, in layers.edge or in defaults",
    ]);
  });

  it("min is above max", () => {
    expect(
      problemsOf({
        defaults: { min: 3 },
        layers: { edge: { max: 2 } },
        workloads: [{ namespace: "shop", name: "web", layer: "edge" }],
      }),
    ).toEqual(["workloads[0]: min must be at most max, which comes out as 2, not 3"]);
  });

  it("an unknown layer, where there are others", () => {
    expect(problemsOf({ layers: { a: {}, b: {}, c: {} }, workloads: [{ ...web, layer: "d" }] })).toEqual([
      'workloads[0].layer: must be a layer: a, b or c, not "d"',
    ]);
  });

  it("an unknown layer that is called like something of JavaScript's", () => {
    expect(problemsOf({ layers: { a: {} }, workloads: [{ ...web, layer: "constructor" }] })).toEqual([
      'workloads[0].layer: must be a layer: a, not "constructor"',
    ]);
  });

  it("a workload that is listed twice, as a Deployment by name or by default", () => {
    expect(problemsOf({ workloads: [web, { ...web, name: "api" }, { ...web, kind: "Deployment" }] })).toEqual([
      "workloads[2]: Deployment shop/web is listed already, as workloads[0]; list it once",
    ]);
    expect(problemsOf({ workloads: [web, { ...web, kind: "StatefulSet" }] })).toEqual([]);
  });
});

describe("all mistakes at once", () => {
  it("are told in one error", () => {
    const policy = {
      workers: { strict: 1 },
      layers: { edge: { minimum: 1 } },
      workloads: [{ ...web, max: 0 }, "web", { ...web, min: 9 }],
    };
    expect(() => parsePolicy(policy, "policy.yaml")).toThrow(
      new ConfigError("policy.yaml", [
        "workers.strict: must be true or false, not 1",
        "layers.edge.minimum: unknown key (did you mean min?); allowed: max, min, formula, spare, capacity, gitops, hpa, os, allowUnsafe",
        "workloads[0].max: must be a whole number of at least 1, not 0",
        'workloads[1]: must be a map with keys of: namespace, name, kind, layer, max, min, formula, spare, capacity, gitops, hpa, os, allowUnsafe, not "web"',
        "workloads[2]: Deployment shop/web is listed already, as workloads[0]; list it once",
        "workloads[2]: min must be at most max, which comes out as 3, not 9",
      ]),
    );
  });

  it("have a message that lists them", () => {
    expect(new ConfigError("policy.yaml", ["a: is wrong", "b: is wrong too"]).message).toBe(
      "policy.yaml: 2 problems\n  - a: is wrong\n  - b: is wrong too",
    );
    expect(new ConfigError("policy.yaml", ["a: is wrong"]).message).toBe("policy.yaml: 1 problem\n  - a: is wrong");
  });
});
