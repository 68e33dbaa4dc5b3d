/**
 * Looking up by label without going through everything: most selectors name one value of one label (`app=web`), and so
 * most pairs of a selector and an object are told apart by that alone.
 */
import type { LabelSelector } from "../config/policy.ts";
import { getOrAdd } from "./get-or-add.ts";
import { matchesSelector } from "./selectors.ts";

/** Objects with labels, to be found by selector. */
export class ByLabel<T extends { labels: Record<string, string> }> {
  readonly #all: T[] = [];
  readonly #byPair = new Map<string, T[]>();

  add(item: T): void {
    this.#all.push(item);
    for (const pair of pairsOf(item.labels)) getOrAdd(this.#byPair, pair, () => []).push(item);
  }

  /** Those that the selector matches. */
  matching(selector: LabelSelector): T[] {
    const pair = pairRequiredBy(selector);
    const candidates = pair === null ? this.#all : (this.#byPair.get(pair) ?? []);
    return candidates.filter((item) => matchesSelector(selector, item.labels));
  }
}

/** Objects with a selector, to be found by the labels that it matches. */
export class BySelector<T> {
  readonly #byPair = new Map<string | null, { selector: LabelSelector; item: T }[]>();

  add(selector: LabelSelector, item: T): void {
    getOrAdd(this.#byPair, pairRequiredBy(selector), () => []).push({ selector, item });
  }

  /** Those whose selector matches the labels. */
  matching(labels: Record<string, string>): T[] {
    return [null, ...pairsOf(labels)]
      .flatMap((pair) => this.#byPair.get(pair) ?? [])
      .filter(({ selector }) => matchesSelector(selector, labels))
      .map(({ item }) => item);
  }
}

function pairsOf(labels: Record<string, string>): string[] {
  return Object.entries(labels).map(([key, value]) => `${key}=${value}`);
}

/** A label and value that whatever the selector matches has; null where it names none. */
function pairRequiredBy(selector: LabelSelector): string | null {
  const requirement = selector.find(({ operator, values }) => operator === "In" && values.length === 1);
  return requirement === undefined ? null : `${requirement.key}=${requirement.values[0]}`;
}
