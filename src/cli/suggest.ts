import { parseSettings, type Settings } from "../config/settings.ts";
import { suggest } from "../plan/suggest.ts";
import { suggestedPolicy } from "../report/suggestions.ts";
import { hasPolicy, type PolicySource, readPolicy } from "./policy.ts";
import { readSource, type SourceOptions } from "./source.ts";
import { UsageError } from "./usage-error.ts";

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
  const snapshot = await readSource(options, {
    settings: { ...settings, workloads: reading(options), clickhouse: [] },
    cluster,
  });
  const suggestions = suggest(snapshot, settings).filter(
    ({ namespace }) => wanted === undefined || wanted.includes(namespace),
  );
  out.write(suggestedPolicy(suggestions));
}

/** The reader reads the namespaces of the allowlist: here those that are asked about. */
function reading({ from, namespace }: SuggestOptions): Settings["workloads"] {
  if (from === undefined && namespace === undefined) {
    throw new UsageError("which namespaces? Give -n <namespace>, as often as needed, for a live cluster");
  }
  return parseSettings({ workloads: (namespace ?? []).map((each) => ({ namespace: each, name: "any", max: 1 })) })
    .workloads;
}
