import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Pod, Snapshot } from "../../src/cluster/snapshot.ts";
import { explain } from "../../src/plan/explain.ts";
import { plan } from "../../src/plan/index.ts";
import type { Plan } from "../../src/plan/plan.ts";
import { suggest } from "../../src/plan/suggest.ts";
import { ANY_STATE, HEALTHY, nodeArbitrary, READY, situationArbitrary } from "./arbitrary.ts";
import { pod } from "./builders.ts";

const anything = situationArbitrary({ states: ANY_STATE, spread: true });
const alone = situationArbitrary({ states: ANY_STATE, spread: true }, 1);
/** One workload, no spread constraint and so few unready nodes that the cluster is never unhealthy. */
const plain = situationArbitrary({ states: HEALTHY, spread: false }, 1);

/** The snapshot once the cluster has done what a plan says: counts changed, pods that wait for a node or are gone. */
function applied(before: Snapshot, done: Plan): Snapshot {
  const targets = new Map(done.workloads.map(({ workload, target }) => [workload, target ?? 0]));
  const deployments = before.deployments.map((item) => ({
    ...item,
    replicas: targets.get(`shop/${item.name}`) ?? item.replicas,
  }));
  const pods = deployments.flatMap(({ name, replicas, template }): Pod[] => {
    // The ReplicaSet controller takes pods without a node away first.
    const own = before.pods
      .filter(({ labels }) => labels.app === name)
      .sort((a, b) => (a.nodeName === "" ? 1 : 0) - (b.nodeName === "" ? 1 : 0));
    const fresh = Array.from({ length: Math.max(0, replicas - own.length) }, (_, i) =>
      pod(name, `${name}-new-${i}`, "", { claims: template.claims }),
    );
    return [...own.slice(0, replicas), ...fresh];
  });
  return { ...before, deployments, pods };
}

describe("a plan", () => {
  it("never plans 0 unless the count is 0", () => {
    fc.assert(
      fc.property(anything, ({ snapshot, policy }) => {
        for (const { current, target } of plan(snapshot, policy).workloads) expect(target === 0).toBe(current === 0);
      }),
    );
  });

  it("grows neither above max nor above the number of Ready workers", () => {
    fc.assert(
      fc.property(anything, ({ snapshot, policy }) => {
        const { workloads, workers } = plan(snapshot, policy);
        for (const [at, { decision, target }] of workloads.entries()) {
          if (decision !== "scale-up") continue;
          expect(target).toBeLessThanOrEqual(policy.workloads[at]?.max ?? 0);
          expect(target).toBeLessThanOrEqual(workers.byState.ready ?? 0);
        }
      }),
    );
  });

  it("never lowers a target for one Ready node more, where there was a node before", () => {
    fc.assert(
      fc.property(plain, nodeArbitrary("x", [READY]), ({ snapshot, policy }, extra) => {
        const [before] = plan(snapshot, policy).workloads;
        const [after] = plan({ ...snapshot, nodes: [...snapshot.nodes, extra] }, policy).workloads;
        fc.pre(before?.keep !== 0);
        expect(after?.target).toBeGreaterThanOrEqual(before?.target ?? 0);
      }),
    );
  });

  it("never cuts what runs because nodes are cordoned", () => {
    fc.assert(
      fc.property(plain, fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }), ({ snapshot, policy }, cordoned) => {
        const lenient = { ...policy, workers: { ...policy.workers, strict: false } };
        const nodes = snapshot.nodes.map((one, at) => (cordoned[at] ? { ...one, unschedulable: true } : one));
        const [before] = plan(snapshot, lenient).workloads;
        const [after] = plan({ ...snapshot, nodes }, lenient).workloads;
        expect(after?.target).toBeGreaterThanOrEqual(Math.min(before?.current ?? 0, before?.target ?? 0));
      }),
    );
  });

  it("is done once it is applied: a second one changes nothing", () => {
    fc.assert(
      fc.property(fc.oneof(alone, anything), ({ snapshot, policy }) => {
        const first = plan(snapshot, policy);
        // Pods that one workload gives up make room, and another may grow into it then.
        fc.pre(first.workloads.length === 1 || first.workloads.every(({ decision }) => decision !== "scale-down"));
        for (const entry of plan(applied(snapshot, first), policy).workloads) {
          expect(entry.target).toBe(entry.current);
        }
      }),
    );
  });

  it("is the same, byte for byte, in whatever order the objects come", () => {
    const shuffled = <T>(items: T[]) => fc.shuffledSubarray(items, { minLength: items.length });
    const twice = anything.chain(({ snapshot, policy }) =>
      fc.record({
        policy: fc.constant(policy),
        snapshot: fc.constant(snapshot),
        other: fc.record({
          nodes: shuffled(snapshot.nodes),
          deployments: shuffled(snapshot.deployments),
          pods: shuffled(snapshot.pods),
        }),
      }),
    );
    fc.assert(
      fc.property(twice, ({ snapshot, policy, other }) => {
        expect(JSON.stringify(plan({ ...snapshot, ...other }, policy))).toBe(JSON.stringify(plan(snapshot, policy)));
      }),
    );
  });

  it("keeps on every node on which it grows, and counts what explain counts", () => {
    fc.assert(
      fc.property(anything, ({ snapshot, policy }) => {
        for (const { workload } of plan(snapshot, policy).workloads) {
          const verdicts = explain(snapshot, policy, workload);
          expect(verdicts.filter(({ grow, keep }) => grow && !keep)).toEqual([]);
        }
      }),
    );
  });

  it("leaves snapshot and policy as they are", () => {
    fc.assert(
      fc.property(anything, ({ snapshot, policy }) => {
        const before = JSON.stringify({ snapshot, policy });
        plan(snapshot, policy);
        suggest(snapshot, policy);
        expect(JSON.stringify({ snapshot, policy })).toBe(before);
      }),
    );
  });
});
