import { describe, expect, it } from "vitest";
import type { PodTemplate, ResourceQuota, Resources } from "../../src/cluster/snapshot.ts";
import { admit } from "../../src/plan/admitted-pod.ts";
import { indexSnapshot } from "../../src/plan/cluster-index.ts";
import { quota } from "../../src/plan/quota.ts";
import { affinityTerm, claims, container, deployment, policy, requesting, snapshot, workload } from "./builders.ts";

const NONE = Number.POSITIVE_INFINITY;
type Scope = ResourceQuota["scopes"][number];

const resourceQuota = (hard: Resources, used: Resources, fields: Partial<ResourceQuota> = {}): ResourceQuota => ({
  namespace: "shop",
  name: "q",
  hard,
  used,
  scopes: [],
  ...fields,
});

/** Replicas that the quotas admit of a Deployment with two. */
function admitted(resourceQuotas: ResourceQuota[], template: Partial<PodTemplate> = {}): number {
  const index = indexSnapshot(snapshot({ resourceQuotas }), policy([]));
  const subject = deployment("web", { replicas: 2, template });
  return quota(admit(subject, workload("web"), index), subject, index);
}

const asking: Partial<PodTemplate> = {
  claims: claims({
    containers: [container({ cpu: 100, memory: 10, "example.com/dev": 1 }, { limits: { cpu: 200, memory: 10 } })],
  }),
};

describe("quota", () => {
  it.each<[string, Resources, Resources, number]>([
    ["pods", { pods: 10 }, { pods: 9 }, 2 + 1],
    ["count/pods", { "count/pods": 10 }, { "count/pods": 7 }, 2 + 3],
    ["cpu", { cpu: 1000 }, { cpu: 750 }, 2 + 2],
    ["requests.cpu", { "requests.cpu": 1000 }, { "requests.cpu": 700 }, 2 + 3],
    ["limits.cpu", { "limits.cpu": 1000 }, { "limits.cpu": 700 }, 2 + 1],
    ["memory", { memory: 100 }, { memory: 95 }, 2],
    ["requests.memory", { "requests.memory": 100 }, { "requests.memory": 80 }, 2 + 2],
    ["limits.memory", { "limits.memory": 100 }, { "limits.memory": 70 }, 2 + 3],
    ["an extended resource", { "requests.example.com/dev": 4 }, { "requests.example.com/dev": 3 }, 2 + 1],
    [
      "an extended resource that the pod does not use",
      { "requests.example.com/gpu": 4 },
      { "requests.example.com/gpu": 4 },
      NONE,
    ],
    ["the scarcest of several", { pods: 10, "limits.cpu": 1000 }, { pods: 5, "limits.cpu": 800 }, 2 + 1],
    ["more used than there may be", { pods: 3 }, { pods: 5 }, 2],
    ["a use that is not known yet", { pods: 3 }, {}, 2],
    ["other objects", { services: 0, "requests.storage": 0 }, { services: 0, "requests.storage": 0 }, NONE],
    ["storage of a class", { "x.storageclass.storage.k8s.io/requests.storage": 0 }, {}, NONE],
  ])("on %s", (_, hard, used, expected) => {
    expect(admitted([resourceQuota(hard, used)], asking)).toBe(expected);
  });

  it.each<[string, Resources, Resources, Partial<PodTemplate>, number]>([
    [
      "ephemeral storage",
      { "ephemeral-storage": 9, "limits.ephemeral-storage": 20 },
      { "ephemeral-storage": 0, "limits.ephemeral-storage": 0 },
      {
        claims: claims({
          containers: [container({ "ephemeral-storage": 3 }, { limits: { "ephemeral-storage": 10 } })],
        }),
      },
      2 + 2,
    ],
    ["ephemeral storage that nobody states", { "ephemeral-storage": 9 }, { "ephemeral-storage": 9 }, {}, NONE],
    [
      "huge pages",
      { "hugepages-2Mi": 4, "requests.hugepages-2Mi": 3 },
      { "hugepages-2Mi": 0, "requests.hugepages-2Mi": 0 },
      { claims: requesting({ "hugepages-2Mi": 1 }) },
      2 + 3,
    ],
    ["cpu that a container does not state", { "requests.cpu": 9000 }, { "requests.cpu": 0 }, {}, 2],
    [
      "a limit that a container does not state",
      { "limits.cpu": 9000 },
      { "limits.cpu": 0 },
      { claims: requesting({ cpu: 1 }) },
      2,
    ],
    [
      "a request that a limit implies",
      { "requests.cpu": 200 },
      { "requests.cpu": 0 },
      { claims: claims({ containers: [container({}, { limits: { cpu: 100 } })] }) },
      2 + 2,
    ],
    [
      "memory that one init container does not state",
      { memory: 9000 },
      { memory: 0 },
      { claims: claims({ containers: [container({ memory: 1 })], initContainers: [container()] }) },
      2,
    ],
    [
      "cpu that the pod states for its containers",
      { "requests.cpu": 1000 },
      { "requests.cpu": 0 },
      { claims: claims({ podRequests: { cpu: 500 } }) },
      2 + 2,
    ],
    ["a figure of 0", { "requests.cpu": 1000 }, { "requests.cpu": 1000 }, { claims: requesting({ cpu: 0 }) }, NONE],
  ])("on %s", (_, hard, used, template, expected) => {
    expect(admitted([resourceQuota(hard, used)], template)).toBe(expected);
  });

  it("is bound by every quota of its namespace and by no other's", () => {
    expect(admitted([])).toBe(NONE);
    const few = resourceQuota({ pods: 3 }, { pods: 2 }, { name: "few" });
    const many = resourceQuota({ pods: 9 }, { pods: 2 }, { name: "many" });
    const elsewhere = resourceQuota({ pods: 0 }, { pods: 0 }, { namespace: "other" });
    expect(admitted([many, few, elsewhere])).toBe(2 + 1);
  });

  it("counts a LimitRange's figures as the pod's", () => {
    const limitRanges = [
      { namespace: "shop", name: "l", containers: [{ default: { cpu: 300 }, defaultRequest: { cpu: 100 } }] },
    ];
    const resourceQuotas = [resourceQuota({ "limits.cpu": 600 }, { "limits.cpu": 0 })];
    const index = indexSnapshot(snapshot({ limitRanges, resourceQuotas }), policy([]));
    const subject = deployment("web");
    expect(quota(admit(subject, workload("web"), index), subject, index)).toBe(1 + 2);
  });

  const prioritized: Partial<PodTemplate> = { claims: claims({ priorityClassName: "high" }) };
  const priority = (operator: Scope["operator"], ...values: string[]): Scope => ({
    scope: "PriorityClass",
    operator,
    values,
  });
  const scope = (name: string): Scope => ({ scope: name, operator: "Exists", values: [] });
  const deadline: Partial<PodTemplate> = { claims: claims({ hasDeadline: true }) };
  const apart = (fields: Parameters<typeof affinityTerm>[1]): Partial<PodTemplate> => ({
    claims: claims({ podAntiAffinity: [affinityTerm("web", fields)] }),
  });

  it.each<[string, Scope[], Partial<PodTemplate>, boolean]>([
    ["BestEffort", [scope("BestEffort")], {}, true],
    ["BestEffort, with a request", [scope("BestEffort")], asking, false],
    [
      "BestEffort, with a request of the pod",
      [scope("BestEffort")],
      { claims: claims({ podRequests: { cpu: 1 } }) },
      false,
    ],
    ["BestEffort, with devices alone", [scope("BestEffort")], { claims: requesting({ "example.com/dev": 1 }) }, true],
    ["NotBestEffort", [scope("NotBestEffort")], asking, true],
    ["NotBestEffort, without a request", [scope("NotBestEffort")], {}, false],
    ["Terminating", [scope("Terminating")], deadline, true],
    ["Terminating, without a deadline", [scope("Terminating")], {}, false],
    ["NotTerminating", [scope("NotTerminating")], {}, true],
    ["NotTerminating, with a deadline", [scope("NotTerminating")], deadline, false],
    ["PriorityClass In", [priority("In", "low", "high")], prioritized, true],
    ["PriorityClass In others", [priority("In", "low")], prioritized, false],
    ["PriorityClass In, without one", [priority("In", "low")], {}, false],
    ["PriorityClass NotIn", [priority("NotIn", "low")], prioritized, true],
    ["PriorityClass NotIn, without one", [priority("NotIn", "low")], {}, true],
    ["PriorityClass not NotIn", [priority("NotIn", "high")], prioritized, false],
    ["PriorityClass Exists", [priority("Exists")], prioritized, true],
    ["PriorityClass Exists, without one", [priority("Exists")], {}, false],
    ["PriorityClass DoesNotExist", [priority("DoesNotExist")], {}, true],
    ["PriorityClass DoesNotExist, with one", [priority("DoesNotExist")], prioritized, false],
    ["CrossNamespacePodAffinity by name", [scope("CrossNamespacePodAffinity")], apart({ namespaces: ["other"] }), true],
    [
      "CrossNamespacePodAffinity by selector",
      [scope("CrossNamespacePodAffinity")],
      apart({ namespaceSelector: [] }),
      true,
    ],
    [
      "CrossNamespacePodAffinity by affinity",
      [scope("CrossNamespacePodAffinity")],
      { podAffinity: [affinityTerm("db", { namespaces: ["other"] })] },
      true,
    ],
    ["CrossNamespacePodAffinity, at home", [scope("CrossNamespacePodAffinity")], apart({}), false],
    ["one that is not for pods", [scope("VolumeAttributesClass")], {}, false],
    ["every scope must hold", [scope("NotTerminating"), scope("NotBestEffort")], {}, false],
  ])("scope %s", (_, scopes, template, concerned) => {
    expect(admitted([resourceQuota({ pods: 2 }, { pods: 2 }, { scopes })], template)).toBe(concerned ? 2 : NONE);
  });
});
