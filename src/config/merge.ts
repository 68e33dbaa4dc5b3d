/**
 * What a workload says wins over its layer, and a layer over the defaults: docs/semantics.md, "Words".
 */
import { clickHousePolicies } from "./clickhouse.ts";
import type { Policy, WorkloadPolicy } from "./policy.ts";
import { mustBe, orList, shown } from "./problems.ts";
import { queueProblems } from "./queue-problems.ts";
import { queuePolicies } from "./queue-schema.ts";
import { asList, asMap } from "./raw.ts";
import type { WrittenPolicy, WrittenSettings } from "./schema.ts";

const DEFAULTS: Omit<WorkloadPolicy, "namespace" | "name" | "kind" | "max"> = {
  formula: "linear",
  min: 1,
  spare: 0,
  capacity: "enforce",
  gitops: "defer",
  hpa: "defer",
  os: "linux",
  allowUnsafe: [],
};

/** The policy with every workload's settings complete. Takes what `mergeProblems` found nothing wrong with. */
export function merged(written: WrittenPolicy): Policy {
  const { workers, owners, capacityPodLimit, defaults, layers, workloads, clickhouse, queues } = written;
  return {
    workers,
    owners,
    capacityPodLimit,
    workloads: workloads.map((workload) => {
      const layer = workload.layer === undefined ? {} : ownValue(layers, workload.layer);
      return { ...DEFAULTS, ...stated(defaults), ...stated(layer), ...stated(workload) } as WorkloadPolicy;
    }),
    clickhouse: clickHousePolicies(clickhouse),
    queues: queuePolicies(queues),
  };
}

/** A key that is present without a value must not hide what a lower level says. */
function stated(settings: WrittenSettings | undefined): WrittenSettings {
  return Object.fromEntries(Object.entries(settings ?? {}).filter(([, value]) => value !== undefined));
}

/**
 * What only shows once the three levels are put together: unknown layers, duplicates, a missing max, min above max.
 * Reads the raw value, so that these are told beside mistakes of the schema; what the schema refuses is left to it.
 */
export function mergeProblems(value: unknown): string[] {
  const policy = asMap(value);
  const layers = asMap(policy.layers);
  const problems = queueProblems(value);
  const seen = new Map<string, string>();
  for (const [index, item] of asList(policy.workloads).entries()) {
    const path = `workloads[${index}]`;
    const workload = asMap(item);
    const identity = `${String(workload.kind ?? "Deployment")} ${String(workload.namespace)}/${String(workload.name)}`;
    const first = seen.get(identity);
    if (first !== undefined) problems.push(`${path}: ${identity} is listed already, as ${first}; list it once`);
    else if (typeof workload.namespace === "string" && typeof workload.name === "string") seen.set(identity, path);

    const layerName = workload.layer;
    const layer = typeof layerName === "string" ? ownValue(layers, layerName) : {};
    if (typeof layerName === "string" && layerName.trim() !== "" && layer === undefined) {
      const known = Object.keys(layers);
      const allowed = known.length === 0 ? "a layer, of which the policy has none" : `a layer: ${orList(known)}`;
      problems.push(`${path}.layer: ${mustBe(allowed, layerName)}`);
      continue;
    }
    if (item !== workload) continue;
    problems.push(...boundsProblems(path, [workload, asMap(layer), asMap(policy.defaults)], layerName));
  }
  return problems;
}

/** @param levels workload, layer, defaults: the first that states a key wins. */
function boundsProblems(path: string, levels: Record<string, unknown>[], layer: unknown): string[] {
  const find = (key: string) => levels.find((level) => Object.hasOwn(level, key))?.[key];
  const max = find("max");
  const min = find("min");
  if (max === undefined) {
    const places = typeof layer === "string" ? `here, in layers.${layer} or in defaults` : "here or in defaults";
    return [`${path}.max: is missing; must be a whole number of at least 1, ${places}`];
  }
  if (typeof max === "number" && typeof min === "number" && Number.isInteger(max) && max >= 1 && min > max) {
    return [`${path}: min must be at most max, which comes out as ${shown(max)}, not ${shown(min)}`];
  }
  return [];
}

/** Own keys only: a layer may be called `constructor`. */
function ownValue<Value>(map: Record<string, Value>, key: string): Value | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}
