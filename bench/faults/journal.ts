/** What has been played so far, so that a sweep of two hours that is broken off can go on where it was. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { FAULTS, type Fault } from "./faults.ts";
import type { Row } from "./play.ts";

export class Journal {
  readonly #rows: Map<string, Row>;
  readonly #file: string | undefined;

  /**
   * @param file One row a line, as JSON; a line that was cut off, or whose fault is not known any more, does not count. Without a file
   *   nothing outlives the run.
   */
  constructor(file?: string) {
    this.#file = file;
    const lines = file !== undefined && existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
    this.#rows = new Map(lines.flatMap((line) => rowIn(line) ?? []).map((row) => [keyOf(row), row]));
  }

  /** Of a row that was played twice the last counts. */
  get rows(): Row[] {
    return [...this.#rows.values()];
  }

  /** Whether a fault has passed at this write. One that failed is played again. */
  passed(fault: Fault, write: number): boolean {
    return this.#rows.get(keyOf({ fault, write }))?.problems.length === 0;
  }

  add(row: Row): void {
    this.#rows.set(keyOf(row), row);
    if (this.#file === undefined) return;
    // A line of its own even after one that was cut off.
    appendFileSync(this.#file, `\n${JSON.stringify({ ...row, fault: row.fault.id })}`);
  }
}

function keyOf({ fault, write }: { fault: Fault; write: number }): string {
  return `${fault.id} ${write}`;
}

function rowIn(line: string): Row | undefined {
  try {
    const { fault: id, ...row } = JSON.parse(line);
    const fault = FAULTS.find((each) => each.id === id);
    return fault && { ...row, fault };
  } catch {
    return undefined;
  }
}
