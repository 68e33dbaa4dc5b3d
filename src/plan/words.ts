/** Words of a sentence: names, numbers and shares, the same everywhere. */

/** Names of a list that are spelled out; the rest is a number. */
const MAX_NAMES = 5;

/** `w-1, w-2, w-3, w-4, w-5 and 7 more`. */
export function listed(names: readonly string[]): string {
  return listedBy(names, (name) => name);
}

/** The same of the names of nodes, of which there may be thousands. */
export function listedNodes(nodes: readonly { name: string }[]): string {
  return listedBy(nodes, (node) => node.name);
}

function listedBy<T>(items: readonly T[], nameOf: (item: T) => string): string {
  const rest = items.length - MAX_NAMES;
  // "and 1 more" is no shorter than the name itself.
  if (rest <= 1) return items.map(nameOf).join(", ");
  return `${items.slice(0, MAX_NAMES).map(nameOf).join(", ")} and ${rest} more`;
}

/** `1 worker`, `3 workers`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
