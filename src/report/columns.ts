import Table from "cli-table3";

const GAP = 2;
/** Below this a sentence is no longer readable: the table then gets wider than asked for. */
const NARROWEST_SENTENCE = 30;

/** A cell: its text, and the text as it is shown (with colours, say). */
export interface Cell {
  text: string;
  shown: string;
}

export function cell(text: string, shown = text): Cell {
  return { text, shown };
}

/**
 * Rows as aligned columns without borders. The last column has sentences, which are wrapped into what the others leave.
 *
 * @param width columns of the terminal to fill.
 */
export function columns(rows: Cell[][], width: number): string {
  const narrow = (rows[0] ?? [])
    .slice(0, -1)
    .map((_, column) => Math.max(...rows.map((row) => row[column]?.text.length ?? 0)) + GAP);
  const sentence = Math.max(NARROWEST_SENTENCE, width - narrow.reduce((sum, columns) => sum + columns, 0));
  const table = new Table({
    chars: Object.fromEntries(BORDERS.map((name) => [name, ""])),
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [], compact: true },
    colWidths: [...narrow, sentence],
    wordWrap: true,
  });
  table.push(...rows.map((row) => row.map(({ shown }) => shown)));
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

const BORDERS = [
  "top",
  "top-mid",
  "top-left",
  "top-right",
  "bottom",
  "bottom-mid",
  "bottom-left",
  "bottom-right",
  "left",
  "left-mid",
  "mid",
  "mid-mid",
  "right",
  "right-mid",
  "middle",
] as const;
