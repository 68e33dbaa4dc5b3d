import { describe, expect, it } from "vitest";
import type { LabelRequirement } from "../../src/config/policy.ts";
import { matchesAnyTerm, matchesSelector, matchesTerm } from "../../src/plan/selectors.ts";
import { labelIn, node } from "./builders.ts";

const labels = { app: "web", tier: "", gpus: "4", big: "9223372036854775808" };

describe("matchesSelector, as Kubernetes matches labels", () => {
  it.each<[string, LabelRequirement["operator"], string, string[], boolean]>([
    ["In: the value is among them", "In", "app", ["api", "web"], true],
    ["In: the value is not", "In", "app", ["api"], false],
    ["In: a missing key is in no set", "In", "zone", ["a"], false],
    ["In: an empty value is a value", "In", "tier", [""], true],
    ["NotIn: the value is among them", "NotIn", "app", ["web"], false],
    ["NotIn: a missing key matches", "NotIn", "zone", ["a"], true],
    ["Exists: an empty value exists", "Exists", "tier", [], true],
    ["Exists: a missing key", "Exists", "zone", [], false],
    ["Exists: no key is inherited", "Exists", "constructor", [], false],
    ["DoesNotExist: a missing key", "DoesNotExist", "zone", [], true],
    ["DoesNotExist: a present one", "DoesNotExist", "tier", [], false],
    ["Gt: above", "Gt", "gpus", ["3"], true],
    ["Gt: equal is not above", "Gt", "gpus", ["4"], false],
    ["Gt: a plus sign is a number", "Gt", "gpus", ["+3"], true],
    ["Gt: a negative number", "Gt", "gpus", ["-1"], true],
    ["Gt: a missing key", "Gt", "zone", ["0"], false],
    ["Gt: a label that is no number", "Gt", "app", ["0"], false],
    ["Gt: a value that is no number", "Gt", "gpus", ["x"], false],
    ["Gt: a label beyond 64 bits is no number", "Gt", "big", ["1"], false],
    ["Gt: one value is needed", "Gt", "gpus", ["1", "2"], false],
    ["Lt: below", "Lt", "gpus", ["5"], true],
    ["Lt: equal is not below", "Lt", "gpus", ["4"], false],
  ])("%s", (_rule, operator, key, values, matches) => {
    expect(matchesSelector([{ key, operator, values }], labels)).toBe(matches);
  });

  it("needs every requirement, and the empty selector has none", () => {
    expect(matchesSelector([labelIn("app", "web"), labelIn("gpus", "5")], labels)).toBe(false);
    expect(matchesSelector([], labels)).toBe(true);
  });
});

describe("node selector terms", () => {
  const worker = node("w-1", { labels: { zone: "a" } });
  const inZone = (...zones: string[]) => ({ matchExpressions: [labelIn("zone", ...zones)], matchFields: [] });
  const named = (name: string) => ({ matchExpressions: [], matchFields: [labelIn("metadata.name", name)] });

  it("match by labels, by name, or by both", () => {
    expect(matchesTerm(inZone("a"), worker)).toBe(true);
    expect(matchesTerm(named("w-1"), worker)).toBe(true);
    expect(matchesTerm(named("w-2"), worker)).toBe(false);
    expect(matchesTerm({ ...inZone("b"), matchFields: named("w-1").matchFields }, worker)).toBe(false);
  });

  it("match nothing when empty", () => {
    expect(matchesTerm({ matchExpressions: [], matchFields: [] }, worker)).toBe(false);
  });

  it("are alternatives, and none of them match nothing", () => {
    expect(matchesAnyTerm([inZone("b"), inZone("a")], worker)).toBe(true);
    expect(matchesAnyTerm([inZone("b")], worker)).toBe(false);
    expect(matchesAnyTerm([], worker)).toBe(false);
  });
});
