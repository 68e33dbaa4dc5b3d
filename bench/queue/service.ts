import type { CompanionCommand, Companions } from "../cluster/companions.ts";
import { freePorts } from "../cluster/ports.ts";
import { waitFor } from "../cluster/wait.ts";

const READY_MS = 30_000;
/** How often a new port is tried when others were faster. */
const ATTEMPTS = 3;

/** A process beside a cluster that listens on a loopback port of its own, and can be stopped and started again on the same one. */
export class Service {
  readonly name: string;
  readonly #companions: Companions;
  readonly #command: (port: number) => CompanionCommand;
  readonly #isReady: (port: number) => Promise<boolean>;
  #port: number | undefined;

  constructor(
    companions: Companions,
    name: string,
    command: (port: number) => CompanionCommand,
    isReady: (port: number) => Promise<boolean>,
  ) {
    this.name = name;
    this.#companions = companions;
    this.#command = command;
    this.#isReady = isReady;
  }

  /** The port, once it was started. */
  get port(): number {
    if (this.#port === undefined) throw new Error(`${this.name} was not started yet`);
    return this.#port;
  }

  get isRunning(): boolean {
    return this.#companions.isRunning(this.name);
  }

  /** Starts it and waits until it answers. The first start chooses the port. */
  async start(): Promise<void> {
    if (this.#port !== undefined) return await this.#startOn(this.#port);
    for (let attempt = 1; ; attempt += 1) {
      const [port = 0] = await freePorts(1);
      try {
        await this.#startOn(port);
        this.#port = port;
        return;
      } catch (error) {
        await this.stop();
        if (attempt === ATTEMPTS || !/address already in use/i.test(String(error))) throw error;
      }
    }
  }

  /** Ends it and waits until it is gone. */
  async stop(): Promise<void> {
    await this.#companions.stop(this.name);
  }

  /** Starts it and waits for nothing; for one that is not to come up. */
  launch(): void {
    this.#companions.start(this.name, this.#command(this.port));
  }

  /** Waits until it has ended by itself, and gives the last lines that it said. */
  async ended(): Promise<string> {
    await waitFor(() => !this.isRunning, { what: `${this.name} to end`, timeout: READY_MS });
    return this.#companions.logTail(this.name);
  }

  /** Sends a signal: SIGSTOP makes it hang, with every connection open, until SIGCONT. */
  signal(name: NodeJS.Signals): void {
    this.#companions.kill(this.name, name);
  }

  async #startOn(port: number): Promise<void> {
    this.#companions.start(this.name, this.#command(port));
    await waitFor(() => this.#isReady(port), {
      what: `${this.name} to answer`,
      timeout: READY_MS,
      unless: () => this.#companions.assertRunning(this.name),
    });
  }
}

/** Whether a GET of a loopback address is answered with 200. */
export async function answers(port: number, path: string): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(2000) })).ok;
}
