import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LabelRequirement } from "../../src/config/policy.ts";
import { ByLabel, BySelector } from "../../src/plan/by-label.ts";
import { matchesSelector } from "../../src/plan/selectors.ts";

const key = fc.constantFrom("a", "b");
const value = fc.constantFrom("", "1", "2");
const labelsArbitrary = fc.dictionary(key, value, { maxKeys: 2 });
const requirement = fc.record<LabelRequirement>({
  key,
  operator: fc.constantFrom("In", "NotIn", "Exists", "DoesNotExist"),
  values: fc.array(value, { minLength: 1, maxLength: 2 }),
});
const selectorArbitrary = fc.array(requirement, { maxLength: 3 });

describe("looking up by label finds what going through everything finds", () => {
  it("objects by selector", () => {
    fc.assert(
      fc.property(fc.array(labelsArbitrary), selectorArbitrary, (all, selector) => {
        const byLabel = new ByLabel<{ labels: Record<string, string> }>();
        const items = all.map((labels) => ({ labels }));
        for (const item of items) byLabel.add(item);
        expect(byLabel.matching(selector)).toEqual(items.filter(({ labels }) => matchesSelector(selector, labels)));
      }),
    );
  });

  it("selectors by labels", () => {
    fc.assert(
      fc.property(fc.array(selectorArbitrary), labelsArbitrary, (all, labels) => {
        const bySelector = new BySelector<number>();
        for (const [at, selector] of all.entries()) bySelector.add(selector, at);
        const expected = [...all.keys()].filter((at) => matchesSelector(all[at] ?? [], labels));
        expect(bySelector.matching(labels).sort((a, b) => a - b)).toEqual(expected);
      }),
    );
  });
});
