/** What a command looks at: a snapshot of a live cluster or of a dump, and the policy. */
import { text } from "node:stream/consumers";
import type { Snapshot } from "../cluster/snapshot.ts";
import { type PolicyOptions, type PolicySource, readText } from "./policy.ts";
import { type SpinnerOptions, spinning } from "./spinner.ts";
import { UsageError } from "./usage-error.ts";

export interface SourceOptions extends PolicyOptions, SpinnerOptions {
  from?: string[];
  at?: string;
  kubeconfig?: string;
  context?: string;
}

/**
 * @param read.everywhere of a live cluster all namespaces, and not only those of the policy; a dump has what it has.
 * @throws UsageError, ReadError.
 */
export async function readSource(
  options: SourceOptions,
  policy: PolicySource,
  { everywhere = false } = {},
): Promise<Snapshot> {
  return options.from === undefined ? readLive(options, policy, everywhere) : readDumps(options.from, options);
}

async function readDumps(files: string[], options: SourceOptions): Promise<Snapshot> {
  if (options.kubeconfig !== undefined || options.context !== undefined) {
    throw new UsageError("--from reads no cluster: leave out --kubeconfig and --context");
  }
  if (files.filter((file) => file === "-").length > 1)
    throw new UsageError("stdin can be read once: give --from - once");
  const { readDump } = await import("../cluster/dump.ts");
  const sources: { name: string; text: string }[] = [];
  for (const file of files) {
    sources.push(
      file === "-" ? { name: "stdin", text: await text(process.stdin) } : { name: file, text: await readText(file) },
    );
  }
  return readDump(sources, observedAt(options.at));
}

async function readLive(
  options: SourceOptions,
  { settings, cluster }: PolicySource,
  everywhere: boolean,
): Promise<Snapshot> {
  if (options.at !== undefined) throw new UsageError("--at is the time of a dump: it needs --from");
  const { readSnapshot } = await import("../cluster/read.ts");
  const { kubeconfig, context } = options;
  return spinning("Reading the cluster", options, async () =>
    readSnapshot(await cluster({ kubeconfig, context }), settings, { everywhere }),
  );
}

/** RFC 3339, as the API writes times; the planner compares it with theirs. */
function observedAt(at = new Date().toISOString()): string {
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.test(at);
  if (isTime && !Number.isNaN(Date.parse(at))) return new Date(at).toISOString();
  throw new UsageError(`--at must be a time such as 2026-01-15T12:00:00Z, not ${JSON.stringify(at)}`);
}
