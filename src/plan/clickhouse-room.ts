/**
 * How many replicas the nodes hold, and how many of them the workers call for. docs/semantics.md, "ClickHouse and Keeper".
 */

import type { Node } from "../cluster/snapshot.ts";
import type { ClickHousePolicy } from "../config/clickhouse.ts";
import type { ClickHouseReason } from "./clickhouse-plan.ts";
import { asWorkload, type PodSet } from "./clickhouse-pods.ts";
import { replicasFor } from "./formulas.ts";
import { placement } from "./placement.ts";
import { type Bound, HEALTH_STATES } from "./plan.ts";
import { quota as quotaOf } from "./quota.ts";
import type { ClusterView } from "./view.ts";
import { counted, listedNodes } from "./words.ts";

/** How many replicas (of each shard) may run with new ones started now, and what bounds the number. */
export interface Room {
  replicas: number;
  bounds: Bound[];
  /** False where new pods may stay Pending all the same. */
  known: boolean;
}

/**
 * Room for replicas up to a number, over all pod sets alike. The sets are filled one after the other, so that what one takes
 * the next does not have; that room stays taken.
 *
 * @param share pod sets that may not share a node either, by the resource's own rules
 */
export function roomFor(wanted: number, podSets: readonly PodSet[], share: number, view: ClusterView): Room {
  // Without one Node object nothing is known of nodes: a dump of the resources alone.
  if (view.index.nodes.length === 0) return { replicas: wanted, bounds: [], known: false };
  const rooms = podSets.map((podSet) => {
    const { pod, deployment, sets } = podSet;
    const placeable = Math.floor(placement(pod, sets.grow, view.index, wanted * share) / share);
    const { capacity, known } = view.room.capacity(pod, deployment, sets.grow, wanted, sets.settling);
    const allowed =
      deployment.replicas + Math.floor((quotaOf(pod, deployment, view.index) - deployment.replicas) / podSets.length);
    const replicas = Math.max(deployment.replicas, Math.min(wanted, placeable, capacity, allowed));
    view.room.take(pod, deployment, sets.grow, replicas);
    const bounds: [Bound, number][] = [
      ["placement", placeable],
      ["capacity", capacity],
      ["quota", allowed],
    ];
    return {
      replicas,
      known,
      bounds: bounds.filter(([, bound]) => bound <= replicas && bound < wanted).map(([name]) => name),
    };
  });
  const replicas = Math.min(...rooms.map((room) => room.replicas));
  const binding = rooms.find((room) => room.replicas === replicas);
  return {
    replicas,
    bounds: replicas < wanted ? (binding?.bounds ?? []) : [],
    known: rooms.every((room) => room.known),
  };
}

/** What the workers call for. */
export interface Followed {
  replicas: number;
  /** Why it is not the plain formula of the nodes that take new pods. */
  reasons: ClickHouseReason[];
  known: boolean;
  /** A clause for a person. */
  why: string;
}

/**
 * The replicas of each shard that follow the workers: those of docs/semantics.md, "Target". But a node that is lost, and any other
 * whose object is still there, keeps its replica: data is moved when the node is gone for good, and not before.
 */
export function followed(
  entry: ClickHousePolicy,
  podSets: readonly PodSet[],
  share: number,
  view: ClusterView,
): Followed {
  const [first] = podSets;
  const current = first?.deployment.replicas ?? 0;
  const nodes = first?.eligible ?? [];
  const grow = first?.sets.grow ?? [];
  const workers = counted(nodes.length, "worker");
  if (first === undefined || nodes.length === 0) {
    const reason = view.candidates.length === 0 ? "no-ready-worker" : "no-matching-node";
    return { replicas: current, reasons: [reason], known: true, why: `no worker is one that its pods may use` };
  }
  const formula = (of: readonly Node[]) => replicasFor(of, asWorkload(entry, first.deployment));
  const wanted = formula(grow);
  const room = grow.length === 0 ? null : roomFor(wanted, podSets, share, view);
  const growTo = Math.min(wanted, entry.capacity === "enforce" ? (room?.replicas ?? 0) : wanted);
  const keepTo = Math.max(growTo, formula(nodes));
  const target = Math.max(1, Math.min(Math.max(current, growTo), keepTo));
  const replicas = view.unhealthy ? Math.max(current, target) : target;
  const reasons: ClickHouseReason[] = [];
  if (replicas > wanted) reasons.push(...statesOf(nodes, view));
  if (replicas > target) reasons.push("cluster-unhealthy");
  if (replicas < wanted) reasons.push(...(room?.bounds ?? []));
  const names = grow.length === 0 ? "" : ` (${listedNodes(grow)})`;
  const why =
    grow.length === nodes.length
      ? `${workers} can take its pods${names}`
      : `${grow.length === 0 ? "none" : grow.length} of ${workers} can take new pods${names}`;
  return { replicas, reasons, known: room?.known ?? true, why };
}

/** States other than ready of nodes that the pods may use, each once. */
function statesOf(nodes: PodSet["eligible"], view: ClusterView): ClickHouseReason[] {
  const there = new Set(nodes.map(({ position }) => view.statuses[position]?.health));
  return HEALTH_STATES.filter((state) => state !== "ready").filter((state) => there.has(state));
}
