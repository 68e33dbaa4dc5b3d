/**
 * The part of the policy about ClickHouse and Keeper: docs/clickhouse.md. What a schema can't see, since it is about
 * several keys together, is told by `clickHouseProblems`, beside the schema's own mistakes.
 */
import * as z from "zod";
import type { Formula } from "./policy.ts";
import { dnsLabel, formula, keys, listOf, oneOf, seconds, text, whole } from "./primitives.ts";
import { mustBe } from "./problems.ts";
import { asList, asMap } from "./raw.ts";
import { isDnsSubdomain } from "./selector.ts";

/** The sizes that the API admits for a KeeperCluster, 0 aside: odd, so that a quorum of 2F + 1 survives F members. */
export const KEEPER_SIZES = [1, 3, 5, 7, 9, 11, 13, 15] as const;

/** What is wanted of a KeeperCluster. */
export interface KeeperPolicy {
  /** Null: the one that the entry's ClickHouseCluster refers to. */
  name: string | null;
  /** Null: that of the reference, or of the entry. */
  namespace: string | null;
  /** `follow`: the largest of KEEPER_SIZES that the workers can hold, up to max. It only ever raises. */
  replicas: number | "follow";
  /** For `follow`. */
  max: number;
}

/** What is wanted of a ClickHouseCluster, of its Keeper, or of a Keeper alone. */
export interface ClickHousePolicy {
  namespace: string;
  /** The ClickHouseCluster; null: a Keeper alone. */
  name: string | null;
  /** Replicas of each shard; null: not ours to plan. */
  replicas: number | "follow" | null;
  /** These four are for `follow`, as for a workload. */
  max: number;
  min: number;
  formula: Formula;
  spare: number;
  /** Null: not ours to plan. */
  shards: number | null;
  /** The number of shards to which it may come down although their data goes with them. */
  allowShardRemoval: number | null;
  /** Replicas of one shard may share a node. */
  sharedNodes: boolean;
  capacity: "enforce" | "off";
  gitops: "defer" | "override";
  /** Null: the Keeper is waited for, and not ours to plan. */
  keeper: KeeperPolicy | null;
  /** How long the operator may take for one step until `converge` gives up waiting. */
  stepTimeoutSeconds: number;
}

const DEFAULT_STEP_TIMEOUT = 900;
/** Five members survive the loss of two; more make every write slower. */
const DEFAULT_KEEPER_MAX = 5;

const SIZES_IN_WORDS = KEEPER_SIZES.join(", ");

/** A value that is right or else is told by an error that depends on it; a union's would depend on its parts. */
function checked<Value>(isRight: (written: unknown) => boolean, error: (written: unknown) => string) {
  return z.unknown().transform((written, context): Value => {
    if (isRight(written)) return written as Value;
    context.addIssue({ code: "custom", message: error(written), input: written });
    return z.NEVER;
  });
}

const isKeeperSize = (written: unknown) => KEEPER_SIZES.some((size) => size === written);

const keeperReplicas = checked<number | "follow">(
  (written) => written === "follow" || isKeeperSize(written),
  (written) =>
    written === 0
      ? "at least 1 (without a member there is no Keeper, and every ClickHouse cluster that refers to it turns read-only)"
      : `one of ${SIZES_IN_WORDS} or follow`,
);

const keeperMax = checked<number>(isKeeperSize, () => `one of ${SIZES_IN_WORDS}`);

const replicas = checked<number | "follow">(
  (written) => written === "follow" || isCount(written),
  () => "follow or a whole number of at least 1",
);

const keeper = keys({
  name: text("the name of a KeeperCluster", isDnsSubdomain).optional(),
  namespace: text("the name of a namespace", dnsLabel).optional(),
  replicas: keeperReplicas,
  max: keeperMax.optional(),
});

const entry = keys({
  namespace: text("the name of a namespace", dnsLabel),
  name: text("the name of a ClickHouseCluster", isDnsSubdomain).optional(),
  replicas: replicas.optional(),
  max: whole(1).optional(),
  min: whole(1).optional(),
  formula: formula.optional(),
  spare: whole(0).optional(),
  shards: whole(1).optional(),
  allowShardRemoval: whole(1).optional(),
  sharedNodes: z.boolean({ error: "true or false" }).default(false),
  capacity: oneOf(["enforce", "off"]).default("enforce"),
  gitops: oneOf(["defer", "override"]).default("defer"),
  keeper: keeper.optional(),
  stepTimeoutSeconds: seconds().default(DEFAULT_STEP_TIMEOUT),
});

/** The policy's key `clickhouse`. */
export const clickHouseEntries = listOf(entry, "a list of { namespace, name, replicas, shards, keeper, … }").default(
  [],
);

/** Takes what neither the schema nor `clickHouseProblems` found anything wrong with. */
export function clickHousePolicies(written: z.infer<typeof clickHouseEntries>): ClickHousePolicy[] {
  return written.map((item) => ({
    namespace: item.namespace,
    name: item.name ?? null,
    replicas: item.replicas ?? null,
    max: item.max ?? (typeof item.replicas === "number" ? item.replicas : 1),
    min: item.min ?? 1,
    formula: item.formula ?? "linear",
    spare: item.spare ?? 0,
    shards: item.shards ?? null,
    allowShardRemoval: item.allowShardRemoval ?? null,
    sharedNodes: item.sharedNodes,
    capacity: item.capacity,
    gitops: item.gitops,
    keeper:
      item.keeper === undefined
        ? null
        : {
            name: item.keeper.name ?? null,
            namespace: item.keeper.namespace ?? null,
            replicas: item.keeper.replicas,
            max: item.keeper.max ?? DEFAULT_KEEPER_MAX,
          },
    stepTimeoutSeconds: item.stepTimeoutSeconds,
  }));
}

/** Mistakes of several keys together, read from the policy as it was written; what the schema refuses is left to it. */
export function clickHouseProblems(policy: unknown): string[] {
  const seen = new Map<string, string>();
  return asList(asMap(policy).clickhouse).flatMap((item, index) => {
    const path = `clickhouse[${index}]`;
    const map = asMap(item);
    if (item !== map) return [];
    return [...entryProblems(path, map), ...listedTwice(path, map, seen)];
  });
}

/** Keys that mean something with `replicas: follow` only. */
const FOLLOW_KEYS = ["min", "formula", "spare"];

function entryProblems(path: string, item: Record<string, unknown>): string[] {
  const { name, replicas, shards, keeper: written, max, min } = item;
  const keeper = asMap(written);
  const problems: string[] = [];
  if (name === undefined && keeper.name === undefined) {
    problems.push(`${path}: needs name, that of a ClickHouseCluster, or keeper.name for a Keeper alone`);
  } else if (name === undefined && (replicas !== undefined || shards !== undefined)) {
    problems.push(`${path}.name: is missing; replicas and shards are those of a ClickHouseCluster`);
  } else if (name !== undefined && replicas === undefined && shards === undefined && written === undefined) {
    problems.push(`${path}: says nothing to scale; give replicas, shards or keeper`);
  }
  if (replicas === "follow") {
    if (max === undefined) {
      problems.push(`${path}.max: is missing; must be a whole number of at least 1, since replicas is follow`);
    } else if (isCount(max) && isCount(min) && min > max) {
      problems.push(`${path}: min must be at most max, which is ${max}, not ${min}`);
    }
  } else {
    if (isCount(replicas) && isCount(max) && replicas > max) {
      problems.push(`${path}.replicas: ${mustBe(`at most max, which is ${max}`, replicas)}`);
    }
    const unused = FOLLOW_KEYS.filter((key) => item[key] !== undefined);
    for (const key of unused) problems.push(`${path}.${key}: goes with replicas: follow only`);
  }
  if (keeper.max !== undefined && keeper.replicas !== "follow") {
    problems.push(`${path}.keeper.max: goes with replicas: follow only`);
  }
  if (item.allowShardRemoval !== undefined && shards === undefined) {
    problems.push(`${path}.allowShardRemoval: goes with shards only, and names the same number`);
  }
  return problems;
}

/** @param seen the place of each ClickHouseCluster and KeeperCluster that an earlier entry names. */
function listedTwice(path: string, item: Record<string, unknown>, seen: Map<string, string>): string[] {
  const keeper = asMap(item.keeper);
  const named = [
    { kind: "ClickHouseCluster", namespace: item.namespace, name: item.name, at: path },
    { kind: "KeeperCluster", namespace: keeper.namespace ?? item.namespace, name: keeper.name, at: `${path}.keeper` },
  ];
  return named.flatMap(({ kind, namespace, name, at }) => {
    if (typeof namespace !== "string" || typeof name !== "string") return [];
    const identity = `${kind} ${namespace}/${name}`;
    const first = seen.get(identity);
    if (first === undefined) seen.set(identity, at);
    return first === undefined ? [] : [`${at}: ${identity} is listed already, as ${first}; list it once`];
  });
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1;
}
