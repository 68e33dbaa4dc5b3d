/**
 * Colours of a report. A renderer asks for a style by name; the caller decides whether and how it is shown.
 */
import { styleText } from "node:util";

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "blue" | "cyan";

/** Gives a text a style, or returns it as it is. */
export type Paint = (style: Style, text: string) => string;

/** ANSI colours, whatever the output is. */
export const ansi: Paint = (style, text) => styleText(style, text, { validateStream: false });

/** ANSI colours where the stream shows them: a terminal, unless NO_COLOR says otherwise. */
export function paintFor(stream: NodeJS.WriteStream): Paint {
  return (style, text) => styleText(style, text, { stream });
}
