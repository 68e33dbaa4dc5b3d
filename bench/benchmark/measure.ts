/** Wall times of one thing that was measured, in seconds. */
export interface Times {
  name: string;
  seconds: number[];
  median: number;
}

/**
 * Runs the things in turn, round by round, so that whatever else the machine does meets all of them alike; one round to warm up
 * is not counted.
 */
export async function interleaved(rounds: number, things: Record<string, () => unknown>): Promise<Times[]> {
  const seconds = new Map<string, number[]>(Object.keys(things).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, run] of Object.entries(things)) {
      const start = performance.now();
      await run();
      if (round > 0) seconds.get(name)?.push((performance.now() - start) / 1000);
    }
  }
  return [...seconds].map(([name, all]) => ({ name, seconds: all, median: median(all) }));
}

/** The middle value; the mean of the two middle ones of an even number. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? Number.NaN) + (sorted[Math.floor(half)] ?? Number.NaN)) / 2;
}
