import { describe, expect, it } from "vitest";
import type { Container, LimitRange, Resources } from "../../src/cluster/snapshot.ts";
import { withLimitRangeDefaults } from "../../src/plan/limit-ranges.ts";
import { claims, container } from "./builders.ts";

const limitRange = (name: string, ...containers: LimitRange["containers"]): LimitRange => ({
  namespace: "shop",
  name,
  containers,
});
const usual = limitRange("usual", { default: { cpu: 500 }, defaultRequest: { cpu: 250 } });
const limited = (limits: Resources, requests: Resources = {}) => container(requests, { limits });

describe("withLimitRangeDefaults", () => {
  it.each<[string, Container, LimitRange[], Pick<Container, "requests" | "limits">]>([
    ["no LimitRange", container(), [], { requests: {}, limits: {} }],
    ["a limit implies its request", limited({ cpu: 400 }), [], { requests: { cpu: 400 }, limits: { cpu: 400 } }],
    ["fills in both", container(), [usual], { requests: { cpu: 250 }, limits: { cpu: 500 } }],
    ["keeps a request", container({ cpu: 100 }), [usual], { requests: { cpu: 100 }, limits: { cpu: 500 } }],
    ["keeps a request of 0", container({ cpu: 0 }), [usual], { requests: { cpu: 0 }, limits: { cpu: 500 } }],
    [
      "a limit of its own is the request, before the default request",
      limited({ cpu: 401 }),
      [usual],
      { requests: { cpu: 401 }, limits: { cpu: 401 } },
    ],
    [
      "a default limit alone is the default request too",
      container(),
      [limitRange("l", { default: { memory: 8 }, defaultRequest: {} })],
      { requests: { memory: 8 }, limits: { memory: 8 } },
    ],
    [
      "of several items the last says it",
      container(),
      [limitRange("l", { default: {}, defaultRequest: { cpu: 300 } }, { default: {}, defaultRequest: { cpu: 200 } })],
      { requests: { cpu: 200 }, limits: {} },
    ],
    [
      "of several LimitRanges the largest figure",
      container(),
      [usual, limitRange("more", { default: { cpu: 400 }, defaultRequest: { cpu: 300, memory: 1 } })],
      { requests: { cpu: 300, memory: 1 }, limits: { cpu: 500 } },
    ],
  ])("%s", (_, before, limitRanges, expected) => {
    const { containers, initContainers } = withLimitRangeDefaults(
      claims({ containers: [before], initContainers: [before] }),
      limitRanges,
    );
    expect(containers[0]).toMatchObject(expected);
    expect(initContainers[0]).toMatchObject(expected);
  });

  it("fixes the requests of the pod itself first, which the defaults of containers don't change", () => {
    expect(withLimitRangeDefaults(claims({ podLimits: { cpu: 1000 } }), [usual]).podRequests).toEqual({ cpu: 1000 });
  });
});
