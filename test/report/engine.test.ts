import { expect, test } from "vitest";
import { changesNothing, engineLine } from "../../src/report/engine.ts";

test.each([
  [{}, {}, "Pulumi: nothing to do.", true],
  [{ same: 7 }, { "dev/a": "same" }, "Pulumi: 7 same.", true],
  [
    { update: 2, same: 3, delete: 1 },
    { "dev/b": "update", "dev/a": "update", "dev/c": "same", "dev/d": "delete" },
    "Pulumi: 1 delete, 2 update, 3 same (delete: dev/d; update: dev/a, dev/b).",
    false,
  ],
  [
    { update: 8 },
    Object.fromEntries(["a", "b", "c", "d", "e", "f", "g", "h"].map((name) => [`dev/${name}`, "update"])),
    "Pulumi: 8 update (update: dev/a, dev/b, dev/c, dev/d, dev/e and 3 more).",
    false,
  ],
])("%o", (changes, steps, line, nothing) => {
  expect(engineLine({ changes, steps })).toBe(line);
  expect(changesNothing({ changes, steps })).toBe(nothing);
});
