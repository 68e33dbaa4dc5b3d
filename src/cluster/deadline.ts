/** One end for everything that a read does. */
export class Deadline {
  readonly signal: AbortSignal;
  private readonly controller = new AbortController();
  private readonly endsAt: number;
  private readonly timer: NodeJS.Timeout;

  /** @param late the error with which everything under way ends then. */
  constructor(seconds: number, late: () => Error) {
    this.signal = this.controller.signal;
    this.endsAt = performance.now() + seconds * 1000;
    // Whatever it may have to end (a socket, a process) keeps this process alive; the timer alone must not.
    this.timer = setTimeout(() => this.end(late()), seconds * 1000).unref();
  }

  get remainingSeconds(): number {
    return (this.endsAt - performance.now()) / 1000;
  }

  /** Ends everything now, with this error unless there was one already. */
  end(error: Error): void {
    clearTimeout(this.timer);
    this.controller.abort(error);
  }

  /** What a promise gives, unless the end comes first: for work that knows of no signal. */
  async race<Value>(work: Promise<Value>): Promise<Value> {
    const { signal } = this;
    const { promise: ended, reject } = Promise.withResolvers<never>();
    const end = () => reject(signal.reason);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    try {
      return await Promise.race([work, ended]);
    } finally {
      signal.removeEventListener("abort", end);
    }
  }
}
