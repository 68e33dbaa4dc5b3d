import { describe, expect, it } from "vitest";
import type { PodClaims, Resources } from "../../src/cluster/snapshot.ts";
import { hasPodResources, isScheduled, podLimits, podRequests } from "../../src/plan/resources.ts";
import { claims, container } from "./builders.ts";

const cpu = (requested: number, fields = {}) => container({ cpu: requested }, fields);
const sidecar = (requested: number) => cpu(requested, { sidecar: true });

describe("podRequests", () => {
  it.each<[string, Partial<PodClaims>, Resources]>([
    ["containers run together", { containers: [cpu(100), cpu(200)] }, { cpu: 300 }],
    ["nothing asked for", { containers: [container()] }, {}],
    [
      "an init container counts where it asks for more",
      { containers: [cpu(100)], initContainers: [cpu(250)] },
      { cpu: 250 },
    ],
    ["and not where it asks for less", { containers: [cpu(100)], initContainers: [cpu(50)] }, { cpu: 100 }],
    [
      "init containers run one after the other",
      { containers: [cpu(100)], initContainers: [cpu(150), cpu(120)] },
      { cpu: 150 },
    ],
    ["a sidecar runs beside the containers", { containers: [cpu(100)], initContainers: [sidecar(50)] }, { cpu: 150 }],
    [
      "an init container runs beside the sidecars before it",
      { containers: [cpu(100)], initContainers: [sidecar(50), cpu(200)] },
      { cpu: 250 },
    ],
    [
      "and not beside those after it",
      { containers: [cpu(100)], initContainers: [cpu(200), sidecar(50)] },
      { cpu: 200 },
    ],
    ["overhead is added", { containers: [cpu(100)], overhead: { cpu: 10, memory: 5 } }, { cpu: 110, memory: 5 }],
    [
      "a limit implies its request",
      { containers: [container({ cpu: 100 }, { limits: { cpu: 500, "example.com/dev": 1 } })] },
      { cpu: 100, "example.com/dev": 1 },
    ],
    ["a request of 0 is one", { containers: [container({ cpu: 0 }, { limits: { cpu: 500 } })] }, { cpu: 0 }],
    [
      "a container that is being resized counts with the largest of what is wanted, allocated and in force",
      { containers: [cpu(100, { allocated: { cpu: 300 }, actual: { cpu: 200 } }), cpu(50, { actual: { cpu: 60 } })] },
      { cpu: 360 },
    ],
    [
      "requests of the pod stand for those of its containers",
      { containers: [container({ cpu: 100, memory: 7, "example.com/dev": 1 })], podRequests: { cpu: 400 } },
      { cpu: 400, memory: 7, "example.com/dev": 1 },
    ],
    [
      "what a pod can't state for its containers is ignored there",
      { containers: [cpu(100)], podRequests: { "ephemeral-storage": 5 } },
      { cpu: 100 },
    ],
    ["a limit of the pod implies its request", { containers: [container()], podLimits: { cpu: 500 } }, { cpu: 500 }],
    [
      "but for what its containers request",
      { containers: [cpu(100)], podLimits: { cpu: 500, memory: 9 } },
      { cpu: 100, memory: 9 },
    ],
    [
      "huge pages of the pod are its limit, whatever its containers request",
      { containers: [container({ "hugepages-2Mi": 2 })], podLimits: { "hugepages-2Mi": 4 } },
      { "hugepages-2Mi": 4 },
    ],
  ])("%s", (_, fields, expected) => {
    expect(podRequests(claims(fields))).toEqual(expected);
  });
});

describe("podLimits", () => {
  const limited = (limits: Resources, fields = {}) => container({}, { limits, ...fields });

  it.each<[string, Partial<PodClaims>, Resources]>([
    [
      "the sum of the containers",
      { containers: [limited({ cpu: 1 }), limited({ cpu: 2, memory: 3 })] },
      { cpu: 3, memory: 3 },
    ],
    [
      "the larger init container",
      { containers: [limited({ cpu: 1 })], initContainers: [limited({ cpu: 5 })] },
      { cpu: 5 },
    ],
    ["the pod's own", { containers: [limited({ cpu: 1 })], podLimits: { cpu: 4 } }, { cpu: 4 }],
    [
      "overhead where there is a limit",
      { containers: [limited({ cpu: 1 })], overhead: { cpu: 1, memory: 1 } },
      { cpu: 2 },
    ],
    ["a request implies no limit", { containers: [container({ cpu: 1 })] }, {}],
  ])("%s", (_, fields, expected) => {
    expect(podLimits(claims(fields))).toEqual(expected);
  });
});

describe("hasPodResources", () => {
  it.each<[string, Partial<PodClaims>, boolean]>([
    ["without any", {}, false],
    ["with a request", { podRequests: { cpu: 1 } }, true],
    ["with a limit", { podLimits: { memory: 1 } }, true],
    ["with huge pages", { podRequests: { "hugepages-1Gi": 1 } }, true],
    ["with one that a pod can't state", { podRequests: { "example.com/dev": 1 } }, false],
  ])("%s", (_, fields, expected) => {
    expect(hasPodResources(claims(fields))).toBe(expected);
  });
});

describe("isScheduled", () => {
  it.each([
    ["cpu", true],
    ["memory", true],
    ["ephemeral-storage", true],
    ["example.com/dev", true],
    ["hugepages-2Mi", true],
    ["attachable-volumes-csi-x", true],
    ["storage", false],
    ["pods", false],
  ])("%s: %s", (resource, expected) => {
    expect(isScheduled(resource)).toBe(expected);
  });
});
