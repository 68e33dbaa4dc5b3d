/**
 * Playing through how many pods of one template find a place, one at a time, as the scheduler puts them down.
 * docs/semantics.md, "Room".
 */
import type { ClusterIndex, IndexedNode } from "./cluster-index.ts";
import { domainsOf } from "./node-masks.ts";
import type { Rule, RuleStart } from "./rules.ts";

/** Where pods of one template may go. */
export interface Board {
  nodes: readonly IndexedNode[];
  /** Nodes that the scheduler may take all the same. A pod there is none too few, but it can shut more than it uses. */
  others?: readonly IndexedNode[];
  rules: readonly RuleStart[];
  /** Topology keys over which pods of the template spread, and by which they keep each other away. */
  spreadKeys: readonly string[];
  excludingKeys: readonly string[];
}

/**
 * How many pods find a place, counted no further than `enough`.
 *
 * Which of several nodes the scheduler takes depends on scores that no plan foresees (images, preferences, ties by lot).
 * Mostly the number is the same whatever it takes. Where it is not, many orders are played through and the fewest pods
 * count: the number that one can rely on.
 */
export function fill(board: Board, enough: number, index: ClusterIndex): number {
  let fewest = playInTurn(board, enough).length;
  const { nodes, others = [] } = board;
  const all = others.length === 0 ? board : { ...board, nodes: [...nodes, ...others] };
  if (!orderMatters(all, index)) return fewest;
  const size = all.nodes.length;
  const orders = Math.min(MOST_ORDERS, Math.max(LEAST_ORDERS, Math.ceil(LOOKS / size)));
  for (let order = 1; order <= orders; order++) {
    const random = randomNumbers(order);
    const played = others.length > 0 && order % 2 === 0 ? board : all;
    fewest = play(played, fewest, () => Math.floor(random() * size)).length;
  }
  return fewest;
}

/** The nodes, by position, that pods take where they are put down from node to node, up to `enough`. */
export function playInTurn(board: Board, enough: number): number[] {
  return play(board, enough, (last) => last + 1);
}

/** Whether every rule lets a pod onto the node. */
export function areAllowing(rules: readonly Rule[], position: number): boolean {
  for (const rule of rules) if (!rule.allows(position)) return false;
  return true;
}

/**
 * Of generated clusters of up to twelve nodes in which the order matters, 200 orders missed the worst end in one of a
 * hundred, and the scheduler comes to such an end as rarely. Among thousands of nodes pods hardly get stuck: fewer do.
 */
const MOST_ORDERS = 200;
const LEAST_ORDERS = 16;
const LOOKS = 20_000;

/** Puts pods down until none fits, each on the first node that is allowed from the one that `next` names on. */
function play({ nodes, rules: starts }: Board, enough: number, next: (last: number) => number): number[] {
  const rules = starts.map((start) => start());
  const taken: number[] = [];
  let at = -1;
  while (taken.length < enough) {
    at = firstAllowed(nodes, rules, next(at));
    const node = nodes[at];
    if (node === undefined) break;
    for (const rule of rules) rule.place(node.position);
    taken.push(node.position);
  }
  return taken;
}

/** Where in the list the first node is that every rule allows, from one on and around; -1 where there is none. */
function firstAllowed(nodes: readonly IndexedNode[], rules: readonly Rule[], from: number): number {
  for (let tried = 0; tried < nodes.length; tried++) {
    const at = (from + tried) % nodes.length;
    const node = nodes[at];
    if (node !== undefined && areAllowing(rules, node.position)) return at;
  }
  return -1;
}

/**
 * One way of spreading or excluding fills domains to the same level in any order, and so do several whose domains nest
 * (hostnames within zones). Two ways of spreading, or domains that cross, do not.
 */
function orderMatters({ nodes, spreadKeys, excludingKeys }: Board, index: ClusterIndex): boolean {
  const keys = [...new Set([...spreadKeys, ...excludingKeys])];
  if (keys.length < 2) return false;
  if (new Set(spreadKeys).size > 1) return true;
  return keys.some((a) => keys.some((b) => a < b && !(isWithin(a, b) || isWithin(b, a))));

  function isWithin(inner: string, outer: string): boolean {
    const [innerOf, outerOf] = [domainsOf(index, inner).of, domainsOf(index, outer).of];
    const around = new Map<number, number>();
    return nodes.every(({ position }) => {
      const domain = innerOf[position] ?? -1;
      // A node in no domain is its own.
      if (domain < 0) return true;
      const outside = outerOf[position] ?? -1;
      const known = around.get(domain) ?? outside;
      around.set(domain, outside);
      return known === outside && outside >= 0;
    });
  }
}

/** Numbers from 0 up to 1, the same for the same seed (mulberry32): a plan must not depend on chance. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
