/**
 * Room: how many more pods the nodes hold beside those that stand there, given out in the order of the allowlist.
 * docs/semantics.md, "Room".
 */
import type { Deployment, Pod } from "../cluster/snapshot.ts";
import type { AdmittedPod } from "./admitted-pod.ts";
import { type ClusterIndex, type IndexedNode, type NodeMask, ownPods } from "./cluster-index.ts";
import { areAllowing, type Board, fill } from "./fill.ts";
import { freeResources, type PodResources } from "./free-resources.ts";
import { getOrAdd } from "./get-or-add.ts";
import { boardOf } from "./placement.ts";
import type { Rule, RuleStart } from "./rules.ts";
import { addStanding, standingPods } from "./standing.ts";

export interface Capacity {
  /** Replicas for which there is room, counted no further than was asked; Infinity where the pods are unknown. */
  capacity: number;
  /** False where the pods are unknown, or where a node for new replicas does not state what it can hold. */
  known: boolean;
}

export interface Room {
  /**
   * Replicas that the Deployment may have with new ones on the nodes: the current ones and those that find room, after
   * own pods that wait for a node. It is current where one of these found none, or where creating pods fails.
   *
   * @param nodes G, nodes for new replicas
   * @param wanted replicas that everything else allows
   * @param settling nodes that are not counted, and that the scheduler takes all the same
   */
  capacity(
    pod: AdmittedPod,
    deployment: Deployment,
    nodes: readonly IndexedNode[],
    wanted: number,
    settling?: readonly IndexedNode[],
  ): Capacity;
  /** Takes the room of the own pods that wait and of new ones up to so many replicas. */
  take(pod: AdmittedPod, deployment: Deployment, nodes: readonly IndexedNode[], replicas: number): void;
}

/** The room that the pods of the snapshot leave. */
export function createRoom(index: ClusterIndex): Room {
  if (!index.podsKnown) {
    return { capacity: () => ({ capacity: Number.POSITIVE_INFINITY, known: false }), take: () => {} };
  }
  const standing = standingPods(index);
  const free = freeResources(index);
  const masks = new Map<readonly IndexedNode[], NodeMask>();
  /** The board last asked for: what is counted for a workload is taken for it next. */
  let last: { pod: AdmittedPod; nodes: readonly IndexedNode[]; board: Board } | undefined;
  const boardFor = (pod: AdmittedPod, nodes: readonly IndexedNode[]): Board => {
    if (last?.pod !== pod || last.nodes !== nodes) last = { pod, nodes, board: boardOf(pod, nodes, standing, index) };
    return last.board;
  };
  const maskOf = (nodes: readonly IndexedNode[]): NodeMask =>
    getOrAdd(masks, nodes, () => {
      const mask = new Uint8Array(index.nodes.length);
      for (const { position } of nodes) mask[position] = 1;
      return mask;
    });
  const unstated = index.nodes.filter((node) => node.allocatable === null);
  return {
    capacity(pod, deployment, nodes, wanted, settling = []) {
      const { replicas, replicaFailure } = deployment;
      const open = maskOf(nodes);
      const known = !unstated.some(({ position }) => open[position] === 1);
      const own = ownPods(deployment, index);
      // No growth onto trouble: the scheduler and the API server know more than any calculation.
      if (replicaFailure !== null || own.some((one) => one.unschedulable)) return { capacity: replicas, known };
      const waiting = own.filter(isWaiting).length;
      const board = boardFor(pod, nodes);
      const rules = [resourceRule(free.forPods(pod.requests)), ...board.rules];
      const found = fill({ ...board, others: settling, rules }, waiting + Math.max(0, wanted - replicas), index);
      return { capacity: replicas + Math.max(0, found - waiting), known };
    },
    take(pod, deployment, nodes, replicas) {
      const own = ownPods(deployment, index);
      const count = own.filter(isWaiting).length + Math.max(0, replicas - deployment.replicas);
      if (count === 0) return;
      const board = boardFor(pod, nodes);
      const resources = free.forPods(pod.requests);
      const rules: Rule[] = [
        { allows: (position) => resources.fit(position, 1), place: resources.take },
        ...board.rules.map((start) => start()),
      ];
      const open = maskOf(nodes);
      const ownOnNode = new Map<number, number>();
      for (const { nodeName } of own) addOne(ownOnNode, index.nodesByName.get(nodeName)?.position);
      const taken: number[] = [];
      let round = FIRST_ROUND;
      while (taken.length < count) {
        const found = preferred(free.byFreeCpu, open, ownOnNode, rules, round);
        if (found === undefined) break;
        const position = free.byFreeCpu[found.at] ?? 0;
        for (const rule of rules) rule.place(position);
        addOne(ownOnNode, position);
        taken.push(position);
        // Room only shrinks: with no other rule, what was passed over in this round stays out of it. Taking CPU moved the
        // node back in the order, so that the next one now stands in its place.
        if (board.rules.length === 0) round = found;
      }
      addStanding(standing, pod, taken);
      last = undefined;
    },
  };
}

/** Whether a pod waits for a node that it may yet get; what the scheduler calls unschedulable takes no room. */
function isWaiting(pod: Pod): boolean {
  return pod.nodeName === "" && !pod.unschedulable;
}

/** The room that nodes have left while pods of one template are put down for a try. */
function resourceRule(resources: PodResources): RuleStart {
  return () => {
    const placed = new Map<number, number>();
    return {
      allows: (position) => resources.fit(position, (placed.get(position) ?? 0) + 1),
      place: (position) => addOne(placed, position),
    };
  };
}

/** Where to look for the next node: from one place in the order on, for a node with so many own pods. */
interface Round {
  at: number;
  own: number;
}

const FIRST_ROUND: Round = { at: 0, own: 0 };

/** The open node that the rules allow with the fewest own pods, of several the one with the most free CPU, then by name. */
function preferred(
  byFreeCpu: Int32Array,
  open: NodeMask,
  own: ReadonlyMap<number, number>,
  rules: readonly Rule[],
  round: Round,
): Round | undefined {
  let best: Round | undefined;
  for (let at = round.at; at < byFreeCpu.length; at++) {
    const position = byFreeCpu[at] ?? 0;
    if (open[position] !== 1) continue;
    const count = own.get(position) ?? 0;
    if ((best !== undefined && count >= best.own) || !areAllowing(rules, position)) continue;
    best = { at, own: count };
    if (count <= round.own) return best;
  }
  // The round is over: nodes before its place may have a pod more and be next.
  return round.at === 0 ? best : preferred(byFreeCpu, open, own, rules, { ...round, at: 0 });
}

function addOne(counts: Map<number, number>, position: number | undefined): void {
  if (position !== undefined) counts.set(position, (counts.get(position) ?? 0) + 1);
}
