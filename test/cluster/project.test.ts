import { describe, expect, it } from "vitest";
import { snapshotFromObjects } from "../../src/cluster/dump.ts";
import { KINDS } from "../../src/cluster/kinds.ts";
import type { Snapshot } from "../../src/cluster/snapshot.ts";

const AT = "2026-01-15T12:00:00Z";

/** The snapshot of one object of a kind. */
function project(kind: string, object: object): Snapshot {
  const { group, version } = KINDS.find((candidate) => candidate.kind === kind) ?? {};
  return snapshotFromObjects([{ apiVersion: group ? `${group}/${version}` : version, kind, ...object }], AT, "test");
}

const named = { metadata: { namespace: "shop", name: "web" } };

/** The projection of a Deployment with this spec. */
function deployment(spec: object, more: object = {}) {
  const template = { spec: { containers: [] } };
  return project("Deployment", { ...named, spec: { selector: {}, template, ...spec }, ...more }).deployments[0];
}

/** The projection of a pod template with this spec. */
const template = (spec: object) => deployment({ template: { spec: { containers: [], ...spec } } })?.template;

const pod = (spec: object, status: object = {}) =>
  project("Pod", { ...named, spec: { containers: [], ...spec }, status }).pods[0];

describe("a node", () => {
  const node = (more: object) => project("Node", { metadata: { name: "w-1" }, ...more }).nodes[0];

  it("with nothing stated", () => {
    expect(node({})).toEqual({
      name: "w-1",
      labels: {},
      unschedulable: false,
      deleting: false,
      taints: [],
      ready: null,
      networkUnavailable: false,
      allocatable: null,
      operatingSystem: "",
    });
  });

  it("with everything stated, and fields from the future", () => {
    expect(
      node({
        metadata: { name: "w-1", labels: { "a/b": "" }, deletionTimestamp: AT, future: [1] },
        spec: {
          unschedulable: true,
          taints: [
            { key: "k", effect: "NoExecute", timeAdded: AT },
            { key: "l", value: "v", effect: "NoSchedule" },
          ],
        },
        status: {
          allocatable: { cpu: "7910m", memory: "1.5Gi", pods: "110", "nvidia.com/gpu": "2" },
          conditions: [
            { type: "Ready", status: "Unknown", lastTransitionTime: AT },
            { type: "NetworkUnavailable", status: "True" },
          ],
          nodeInfo: { operatingSystem: "windows" },
        },
      }),
    ).toEqual({
      name: "w-1",
      labels: { "a/b": "" },
      unschedulable: true,
      deleting: true,
      taints: [
        { key: "k", value: "", effect: "NoExecute", timeAdded: AT },
        { key: "l", value: "v", effect: "NoSchedule" },
      ],
      ready: { status: "Unknown", since: AT },
      networkUnavailable: true,
      allocatable: { cpu: 7910, memory: 1_610_612_736, pods: 110, "nvidia.com/gpu": 2 },
      operatingSystem: "windows",
    });
  });

  it("whose condition has no time, or null for one", () => {
    expect(
      node({ status: { conditions: [{ type: "Ready", status: "True", lastTransitionTime: null }] } })?.ready,
    ).toEqual({
      status: "True",
      since: null,
    });
  });
});

describe("a Deployment", () => {
  it("with the API's defaults for what is absent", () => {
    expect(deployment({})).toEqual({
      namespace: "shop",
      name: "web",
      labels: {},
      annotations: {},
      deleting: false,
      ownerReferences: [],
      fieldManagers: [],
      replicas: 1,
      paused: false,
      strategy: { type: "RollingUpdate", maxSurge: "25%", maxUnavailable: "25%" },
      selector: [],
      template: {
        labels: {},
        claims: {
          containers: [],
          initContainers: [],
          overhead: {},
          hostPorts: [],
          podAntiAffinity: [],
          tolerations: [],
          priorityClassName: "",
          hasDeadline: false,
        },
        nodeName: "",
        nodeSelector: {},
        nodeAffinity: null,
        podAffinity: [],
        topologySpread: [],
        runtimeClassName: "",
        os: "",
        volumes: [],
      },
      replicaFailure: null,
    });
  });

  it("at 0, paused, with a strategy of its own and a failure", () => {
    const conditions = [{ type: "ReplicaFailure", status: "True", message: "exceeded quota" }];
    expect(
      deployment(
        {
          replicas: 0,
          paused: true,
          strategy: { type: "Recreate", rollingUpdate: { maxSurge: 0, maxUnavailable: "10%" } },
        },
        { status: { conditions } },
      ),
    ).toMatchObject({
      replicas: 0,
      paused: true,
      strategy: { type: "Recreate", maxSurge: 0, maxUnavailable: "10%" },
      replicaFailure: "exceeded quota",
    });
  });

  it("keeps the annotations that tell of an owner, and no others", () => {
    const annotations = {
      "argocd.argoproj.io/tracking-id": "a",
      "objectset.rio.cattle.io/id": "",
      "kubectl.kubernetes.io/last-applied-configuration": "secret",
    };
    const metadata = { ...named.metadata, annotations, ownerReferences: [{ kind: "Cluster", name: "pg", uid: "1" }] };
    expect(deployment({}, { metadata })).toMatchObject({
      annotations: { "argocd.argoproj.io/tracking-id": "a", "objectset.rio.cattle.io/id": "" },
      ownerReferences: [{ kind: "Cluster", name: "pg" }],
    });
  });

  it("has its field managers, those of subresources too", () => {
    const managedFields = [
      { manager: "helm", operation: "Update", fieldsV1: { "f:spec": { "f:replicas": {} } } },
      { manager: "scaler", operation: "Update", subresource: "scale", fieldsV1: { "f:spec": { "f:replicas": {} } } },
      { manager: "cluster-scale", operation: "Apply", fieldsV1: { "f:metadata": {} } },
      { operation: "Update" },
    ];
    expect(deployment({}, { metadata: { ...named.metadata, managedFields } })?.fieldManagers).toEqual([
      { manager: "helm", operation: "Update", ownsCount: true },
      { manager: "scaler", operation: "Update", ownsCount: true },
      { manager: "cluster-scale", operation: "Apply", ownsCount: false },
      { manager: "", operation: "Update", ownsCount: false },
    ]);
  });

  it("has its selector as requirements", () => {
    const matchExpressions = [
      { key: "b", operator: "NotIn", values: ["x", ""] },
      { key: "c", operator: "Exists" },
    ];
    expect(deployment({ selector: { matchLabels: { a: "1" }, matchExpressions } })?.selector).toEqual([
      { key: "a", operator: "In", values: ["1"] },
      { key: "b", operator: "NotIn", values: ["x", ""] },
      { key: "c", operator: "Exists", values: [] },
    ]);
  });
});

describe("a pod template", () => {
  it("has its node affinity; none is not the same as one without terms", () => {
    const required = (nodeSelectorTerms: object[]) => ({
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
    });
    expect(template({ affinity: { nodeAffinity: {} } })?.nodeAffinity).toBeNull();
    expect(template(required([]))?.nodeAffinity).toEqual([]);
    expect(
      template(
        required([
          {},
          {
            matchExpressions: [{ key: "cores", operator: "Gt", values: ["4"] }],
            matchFields: [{ key: "metadata.name", operator: "In", values: ["w-1"] }],
          },
        ]),
      )?.nodeAffinity,
    ).toEqual([
      { matchExpressions: [], matchFields: [] },
      {
        matchExpressions: [{ key: "cores", operator: "Gt", values: ["4"] }],
        matchFields: [{ key: "metadata.name", operator: "In", values: ["w-1"] }],
      },
    ]);
  });

  it("has the spread constraints that bind, with the API's defaults", () => {
    const topologySpreadConstraints = [
      { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "ScheduleAnyway" },
      { maxSkew: 2, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule" },
      {
        maxSkew: 1,
        topologyKey: "host",
        whenUnsatisfiable: "DoNotSchedule",
        labelSelector: {},
        minDomains: 3,
        nodeAffinityPolicy: "Ignore",
        nodeTaintsPolicy: "Honor",
        matchLabelKeys: ["pod-template-hash"],
      },
    ];
    expect(template({ topologySpreadConstraints })?.topologySpread).toEqual([
      {
        maxSkew: 2,
        topologyKey: "zone",
        selector: null,
        minDomains: 1,
        nodeAffinityPolicy: "Honor",
        nodeTaintsPolicy: "Ignore",
        matchLabelKeys: [],
      },
      {
        maxSkew: 1,
        topologyKey: "host",
        selector: [],
        minDomains: 3,
        nodeAffinityPolicy: "Ignore",
        nodeTaintsPolicy: "Honor",
        matchLabelKeys: ["pod-template-hash"],
      },
    ]);
  });

  it("has its required affinity to pods, and none that is preferred", () => {
    const term = {
      topologyKey: "host",
      labelSelector: { matchLabels: { a: "1" } },
      namespaces: ["x"],
      namespaceSelector: {},
      matchLabelKeys: ["m"],
      mismatchLabelKeys: ["n"],
    };
    const projected = {
      topologyKey: "host",
      selector: [{ key: "a", operator: "In", values: ["1"] }],
      namespaces: ["x"],
      namespaceSelector: [],
      matchLabelKeys: ["m"],
      mismatchLabelKeys: ["n"],
    };
    const bare = {
      topologyKey: "zone",
      selector: null,
      namespaces: [],
      namespaceSelector: null,
      matchLabelKeys: [],
      mismatchLabelKeys: [],
    };
    const preferred = [{ weight: 1, podAffinityTerm: term }];
    const affinity = {
      podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term, { topologyKey: "zone" }] },
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [term],
        preferredDuringSchedulingIgnoredDuringExecution: preferred,
      },
    };
    expect(template({ affinity })).toMatchObject({
      podAffinity: [projected, bare],
      claims: { podAntiAffinity: [projected] },
    });
  });

  it("has its volumes, as far as they matter", () => {
    const volumes = [
      { name: "config", configMap: { name: "c" } },
      { name: "data", persistentVolumeClaim: { claimName: "data" } },
      { name: "media", persistentVolumeClaim: { claimName: "media", readOnly: true } },
      { name: "scratch", ephemeral: { volumeClaimTemplate: {} } },
      { name: "logs", hostPath: { path: "/var/log" } },
      { name: "time", hostPath: { path: "/etc/localtime" } },
      { name: "unused", hostPath: { path: "/tmp" } },
      { name: "disk", gcePersistentDisk: { pdName: "p", readOnly: true } },
      { name: "lun", fc: {} },
    ];
    const containers = [{ name: "app", volumeMounts: [{ name: "time", mountPath: "/t", readOnly: true }] }];
    const initContainers = [{ name: "init", volumeMounts: [{ name: "logs", mountPath: "/l" }] }];
    expect(template({ volumes, containers, initContainers })?.volumes).toEqual([
      { type: "claim", name: "data", claimName: "data", readOnly: false },
      { type: "claim", name: "media", claimName: "media", readOnly: true },
      { type: "ephemeral", name: "scratch" },
      { type: "hostPath", name: "logs", writable: true },
      { type: "hostPath", name: "time", writable: false },
      { type: "hostPath", name: "unused", writable: false },
      { type: "singleAttach", name: "disk", source: "gcePersistentDisk", readOnly: true },
      { type: "singleAttach", name: "lun", source: "fc", readOnly: false },
    ]);
  });

  it("has its other rules about nodes", () => {
    expect(
      template({ nodeName: "w-1", nodeSelector: { disk: "ssd" }, runtimeClassName: "kata", os: { name: "windows" } }),
    ).toMatchObject({ nodeName: "w-1", nodeSelector: { disk: "ssd" }, runtimeClassName: "kata", os: "windows" });
  });
});

describe("what a pod claims", () => {
  it("resources, of the pod itself too", () => {
    const requests = { cpu: "0.5", memory: "1Ki" };
    const claims = template({
      containers: [{ name: "app", resources: { requests, limits: { cpu: 2 } } }],
      initContainers: [{ name: "proxy", restartPolicy: "Always" }, { name: "init" }],
      overhead: { cpu: "10m" },
      resources: { requests: { cpu: "1" }, limits: { memory: "1Gi" } },
      priorityClassName: "high",
      activeDeadlineSeconds: 60,
    })?.claims;
    expect(claims).toMatchObject({
      containers: [{ name: "app", requests: { cpu: 500, memory: 1024 }, limits: { cpu: 2000 }, sidecar: false }],
      initContainers: [
        { name: "proxy", sidecar: true },
        { name: "init", sidecar: false },
      ],
      overhead: { cpu: 10 },
      podRequests: { cpu: 1000 },
      podLimits: { memory: 1_073_741_824 },
      priorityClassName: "high",
      hasDeadline: true,
    });
  });

  it("tolerations, with the operator Equal by default", () => {
    expect(
      template({ tolerations: [{ operator: "Exists" }, { key: "a", value: "b", effect: "NoSchedule" }] })?.claims
        .tolerations,
    ).toEqual([
      { key: "", operator: "Exists", value: "", effect: "" },
      { key: "a", operator: "Equal", value: "b", effect: "NoSchedule" },
    ]);
  });

  it("host ports, those of sidecars too, of ordinary init containers not", () => {
    const port = (hostPort: number, more: object = {}) => ({ ports: [{ containerPort: 1, hostPort, ...more }] });
    const claims = template({
      initContainers: [
        { name: "a", restartPolicy: "Always", ...port(81, { protocol: "UDP" }) },
        { name: "b", ...port(82) },
      ],
      containers: [
        { name: "c", ...port(83, { hostIP: "10.0.0.1" }) },
        { name: "d", ports: [{ containerPort: 84 }] },
      ],
    })?.claims;
    expect(claims?.hostPorts).toEqual([
      { port: 81, protocol: "UDP", ip: "0.0.0.0" },
      { port: 83, protocol: "TCP", ip: "10.0.0.1" },
    ]);
  });

  it("under hostNetwork every container port", () => {
    const containers = [{ name: "a", ports: [{ containerPort: 84 }, { containerPort: 85, hostPort: 85 }] }];
    expect(template({ hostNetwork: true, containers })?.claims.hostPorts.map(({ port }) => port)).toEqual([84, 85]);
  });

  it("what a resize has allocated and put in force, where it differs from the spec", () => {
    const requests = { cpu: "1", memory: "1Gi" };
    const containers = [
      { name: "app", resources: { requests } },
      { name: "same", resources: { requests } },
    ];
    const containerStatuses = [
      {
        name: "app",
        allocatedResources: { cpu: "2", memory: "1Gi" },
        resources: { requests: { cpu: "1", memory: "2Gi" } },
      },
      { name: "same", allocatedResources: { cpu: "1000m", memory: "1Gi" }, resources: { requests } },
    ];
    const [app, same] = pod({ containers }, { containerStatuses })?.claims.containers ?? [];
    expect(app).toMatchObject({
      allocated: { cpu: 2000, memory: 1_073_741_824 },
      actual: { cpu: 1000, memory: 2_147_483_648 },
    });
    expect(Object.keys(same ?? {})).toEqual(["name", "requests", "limits", "sidecar"]);
  });
});

describe("a pod", () => {
  it.each([
    ["waits for a node", {}, { nodeName: "", finished: false, terminating: false, unschedulable: false }],
    ["is finished", { status: { phase: "Succeeded" } }, { finished: true }],
    ["has failed", { status: { phase: "Failed" } }, { finished: true }],
    ["runs", { spec: { nodeName: "w-1" }, status: { phase: "Running" } }, { nodeName: "w-1", finished: false }],
    ["is terminating", { metadata: { ...named.metadata, deletionTimestamp: AT } }, { terminating: true }],
    [
      "finds no node",
      { status: { conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable" }] } },
      { unschedulable: true },
    ],
    [
      "waits for a gate",
      { status: { conditions: [{ type: "PodScheduled", status: "False", reason: "SchedulingGated" }] } },
      { unschedulable: false },
    ],
  ])("that %s", (_, object, expected) => {
    expect(project("Pod", { ...named, ...object }).pods[0]).toMatchObject(expected);
  });
});

describe("what scales a Deployment", () => {
  it("a HorizontalPodAutoscaler", () => {
    const managedFields = [
      { manager: "helm", operation: "Update", fieldsV1: { "f:spec": { "f:maxReplicas": {}, "f:minReplicas": {} } } },
      { manager: "helm", operation: "Apply", fieldsV1: { "f:spec": { "f:minReplicas": {} } } },
    ];
    const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
    const [hpa] = project("HorizontalPodAutoscaler", {
      metadata: { ...named.metadata, managedFields },
      spec: { scaleTargetRef, maxReplicas: 5 },
      status: { currentReplicas: 3 },
    }).horizontalPodAutoscalers;
    expect(hpa).toMatchObject({
      target: { group: "apps", kind: "Deployment", name: "web" },
      minReplicas: 1,
      minReplicasManagers: ["helm"],
      maxReplicas: 5,
      currentReplicas: 3,
      fieldManagers: [{ ownsCount: true }, { ownsCount: false }],
    });
  });

  it("a ScaledObject, by default of a Deployment", () => {
    const target = (scaleTargetRef: object) =>
      project("ScaledObject", { ...named, spec: { scaleTargetRef } }).scaledObjects[0]?.target;
    expect(target({ name: "web" })).toEqual({ group: "apps", kind: "Deployment", name: "web" });
    expect(target({ apiVersion: "v1", kind: "Thing", name: "web" })).toEqual({ group: "", kind: "Thing", name: "web" });
  });

  it("a Rollout, if it refers to one", () => {
    const workloadRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
    expect(project("Rollout", { ...named, spec: { workloadRef } }).rollouts).toEqual([
      { ...named.metadata, workloadRef: { group: "apps", kind: "Deployment", name: "web" } },
    ]);
    expect(project("Rollout", { ...named, spec: { template: {} } }).rollouts).toEqual([]);
    expect(project("Rollout", { ...named, spec: { workloadRef: {} } }).rollouts).toEqual([]);
  });
});

it("an Argo CD Application", () => {
  const resources = [
    { group: "apps", version: "v1", kind: "Deployment", namespace: "shop", name: "web" },
    { version: "v1", kind: "Service", namespace: "shop", name: "web" },
    { group: "autoscaling", kind: "HorizontalPodAutoscaler", namespace: "shop", name: "web" },
  ];
  const ignoreDifferences = [{ group: "*", kind: "Deployment", jsonPointers: ["/spec/replicas"] }];
  const syncPolicy = { syncOptions: ["CreateNamespace=true", "RespectIgnoreDifferences=true"] };
  expect(
    project("Application", { ...named, spec: { ignoreDifferences, syncPolicy }, status: { resources } }).applications,
  ).toEqual([
    {
      ...named.metadata,
      resources: [
        { group: "apps", kind: "Deployment", namespace: "shop", name: "web" },
        { group: "autoscaling", kind: "HorizontalPodAutoscaler", namespace: "shop", name: "web" },
      ],
      ignoreDifferences: [
        {
          group: "*",
          kind: "Deployment",
          name: "",
          namespace: "",
          jsonPointers: ["/spec/replicas"],
          jqPathExpressions: [],
          managedFieldsManagers: [],
        },
      ],
      respectsIgnoreDifferences: true,
    },
  ]);
});

describe("what bounds a namespace", () => {
  it("the Namespace's annotations", () => {
    const namespace = (annotations: object) =>
      project("Namespace", { metadata: { name: "shop", labels: { a: "b" }, annotations } }).namespaces[0];
    expect(namespace({})).toEqual({
      name: "shop",
      labels: { a: "b" },
      nodeSelector: null,
      defaultTolerations: null,
      openshiftNodeSelector: null,
    });
    expect(
      namespace({
        "scheduler.alpha.kubernetes.io/node-selector": "pool=app",
        "scheduler.alpha.kubernetes.io/defaultTolerations": '[{"key": "a"}]',
        "openshift.io/node-selector": "",
      }),
    ).toMatchObject({
      nodeSelector: "pool=app",
      defaultTolerations: [{ key: "a", operator: "Equal", value: "", effect: "" }],
      openshiftNodeSelector: "",
    });
    expect(namespace({ "scheduler.alpha.kubernetes.io/defaultTolerations": "{" })?.defaultTolerations).toBeNull();
  });

  it("a LimitRange's container items", () => {
    const limits = [
      { type: "Pod", max: { cpu: "4" } },
      { type: "Container", default: { cpu: "1" }, defaultRequest: { cpu: "100m" } },
    ];
    expect(project("LimitRange", { ...named, spec: { limits } }).limitRanges[0]?.containers).toEqual([
      { default: { cpu: 1000 }, defaultRequest: { cpu: 100 } },
    ]);
  });

  it("a ResourceQuota", () => {
    const matchExpressions = [{ scopeName: "PriorityClass", operator: "In", values: ["high"] }];
    const spec = { scopes: ["Terminating"], scopeSelector: { matchExpressions } };
    const status = {
      hard: { "requests.cpu": "4", pods: "10", "limits.memory": "1Gi" },
      used: { "requests.cpu": "1500m" },
    };
    expect(project("ResourceQuota", { ...named, spec, status }).resourceQuotas[0]).toMatchObject({
      hard: { "requests.cpu": 4000, pods: 10, "limits.memory": 1_073_741_824 },
      used: { "requests.cpu": 1500 },
      scopes: [
        { scope: "Terminating", operator: "Exists", values: [] },
        { scope: "PriorityClass", operator: "In", values: ["high"] },
      ],
    });
  });

  it("a PodDisruptionBudget", () => {
    const budget = (spec: object) => project("PodDisruptionBudget", { ...named, spec }).podDisruptionBudgets[0];
    expect(budget({})).toMatchObject({ selector: null, minAvailable: null, maxUnavailable: null });
    expect(budget({ selector: {}, minAvailable: 0, maxUnavailable: "50%" })).toMatchObject({
      selector: [],
      minAvailable: 0,
      maxUnavailable: "50%",
    });
  });
});

it("a RuntimeClass", () => {
  const scheduling = { nodeSelector: { kata: "true" }, tolerations: [{ key: "kata", operator: "Exists" }] };
  const [kata] = project("RuntimeClass", {
    metadata: { name: "kata" },
    scheduling,
    overhead: { podFixed: { memory: "1Ki" } },
  }).runtimeClasses;
  expect(kata).toEqual({
    name: "kata",
    nodeSelector: { kata: "true" },
    tolerations: [{ key: "kata", operator: "Exists", value: "", effect: "" }],
    overhead: { memory: 1024 },
  });
});

it("a claim and its volume", () => {
  expect(
    project("PersistentVolumeClaim", { ...named, spec: { accessModes: ["ReadWriteOnce"] } }).persistentVolumeClaims,
  ).toEqual([{ ...named.metadata, accessModes: ["ReadWriteOnce"], volumeName: "" }]);
  const nodeSelectorTerms = [{ matchExpressions: [{ key: "zone", operator: "In", values: ["a"] }] }];
  const volume = (spec: object) => project("PersistentVolume", { metadata: { name: "pv" }, spec }).persistentVolumes[0];
  expect(volume({})?.nodeAffinity).toBeNull();
  expect(volume({ nodeAffinity: { required: { nodeSelectorTerms } } })?.nodeAffinity).toEqual([
    { matchExpressions: [{ key: "zone", operator: "In", values: ["a"] }], matchFields: [] },
  ]);
});

it("workloads of other kinds", () => {
  expect(project("StatefulSet", { ...named, spec: { replicas: 3 } }).otherWorkloads).toEqual([
    { kind: "StatefulSet", ...named.metadata, replicas: 3 },
  ]);
  expect(project("StatefulSet", named).otherWorkloads[0]?.replicas).toBe(1);
  expect(project("DaemonSet", named).otherWorkloads[0]?.replicas).toBeNull();
});

describe("a field of a wrong type or value", () => {
  const problem = (kind: string, object: object) => {
    try {
      return project(kind, object);
    } catch (error) {
      return String(error).replace("ReadError: test: document 1 ", "");
    }
  };
  const spec = { selector: {}, template: { spec: { containers: [] } } };

  it.each([
    [
      "Deployment",
      { spec: { ...spec, replicas: "3" } },
      '(Deployment shop/web): spec.replicas must be a whole number of at least 0, not "3"',
    ],
    [
      "Deployment",
      { spec: { ...spec, replicas: -1 } },
      "(Deployment shop/web): spec.replicas must be a whole number of at least 0, not -1",
    ],
    [
      "Deployment",
      { spec: { template: spec.template } },
      "(Deployment shop/web): spec.selector is missing; must be a label selector",
    ],
    [
      "Deployment",
      { spec: { ...spec, paused: "no" } },
      '(Deployment shop/web): spec.paused must be true or false, not "no"',
    ],
    [
      "Deployment",
      { spec: { ...spec, strategy: { rollingUpdate: { maxSurge: "a lot" } } } },
      '(Deployment shop/web): spec.strategy.rollingUpdate.maxSurge must be a whole number of at least 0 or a percentage such as "25%", not "a lot"',
    ],
    [
      "Deployment",
      { spec: { ...spec, template: { spec: { containers: [{ name: "a" }, {}] } } } },
      "(Deployment shop/web): spec.template.spec.containers[1].name is missing; must be text that is not empty",
    ],
    [
      "Deployment",
      { spec: { ...spec, template: { spec: { containers: { a: 1 } } } } },
      '(Deployment shop/web): spec.template.spec.containers must be a list, not {"a":1}',
    ],
    ["Deployment", { spec: [] }, "(Deployment shop/web): spec must be a map, not []"],
    [
      "Pod",
      { spec: { tolerations: [{ operator: "Is" }] } },
      '(Pod shop/web): spec.tolerations[0].operator must be one of Exists, Equal, Lt, Gt, not "Is"',
    ],
    [
      "Pod",
      { metadata: { ...named.metadata, deletionTimestamp: "yesterday" } },
      '(Pod shop/web): metadata.deletionTimestamp must be a time such as 2026-01-15T12:00:00Z, not "yesterday"',
    ],
    [
      "Pod",
      { metadata: { ...named.metadata, labels: { "a/b": 1 } } },
      '(Pod shop/web): metadata.labels."a/b" must be text, not 1',
    ],
    [
      "ResourceQuota",
      { status: { hard: { "limits.cpu": "1,5" } } },
      '(ResourceQuota shop/web): status.hard."limits.cpu" must be a quantity such as 250m, 2 or 1.5Gi, not "1,5"',
    ],
    [
      "HorizontalPodAutoscaler",
      { spec: { scaleTargetRef: { kind: "Deployment", name: "web" } } },
      "(HorizontalPodAutoscaler shop/web): spec.maxReplicas is missing; must be a whole number of at least 0",
    ],
  ])("%s %j", (kind, object, message) => {
    expect(problem(kind, { ...named, ...object })).toBe(message);
  });
});
