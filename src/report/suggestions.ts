import { stringify } from "yaml";
import type { Suggestion } from "../plan/suggest.ts";

/** Replicas that survive the loss of a node and a rollout at once; more is for whoever knows the workload. */
const FIRST_MAX = 3;

/** A policy of the Deployments that may follow the workers, ready to be read by `--policy`; the others as comments. */
export function suggestedPolicy(suggestions: Suggestion[]): string {
  const listed = suggestions.filter(({ suggest }) => suggest);
  const others = suggestions.filter(({ suggest }) => !suggest);
  const policy = stringify({
    defaults: { max: FIRST_MAX },
    workloads: listed.map(({ namespace, name }) => ({ namespace, name })),
  });
  return [
    `# ${listed.length} of ${suggestions.length} Deployments may safely follow the workers by the rules of ownership, nodes and safety.`,
    "# Whether a second replica is of use to them you know better: keep those where it is, and give each its max.",
    policy.trimEnd(),
    ...(others.length === 0 ? [] : ["", "# Not listed, and why:"]),
    ...others.map(({ namespace, name, why }) => `#   ${namespace}/${name}: ${why.replaceAll(/\s*\n\s*/g, " ")}`),
    "",
  ].join("\n");
}
