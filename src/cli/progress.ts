import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { nameOf, plainText, workloadOf } from "./engine.ts";

/** Operations that send a workload's patch to the cluster. */
const PATCHING = new Set(["create", "update", "replace", "create-replacement"]);

/** Says a line whenever a workload comes further, out of the engine's events. */
export class Progress {
  readonly #tell: (line: string) => void;
  readonly #now: () => number;
  /** When the patch of a workload was begun, and what was last said of it. */
  readonly #workloads = new Map<string, { begun: number; said: string }>();

  /** @param now milliseconds. */
  constructor(tell: (line: string) => void, now: () => number = Date.now) {
    this.#tell = tell;
    this.#now = now;
  }

  onEvent({ resourcePreEvent, resOutputsEvent, resOpFailedEvent, diagnosticEvent }: EngineEvent): void {
    this.#step(resourcePreEvent?.metadata, "patching");
    this.#step(resOutputsEvent?.metadata, "patched");
    this.#step(resOpFailedEvent?.metadata, "failed");
    // The program's messages on a patch: how many of its pods are available, and what keeps the others from it. Errors are told
    // in the end, all at once.
    if (diagnosticEvent?.urn !== undefined && diagnosticEvent.severity !== "error") {
      const workload = nameOf(diagnosticEvent.urn);
      if (this.#workloads.has(workload)) this.#say(workload, plainText(diagnosticEvent.message));
    }
  }

  #step(step: { op: string; urn: string; type: string } | undefined, what: string): void {
    const workload = workloadOf(step);
    if (workload === undefined || !PATCHING.has(step?.op ?? "")) return;
    if (!this.#workloads.has(workload)) this.#workloads.set(workload, { begun: this.#now(), said: "" });
    this.#say(workload, what);
  }

  #say(workload: string, what: string): void {
    const known = this.#workloads.get(workload);
    if (known === undefined || known.said === what) return;
    known.said = what;
    this.#tell(`${workload}: ${what} (${Math.round((this.#now() - known.begun) / 1000)} s)`);
  }
}
