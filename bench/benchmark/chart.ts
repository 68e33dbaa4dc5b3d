/** A bar chart as GitHub draws it (Mermaid's xychart), made from the figures themselves. */
export function chart({ title, x, bars }: { title: string; x: string[]; bars: number[] }): string {
  return [
    "```mermaid",
    "xychart-beta",
    `    title ${JSON.stringify(title)}`,
    `    x-axis ${JSON.stringify(x)}`,
    `    y-axis 0 --> ${niceEnd(Math.max(...bars))}`,
    `    bar ${JSON.stringify(bars)}`,
    "```",
  ].join("\n");
}

/** The next of 1, 2 and 5 times a power of ten. */
function niceEnd(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  const factor = [1, 2, 5, 10].find((each) => each * power >= most) ?? 10;
  return factor * power;
}
