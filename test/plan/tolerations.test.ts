import { describe, expect, it } from "vitest";
import type { Taint, Toleration } from "../../src/cluster/snapshot.ts";
import { isTolerated } from "../../src/plan/tolerations.ts";
import { taint, toleration } from "./builders.ts";

const batch = taint("dedicated", "NoSchedule", { value: "batch" });
const numbered = (value: string) => taint("tier", "NoSchedule", { value });

describe("isTolerated", () => {
  it.each<[string, Taint, Partial<Toleration>, boolean]>([
    ["everything", batch, {}, true],
    ["the key, whatever its value", batch, { key: "dedicated" }, true],
    ["another key", batch, { key: "gpu" }, false],
    ["key and value", batch, { key: "dedicated", operator: "Equal", value: "batch" }, true],
    ["another value", batch, { key: "dedicated", operator: "Equal", value: "web" }, false],
    ["the effect", batch, { key: "dedicated", effect: "NoSchedule" }, true],
    ["another effect", batch, { key: "dedicated", effect: "NoExecute" }, false],
    ["a value below", numbered("3"), { key: "tier", operator: "Lt", value: "5" }, true],
    ["not the same value", numbered("5"), { key: "tier", operator: "Lt", value: "5" }, false],
    ["a value above", numbered("7"), { key: "tier", operator: "Gt", value: "5" }, true],
    ["not a value below", numbered("3"), { key: "tier", operator: "Gt", value: "5" }, false],
    ["negative values", numbered("-7"), { key: "tier", operator: "Lt", value: "-5" }, true],
    ["no number in the taint", numbered("high"), { key: "tier", operator: "Gt", value: "5" }, false],
    ["no number in the toleration", numbered("7"), { key: "tier", operator: "Gt", value: "" }, false],
    ["a leading zero is no number", numbered("07"), { key: "tier", operator: "Gt", value: "5" }, false],
  ])("%s", (_, tainted, fields, expected) => {
    expect(isTolerated(tainted, [toleration(fields)])).toBe(expected);
  });

  it("by any one of the tolerations, and by none of none", () => {
    expect(isTolerated(batch, [toleration({ key: "gpu" }), toleration({ key: "dedicated" })])).toBe(true);
    expect(isTolerated(batch, [])).toBe(false);
  });
});
