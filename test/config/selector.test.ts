import { describe, expect, it } from "vitest";
import { parseSelector } from "../../src/config/selector.ts";

describe("selectors, as kubectl reads them", () => {
  it.each([
    ["pool=app", [["pool", "In", "app"]]],
    ["pool==app", [["pool", "In", "app"]]],
    ["pool = app", [["pool", "In", "app"]]],
    ["tier!=edge", [["tier", "NotIn", "edge"]]],
    ["env in (a,b)", [["env", "In", "a", "b"]]],
    ["env in(a)", [["env", "In", "a"]]],
    ["env notin (a, b)", [["env", "NotIn", "a", "b"]]],
    ["env in (a,,b,a)", [["env", "In", "a", "", "b"]]],
    ["env in ()", [["env", "In", ""]]],
    ["gpu", [["gpu", "Exists"]]],
    ["!gpu", [["gpu", "DoesNotExist"]]],
    ["! gpu", [["gpu", "DoesNotExist"]]],
    [
      "cores>4,cores<64",
      [
        ["cores", "Gt", "4"],
        ["cores", "Lt", "64"],
      ],
    ],
    ["pool=", [["pool", "In", ""]]],
    ["node-role.kubernetes.io/worker", [["node-role.kubernetes.io/worker", "Exists"]]],
    ["in in (in,notin)", [["in", "In", "in", "notin"]]],
    [
      "pool=app,tier!=edge,env in (a,b),!gpu",
      [
        ["pool", "In", "app"],
        ["tier", "NotIn", "edge"],
        ["env", "In", "a", "b"],
        ["gpu", "DoesNotExist"],
      ],
    ],
  ])("%s", (text, requirements) => {
    expect(parseSelector(text).map(({ key, operator, values }) => [key, operator, ...values])).toEqual(requirements);
  });

  it.each([
    ["", "it is empty"],
    [" ", "it is empty"],
    ["a,", 'it ends with ","'],
    [",a", 'it has a "," with no requirement before it'],
    ["a,,b", 'it has a "," with no requirement before it'],
    ["a b", '"b" in "a b" is none of =, ==, !=, in, notin, <, >'],
    ["a=b c", '"a = b c" has more than one value; write key in (a,b)'],
    ["a=!b", '"=!" in "a =! b" is none of =, ==, !=, in, notin, <, >'],
    ["!a=b", '"! a = b" is not "!key"'],
    ["!", '"!" is not "!key"'],
    ["a in b", '"a in b" lacks its values in brackets: (a,b)'],
    ["a in (b", '"a in ( b" lacks its values in brackets: (a,b)'],
    ["a in (b c)", '"a in ( b c )" lacks a comma before "c"'],
    ["a>b", '"a > b" compares with something that is not a whole number'],
    ["-a", '"-a" is not a label key'],
    ["A/b", '"A/b" is not a label key'],
    ["a/b/c", '"a/b/c" is not a label key'],
    ["a=b-", '"b-" is not a label value'],
    [`a=${"b".repeat(64)}`, `"${"b".repeat(64)}" is not a label value`],
  ])("%j is none", (text, problem) => {
    expect(() => parseSelector(text)).toThrow(new Error(problem));
  });
});
