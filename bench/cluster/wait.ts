import { setTimeout as sleep } from "node:timers/promises";

export interface WaitOptions {
  /** Milliseconds until it is given up; 30 s by default. */
  timeout?: number;
  /** Milliseconds between two looks. */
  interval?: number;
  /** What is waited for, as the end of "gave up after 30 s waiting for …". */
  what: string;
  /** Called before each look; what it throws ends the waiting: the thing can't come any more. */
  unless?: () => void;
}

/**
 * Looks again and again until the condition gives something truthy, and returns that. A look that throws counts as "not
 * yet"; the last error is in the message of the one that is thrown at the deadline.
 */
export async function waitFor<T>(condition: () => T | Promise<T>, options: WaitOptions): Promise<NonNullable<T>> {
  const { timeout = 30_000, interval = 100, what, unless } = options;
  const deadline = Date.now() + timeout;
  let last = "";
  for (;;) {
    unless?.();
    try {
      const value = await condition();
      if (value) return value as NonNullable<T>;
      last = "";
    } catch (error) {
      last = `; the last look failed: ${error instanceof Error ? error.message : String(error)}`;
    }
    if (Date.now() >= deadline) throw new Error(`gave up after ${timeout / 1000} s waiting for ${what}${last}`);
    await sleep(interval);
  }
}
