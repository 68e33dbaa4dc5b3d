import Table from "cli-table3";

const edges = ["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right"];
const lines = ["left", "left-mid", "mid", "mid-mid", "right", "right-mid"];
const borderless = { ...Object.fromEntries([...edges, ...lines].map((place) => [place, ""])), middle: "  " };

/** Prints rows under their headings, in columns without borders. */
export function printTable(headings: string[], rows: string[][]): void {
  const style = { head: [], border: [], "padding-left": 0, "padding-right": 0 };
  const table = new Table({ head: headings, chars: borderless, style });
  table.push(...rows);
  process.stdout.write(`${table.toString()}\n`);
}
