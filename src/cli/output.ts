import { type Paint, paintFor } from "../report/paint.ts";

/** Columns where the output is no terminal. */
const DEFAULT_WIDTH = 120;

/** Where a command prints: its result on the one, everything else on the other. */
export interface Streams {
  out: NodeJS.WriteStream;
  err: NodeJS.WriteStream;
}

/** How a stream shows text: in which colours (none with --no-color: command-line.ts), how wide. */
export function styleOf(out: NodeJS.WriteStream): { paint: Paint; width: number } {
  return { paint: paintFor(out), width: out.columns ?? DEFAULT_WIDTH };
}

/** A value as JSON with a final newline. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
