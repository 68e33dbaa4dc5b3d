import { parseSettings } from "../config/settings.ts";
import { suggest } from "../plan/suggest.ts";
import { suggestedPolicy } from "../report/suggestions.ts";
import { hasPolicy, type PolicySource, readPolicy } from "./policy.ts";
import { readSource, type SourceOptions } from "./source.ts";

export interface SuggestOptions extends SourceOptions {
  namespace?: string[];
}

const NO_POLICY: PolicySource = {
  settings: parseSettings({ workloads: [] }),
  cluster: async (given = {}) => given,
};

/** Prints a first policy. It needs none: of one that there is, what it says of workers and owners counts. */
export async function suggestCommand(options: SuggestOptions, out: NodeJS.WriteStream): Promise<void> {
  const { settings, cluster } = (await hasPolicy(options)) ? await readPolicy(options) : NO_POLICY;
  const wanted = options.namespace;
  // The reader reads the namespaces of the allowlist: here those that are asked about, or all.
  const { workloads } = parseSettings({
    workloads: (wanted ?? []).map((namespace) => ({ namespace, name: "any", max: 1 })),
  });
  const asked = { ...settings, workloads, clickhouse: [], queues: [] };
  const snapshot = await readSource(options, { settings: asked, cluster }, { everywhere: wanted === undefined });
  const suggestions = suggest(snapshot, settings).filter(
    ({ namespace }) => wanted === undefined || wanted.includes(namespace),
  );
  out.write(suggestedPolicy(suggestions));
}
