/** The nodes of a scenario at random: labels, taints, sizes, and the states that they can be in. */
import fc from "fast-check";
import { condition, controlPlaneTaint, MANAGED, nodeObject, type Taint } from "../cluster/node-object.ts";
import type { KubeObject } from "../cluster/objects.ts";
import { DEVICE, homeLabel, homeTaint, type Names, sometimes, withoutUndefined } from "./arbitrary.ts";

/** States that nodes are in, and what puts them there: `unready` is what the node controller's taints say. */
type NodeState = "ready" | "settling" | "cordoned" | "starting" | "pressure" | "leaving" | "unready";

export function nodesArbitrary(names: Names): fc.Arbitrary<KubeObject[]> {
  return fc
    .record({
      zones: fc.integer({ min: 1, max: 3 }),
      racks: fc.integer({ min: 1, max: 3 }),
      count: fc.integer({ min: 3, max: 9 }),
    })
    .chain(({ zones, racks, count }) =>
      fc.tuple(...Array.from({ length: count }, (_, i) => nodeArbitrary(names, i, zones, racks))),
    );
}

function nodeArbitrary(names: Names, number: number, zones: number, racks: number): fc.Arbitrary<KubeObject> {
  const one = (values: string[], count: number) => fc.constantFrom(...values.slice(0, count));
  return fc
    .record({
      labels: fc.record({
        zone: sometimes(95, one(["a", "b", "c"], zones)),
        rack: sometimes(92, one(["1", "2", "3"], racks)),
        disk: sometimes(70, fc.constantFrom("ssd", "ssd", "hdd")),
        generation: sometimes(60, fc.constantFrom("1", "4", "9")),
      }),
      taint: sometimes(
        14,
        fc.record({
          value: fc.constantFrom("batch", "web"),
          effect: fc.constantFrom("NoSchedule" as const, "NoExecute" as const, "PreferNoSchedule" as const),
        }),
      ),
      allocatable: fc.record({
        cpu: fc.constantFrom("500m", "1", "1500m", "2"),
        memory: fc.constantFrom("1Gi", "2Gi"),
        pods: fc.constantFrom("2", "4", "110"),
        [DEVICE]: sometimes(60, fc.constantFrom("1", "2")),
      }),
      state: fc.oneof(
        { weight: 90, arbitrary: fc.constant<NodeState>("ready") },
        {
          weight: 10,
          arbitrary: fc.constantFrom<NodeState[]>("settling", "cordoned", "starting", "pressure", "leaving", "unready"),
        },
      ),
      role: sometimes(2, fc.constant("control-plane" as const)),
      windows: sometimes(2, fc.constant({ "kubernetes.io/os": "windows" })),
    })
    .map(({ labels, taint, allocatable, state, role, windows }) => {
      const name = names.node(number);
      const own = Object.entries(withoutUndefined<Record<string, string>>(labels));
      const taints: Taint[] = [
        homeTaint(names),
        ...(role ? [controlPlaneTaint] : []),
        ...(taint ? [{ key: names.key("dedicated"), ...taint }] : []),
      ];
      const node = nodeObject({
        name,
        role: role ?? "worker",
        labels: {
          ...homeLabel(names),
          [names.key("host")]: name,
          ...Object.fromEntries(own.map(([key, value]) => [names.key(key), value])),
          ...windows,
        },
        taints,
        allocatable: withoutUndefined<Record<string, string>>(allocatable),
      });
      return inState(node, state);
    });
}

/** The node as the node controller and others make it look in a state. */
function inState(node: KubeObject, state: NodeState): KubeObject {
  const taint = (key: string, effect: string) => node.spec.taints.push({ key, effect });
  const set = (type: string, status: string, since: Date) => {
    const others = node.status.conditions.filter((one: { type: string }) => one.type !== type);
    node.status.conditions = [...others, condition(type, status, since)];
  };
  const now = Date.now();
  switch (state) {
    case "ready":
      break;
    case "settling":
      // In the future, by a clock that is ahead: the scenario may take its time.
      set("Ready", "True", new Date(now + 600_000));
      break;
    case "cordoned":
      node.spec.unschedulable = true;
      taint("node.kubernetes.io/unschedulable", "NoSchedule");
      break;
    case "starting":
      taint("node.cloudprovider.kubernetes.io/uninitialized", "NoSchedule");
      break;
    case "pressure":
      set("MemoryPressure", "True", new Date(now - 60_000));
      taint("node.kubernetes.io/memory-pressure", "NoSchedule");
      break;
    case "leaving":
      taint("ToBeDeletedByClusterAutoscaler", "NoSchedule");
      break;
    case "unready":
      for (const key of Object.keys(MANAGED)) delete node.metadata.annotations?.[key];
      set("Ready", "False", new Date(now - 60_000));
      taint("node.kubernetes.io/not-ready", "NoSchedule");
      taint("node.kubernetes.io/not-ready", "NoExecute");
  }
  return node;
}
