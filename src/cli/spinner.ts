/** What a command waits for, shown on a terminal while it waits. Where nobody looks on, in logs and pipes, nothing is shown. */

/** What is done sooner is not worth a line. */
const DELAY_MS = 1_000;

export interface SpinnerOptions {
  /** Shows nothing. */
  quiet?: boolean;
}

/**
 * Does work, and shows below whatever else is printed what it is and for how long it has been going on.
 *
 * @param what a sentence without its full stop: `Reading the cluster`.
 */
export async function spinning<Result>(
  what: string,
  { quiet = false }: SpinnerOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  if (quiet || !process.stderr.isTTY) return work();
  const { default: spinnerOf } = await import("yocto-spinner");
  // Of itself it ends the process at a signal; not where the signal is to end the engine's steps in order.
  const spinner = spinnerOf({ text: what, handleSignals: process.listenerCount("SIGINT") === 0 });
  const begun = Date.now();
  const timer = setInterval(() => {
    spinner.start();
    spinner.text = `${what} (${Math.round((Date.now() - begun) / 1000)} s)`;
  }, DELAY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    spinner.stop();
  }
}
