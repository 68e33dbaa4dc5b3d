import { expect, test } from "vitest";
import { workersLine } from "../../src/report/workers.ts";

test.each([
  { workers: { candidates: 0, byState: {}, names: {}, nonCandidates: {} }, line: "Workers: none." },
  {
    workers: { candidates: 3, byState: { ready: 3 }, names: {}, nonCandidates: {} },
    line: "Workers: 3 ready.",
  },
  {
    workers: {
      candidates: 14,
      byState: { lost: 12, ready: 1, settling: 1 },
      names: { lost: ["a", "b"], settling: ["c"] },
      nonCandidates: { "not-selected": 3, virtual: 2, excluded: 1, "control-plane": 1 },
    },
    line:
      "Workers: 1 ready, 1 settling (c), 12 lost (a, b and 10 more). " +
      "Not counted: 1 dedicated control-plane, 2 virtual, 1 excluded by workers.exclude, 3 outside workers.selector.",
  },
])("$line", ({ workers, line }) => {
  expect(workersLine(workers)).toBe(line);
});
