/** Ctrl-C, and what CI systems send: the engine ends the steps in flight and begins no further one. */

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export interface Cancellation {
  /** Aborts where the engine has to be told. */
  forward: AbortSignal;
  /** Somebody asked for the end. */
  requested: boolean;
}

/**
 * Runs work that a signal cancels in order instead of killing this process.
 *
 * A terminal sends Ctrl-C to the engine by itself, as to every process of the foreground; told again, the engine would
 * stop at once and leave its step in flight behind. Any other signal comes to this process alone and is handed on.
 *
 * @param tell called when the first signal comes.
 */
export async function cancellable<Result>(
  work: (cancellation: Cancellation) => Promise<Result>,
  tell: (text: string) => void,
): Promise<Result> {
  const controller = new AbortController();
  const cancellation: Cancellation = { forward: controller.signal, requested: false };
  const cancel = (name: NodeJS.Signals) => {
    if (!cancellation.requested) tell(`${name}: cancelling, the steps in flight end first`);
    cancellation.requested = true;
    if (name !== "SIGINT" || !process.stdin.isTTY) controller.abort();
  };
  for (const name of SIGNALS) process.on(name, cancel);
  try {
    return await work(cancellation);
  } finally {
    for (const name of SIGNALS) process.off(name, cancel);
  }
}
