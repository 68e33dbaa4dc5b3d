import { appendFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { FAULTS, type Fault } from "../../bench/faults/faults.ts";
import { Journal } from "../../bench/faults/journal.ts";
import type { Row } from "../../bench/faults/play.ts";
import { temporaryFolder } from "./temporary.ts";

const [delay, silence] = FAULTS as [Fault, Fault];
const row = (fault: Fault, write: number, ...problems: string[]): Row => ({
  fault,
  write,
  code: 0,
  left: { locks: 0, steps: 0, processes: 0 },
  livedOn: false,
  problems,
  seconds: 20,
});

test("a journal knows what has passed, and has what failed played again", () => {
  const file = path.join(temporaryFolder(), "journal");
  const journal = new Journal(file);
  expect(journal.rows).toEqual([]);
  for (const each of [row(delay, 1), row(delay, 2, "not at 3 replicas: app-01"), row(silence, 1)]) journal.add(each);

  const read = new Journal(file);
  expect(read.rows).toEqual([row(delay, 1), row(delay, 2, "not at 3 replicas: app-01"), row(silence, 1)]);
  expect([1, 2, 3].map((write) => read.passed(delay, write))).toEqual([true, false, false]);

  read.add(row(delay, 2));
  expect(new Journal(file).rows).toEqual([row(delay, 1), row(delay, 2), row(silence, 1)]);
});

test("a line that was cut off, or of a fault that is not known any more, does not count", () => {
  const file = path.join(temporaryFolder(), "journal");
  new Journal(file).add(row(delay, 1));
  appendFileSync(file, '\n{"fault":"gone","write":1,"problems":[]}\n{"fault":"silence","wri');
  new Journal(file).add(row(silence, 2));
  expect(new Journal(file).rows).toEqual([row(delay, 1), row(silence, 2)]);
});
