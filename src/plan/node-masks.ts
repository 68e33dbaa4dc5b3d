/**
 * Sets of nodes as masks: one byte a node, 1 for those in the set. Each condition is decided once per plan, however many
 * workloads state it, and once per value of its label, however many nodes share it.
 */
import type { NodeSelectorTerm } from "../cluster/snapshot.ts";
import type { LabelRequirement } from "../config/policy.ts";
import type { ClusterIndex, Domains, IndexedNode, NodeMask } from "./cluster-index.ts";
import { getOrAdd } from "./get-or-add.ts";
import { matchesSelector } from "./selectors.ts";

/** The mask of a condition, decided by `decide` where no one has asked yet. The key must say all that decides it. */
export function maskOf(index: ClusterIndex, key: string, decide: () => NodeMask): NodeMask {
  return getOrAdd(index.memo.masks, key, decide);
}

/** Nodes that meet a predicate. */
export function nodesWhere(index: ClusterIndex, predicate: (node: IndexedNode) => boolean): NodeMask {
  return Uint8Array.from(index.nodes, (node) => (predicate(node) ? 1 : 0));
}

/** Nodes whose labels meet a requirement. */
export function nodesMatching(index: ClusterIndex, requirement: LabelRequirement): NodeMask {
  return maskOf(index, JSON.stringify(requirement), () => {
    const mask = new Uint8Array(index.nodes.length);
    const { key } = requirement;
    for (const [value, positions] of nodesByValue(index, key)) {
      if (!matchesSelector([requirement], value === null ? {} : { [key]: value })) continue;
      for (const position of positions) mask[position] = 1;
    }
    return mask;
  });
}

/** Nodes that one of the terms of a node affinity selects; no terms select none. */
export function nodesMatchingTerms(index: ClusterIndex, terms: readonly NodeSelectorTerm[]): NodeMask {
  return maskOf(index, JSON.stringify(terms), () => {
    const mask = new Uint8Array(index.nodes.length);
    for (const { matchExpressions, matchFields } of terms) {
      // The API's own definition: an empty term matches no node.
      if (matchExpressions.length === 0 && matchFields.length === 0) continue;
      const masks = matchExpressions.map((requirement) => nodesMatching(index, requirement));
      if (matchFields.length > 0) {
        masks.push(nodesWhere(index, (node) => matchesSelector(matchFields, { "metadata.name": node.name })));
      }
      const term = allOf(index, masks);
      for (let position = 0; position < mask.length; position++) if (term[position] === 1) mask[position] = 1;
    }
    return mask;
  });
}

/** Nodes that are in every one of the masks; all nodes where there is none. */
export function allOf(index: ClusterIndex, masks: readonly NodeMask[]): NodeMask {
  const all = new Uint8Array(index.nodes.length).fill(1);
  for (const mask of masks) {
    for (let position = 0; position < all.length; position++) if (mask[position] !== 1) all[position] = 0;
  }
  return all;
}

/** Positions of the nodes by the value of a label; null stands for nodes without it. */
export function nodesByValue(index: ClusterIndex, key: string): ReadonlyMap<string | null, readonly number[]> {
  return getOrAdd(index.memo.positions, key, () => {
    const values = new Map<string | null, number[]>();
    for (const { labels, position } of index.nodes) {
      const value = Object.hasOwn(labels, key) ? (labels[key] ?? null) : null;
      getOrAdd(values, value, () => []).push(position);
    }
    return values;
  });
}

export function domainsOf(index: ClusterIndex, topologyKey: string): Domains {
  return getOrAdd(index.memo.domains, topologyKey, () => {
    const of = new Int32Array(index.nodes.length).fill(-1);
    let count = 0;
    for (const [value, positions] of nodesByValue(index, topologyKey)) {
      if (value === null) continue;
      for (const position of positions) of[position] = count;
      count += 1;
    }
    return { of, count };
  });
}
