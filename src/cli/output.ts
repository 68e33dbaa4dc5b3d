import { type Paint, paintFor, plain } from "../report/paint.ts";

/** Columns where the output is no terminal. */
const DEFAULT_WIDTH = 120;

export interface OutputOptions {
  /** False with --no-color. */
  color: boolean;
}

/** Where a command prints: its result on the one, everything else on the other. */
export interface Streams {
  out: NodeJS.WriteStream;
  err: NodeJS.WriteStream;
}

/** How a stream shows text: in which colours, how wide. */
export function styleOf(out: NodeJS.WriteStream, { color }: OutputOptions): { paint: Paint; width: number } {
  return { paint: color ? paintFor(out) : plain, width: out.columns ?? DEFAULT_WIDTH };
}

/** A value as JSON with a final newline. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
