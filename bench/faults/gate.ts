import type { IncomingMessage, ServerResponse } from "node:http";
import type { Intercept, Route } from "../proxy.ts";

/** What happens to one write on its way; gives where it goes on to, as an intercept of the proxy does. */
export type WriteFault = (
  url: string,
  request: IncomingMessage,
  response: ServerResponse,
) => Route | string | undefined | Promise<Route | string | undefined>;

/** Counts the writes that pass, and lets a fault happen to one of them. */
export class Gate {
  /** Paths of the writes since it was set. */
  readonly writes: string[] = [];
  #at = 0;
  #fault: WriteFault | undefined;
  #failure: unknown;

  /** Begins to count anew; the write of that number (from 1) meets the fault. Without a fault everything passes. */
  set(at = 0, fault?: WriteFault): void {
    this.writes.length = 0;
    this.#at = at;
    this.#fault = fault;
    this.#failure = undefined;
  }

  /** True once the write has come. */
  get met(): boolean {
    return this.writes.length >= this.#at;
  }

  /** @throws what went wrong with the fault itself. */
  assertInjected(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  readonly intercept: Intercept = async (request, response) => {
    const { method = "", url = "" } = request;
    // A dry run writes nothing.
    if (method === "GET" || url.includes("dryRun=All")) return url;
    this.writes.push(url.replace(/\?.*/, ""));
    if (this.#fault === undefined || this.writes.length !== this.#at) return url;
    try {
      return this.#watched(await this.#fault(url, request, response));
    } catch (error) {
      this.#failure = error;
      return url;
    }
  };

  /** What goes wrong once the answer is there is a failure of the fault too. */
  #watched(route: Route | string | undefined): Route | string | undefined {
    if (typeof route !== "object") return route;
    const answered = async () => {
      try {
        return await route.answered();
      } catch (error) {
        this.#failure = error;
        return true;
      }
    };
    return { ...route, answered };
  }
}
