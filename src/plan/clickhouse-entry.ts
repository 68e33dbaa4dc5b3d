/** From what is known of a ClickHouse or Keeper cluster to its entry in the plan. docs/semantics.md, "ClickHouse and Keeper". */
import type { ClickHouseCluster, KeeperCluster } from "../cluster/snapshot.ts";
import { type LeftAlone, ownsField } from "./clickhouse-ownership.ts";
import type {
  ClickHouseAction,
  ClickHouseEntry,
  ClickHouseReason,
  ClickHouseWarning,
  Size,
} from "./clickhouse-plan.ts";
import {
  type Because,
  holdMessage,
  keepMessage,
  leftAloneMessage,
  missingMessage,
  podsOf,
  refuseMessage,
  stepMessage,
  warningsText,
} from "./clickhouse-sentences.ts";

type Kind = ClickHouseEntry["kind"];

/** Everything that an entry is made of. */
export interface Draft {
  kind: Kind;
  cluster: KeeperCluster | ClickHouseCluster;
  current: Size;
  /** Sizes on the way to the wanted one, the next first; none: it is there. */
  steps: Size[];
  /** The fields that the policy sets. */
  manages: { replicas: boolean; shards: boolean };
  /** Why no step is taken now, or why the size is not what the workers call for; none: the next step is taken. */
  because: Because[];
  /** The reasons are such that only a person ends them. */
  refused: boolean;
  /** Why a step is taken, or none needed. */
  why: string;
  /** Why a step is another than the plain formula. */
  explains: ClickHouseReason[];
  warnings: ClickHouseWarning[];
  /** What of this cluster a warning is about. */
  details: Partial<Record<ClickHouseWarning, string>>;
}

export function finished(draft: Draft): ClickHouseEntry {
  const { kind, cluster, current, steps, because, refused, why, explains, warnings, details } = draft;
  const [first, ...rest] = steps;
  const held = because.length > 0;
  const taken = held || refused ? undefined : first;
  const target = taken ?? current;
  const next = taken === undefined ? steps : rest;
  const texts = [...new Set(because.map(({ text }) => text))];
  const message = refused
    ? refuseMessage(current, steps.at(-1) ?? current, texts)
    : taken !== undefined
      ? stepMessage(current, taken, next, why)
      : held
        ? holdMessage(current, next, texts)
        : keepMessage(current, [why]);
  const decision = refused ? "refuse" : taken !== undefined ? direction(current, taken) : held ? "hold" : "keep";
  const shown = refused ? [] : warnings;
  return {
    ...identity(kind, cluster),
    decision,
    current,
    target,
    next: refused ? [] : next,
    reasons: [...new Set([...because.map(({ reason }) => reason), ...(taken === undefined ? [] : explains)])],
    warnings: shown,
    message: `${message}${warningsText(shown, details)}`,
    action: actionOf(draft, target, decision),
  };
}

/** Of two sizes the one with more pods is the larger. */
function direction(current: Size, target: Size): "scale-up" | "scale-down" {
  return podsOf(target) > podsOf(current) ? "scale-up" : "scale-down";
}

/**
 * A step, or a size that is kept, is written. Otherwise only what is ours already stays in the patch, at its present value. So
 * does a field of ours that the policy no longer names: without it the API server would set it to its default, and one shard
 * instead of three is the data of two.
 */
function actionOf(
  { kind, cluster, manages }: Draft,
  target: Size,
  decision: ClickHouseEntry["decision"],
): ClickHouseAction | null {
  const writes = decision === "scale-up" || decision === "scale-down" || decision === "keep";
  const sets = (field: "replicas" | "shards") => (writes && manages[field]) || ownsField(cluster, field);
  const spec = {
    ...(sets("replicas") ? { replicas: target.replicas } : {}),
    ...(target.shards !== undefined && sets("shards") ? { shards: target.shards } : {}),
  };
  if (Object.keys(spec).length === 0) return null;
  const { apiVersion, namespace, name, uid } = cluster;
  return { kind, apiVersion, namespace, name, ...(uid === "" ? {} : { uid }), spec };
}

export function leftAlone(kind: Kind, cluster: KeeperCluster | ClickHouseCluster, owner: LeftAlone): ClickHouseEntry {
  const size =
    "shards" in cluster ? { replicas: cluster.replicas, shards: cluster.shards } : { replicas: cluster.replicas };
  return {
    ...identity(kind, cluster),
    decision: owner.decision,
    current: size,
    target: size,
    next: [],
    reasons: [owner.reason],
    warnings: [],
    message: leftAloneMessage(owner),
    action: null,
  };
}

export function missing(kind: Kind, of: { namespace: string; name: string }): ClickHouseEntry {
  return {
    ...identity(kind, of),
    decision: "missing",
    current: null,
    target: null,
    next: [],
    reasons: [],
    warnings: [],
    message: missingMessage(kind, `${of.namespace}/${of.name}`),
    action: null,
  };
}

function identity(kind: Kind, { namespace, name }: { namespace: string; name: string }) {
  return { workload: `${namespace}/${name}`, kind };
}
