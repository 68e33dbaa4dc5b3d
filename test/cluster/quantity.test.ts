import { describe, expect, it } from "vitest";
import { parseQuantity } from "../../src/cluster/quantity.ts";

describe("quantities, as apimachinery reads them", () => {
  // Expected: thousandths, whole units.
  it.each([
    ["7910m", 7910, 8],
    ["1e3", 1_000_000, 1000],
    ["1E3", 1_000_000, 1000],
    ["1e-3", 1, 1],
    ["0.5", 500, 1],
    [".5", 500, 1],
    ["1.", 1000, 1],
    ["+1", 1000, 1],
    ["0", 0, 0],
    ["00", 0, 0],
    ["2", 2000, 2],
    ["100k", 100_000_000, 100_000],
    ["1M", 1e9, 1e6],
    ["1G", 1e12, 1e9],
    ["1T", 1e15, 1e12],
    ["1Ki", 1_024_000, 1024],
    ["1.5Gi", 1_610_612_736_000, 1_610_612_736],
    ["1048576Ki", 1_073_741_824_000, 1_073_741_824],
    ["0.1m", 1, 1],
    ["1u", 1, 1],
    ["1n", 1, 1],
    ["1e-30", 1, 1],
    ["1.0000000001", 1001, 2],
    ["0.9999999999Ki", 1_024_000, 1024],
    ["-1.5", -1500, -2],
  ])("%s", (written, milli, whole) => {
    expect(parseQuantity(written, "milli")).toBe(milli);
    expect(parseQuantity(written, "whole")).toBe(whole);
  });

  it("may be numbers", () => {
    expect(parseQuantity(0.5, "milli")).toBe(500);
    expect(parseQuantity(1e21, "whole")).toBe(Number.MAX_SAFE_INTEGER);
    expect(parseQuantity(Number.NaN, "whole")).toBeUndefined();
  });

  it.each(["9E", "8Ei", "1e1000000000", "99999999999999999999999"])("%s saturates", (written) => {
    expect(parseQuantity(written, "whole")).toBe(Number.MAX_SAFE_INTEGER);
    expect(parseQuantity(`-${written}`, "whole")).toBe(-Number.MAX_SAFE_INTEGER);
  });

  it.each([
    "1,5",
    "12e6Ki",
    "",
    " ",
    "1 ",
    " 1",
    "1\n",
    "m",
    "e3",
    ".",
    "-",
    "1e",
    "1K",
    "1mi",
    "1GB",
    "0x10",
    "1_000",
    "1e1.5",
    "one",
  ])("%j is none", (written) => {
    expect(parseQuantity(written, "whole")).toBeUndefined();
  });
});
