import type { Plan } from "../plan/plan.ts";
import type { Finding } from "../plan/preflight.ts";
import { preflightTable } from "../report/preflight.ts";
import { blockedBy, findingLine, type PreflightError } from "../report/preflight-error.ts";
import { ERROR } from "./exit.ts";
import { jsonText, type Streams, styleOf } from "./output.ts";
import { type PolicySource, readPolicy } from "./policy.ts";
import type { SourceOptions } from "./source.ts";

export interface PreflightOptions extends Omit<SourceOptions, "from" | "at"> {
  output: "table" | "json";
}

/**
 * Looks at the way from each queue of the policy to its autoscaler. Writes nothing.
 *
 * @returns the exit code: an error where a queue does not scale.
 */
export async function preflightCommand(options: PreflightOptions, { out }: Streams): Promise<number> {
  const policy = await readPolicy(options);
  const { queues } = policy.settings;
  const findings = await findingsFor(
    policy,
    options,
    queues.map(({ namespace, name }) => `${namespace}/${name}`),
  );
  const { paint, width } = styleOf(out);
  out.write(options.output === "json" ? jsonText({ findings }) : `${preflightTable(findings, paint, width)}\n`);
  return findings.some(({ level }) => level === "error") ? ERROR : 0;
}

/**
 * The preflight that comes before a plan is shown to be applied: of the queues that it declares.
 *
 * @returns the error where a finding blocks, to be thrown once the plan has been shown.
 */
export async function preflightOf(
  plan: Plan,
  policy: PolicySource,
  options: { kubeconfig?: string; context?: string },
  tell: (line: string) => void,
): Promise<PreflightError | undefined> {
  const declared = (plan.queues ?? []).filter(({ action }) => action !== null).map(({ workload }) => workload);
  const findings = await findingsFor(policy, options, declared);
  for (const finding of findings) {
    const told = finding.level === "error" || finding.level === "warning";
    if (told && !finding.blocks) tell(`${finding.level}: ${findingLine(finding)}`);
  }
  return blockedBy(findings);
}

/** @param workloads `namespace/name` of the queues to look at. */
async function findingsFor(
  { settings, cluster }: PolicySource,
  { kubeconfig, context }: { kubeconfig?: string; context?: string },
  workloads: string[],
): Promise<Finding[]> {
  const queues = settings.queues.filter(({ namespace, name }) => workloads.includes(`${namespace}/${name}`));
  if (queues.length === 0) return [];
  const [{ readPreflight }, { findingsOf }] = await Promise.all([
    import("../cluster/external-metrics.ts"),
    import("../plan/preflight.ts"),
  ]);
  return findingsOf(await readPreflight(await cluster({ kubeconfig, context }), queues, settings));
}
