import type { Plan } from "../plan/plan.ts";
import { changesSize } from "../report/clickhouse.ts";
import { changesNothing, type EngineChanges, engineLine } from "../report/engine.ts";
import { type PlanJson, planJson } from "../report/json.ts";
import { planMarkdown } from "../report/markdown.ts";
import { planTable } from "../report/table.ts";
import { planned } from "../resources/planned.ts";
import { CHANGES } from "./exit.ts";
import { jsonText, type Streams, styleOf } from "./output.ts";
import { withPlanFile, writePlanFile } from "./plan-file.ts";
import { readPolicy, stackName } from "./policy.ts";
import { preflightOf } from "./preflight.ts";
import { readSource, type SourceOptions } from "./source.ts";
import { spinning } from "./spinner.ts";
import { UsageError } from "./usage-error.ts";

export interface PlanOptions extends SourceOptions {
  output: "table" | "json" | "markdown";
  /** A file to write the plan into. */
  out?: string;
  detailedExitcode?: boolean;
  /** False with --no-preview. */
  preview: boolean;
}

/**
 * Prints the plan, and what Pulumi would do for it.
 *
 * @throws PreflightError, the plan being printed, where a queue of it would not scale.
 * @returns the exit code.
 */
export async function planCommand(options: PlanOptions, { out, err }: Streams): Promise<number> {
  if (options.from !== undefined && options.out !== undefined) {
    throw new UsageError("--out writes a plan to be applied: it needs the live cluster, not --from");
  }
  const policy = await readPolicy(options);
  const snapshot = await readSource(options, policy);
  const made = await planned(snapshot, policy.settings);
  const json = planJson(made, snapshot.clusterId);
  const tell = (line: string) => void err.write(`${line}\n`);
  const blocked = options.from === undefined ? await preflightOf(made, policy, options, tell) : undefined;
  const previewed = blocked === undefined && isOfStack(options) && options.preview;
  const engine = previewed ? await previewOf(json, options) : undefined;
  if (options.out !== undefined && blocked === undefined) {
    await writePlanFile(options.out, json);
    err.write(`The plan is in ${options.out} (${json.digest}).\n`);
  }
  const { paint, width } = styleOf(out);
  const text = {
    json: () => jsonText(engine === undefined ? json : { ...json, preview: engine }),
    markdown: () => planMarkdown(made, snapshot.clusterId, engine),
    table: () => `${planTable(made, paint, width)}\n${engine === undefined ? "" : `${engineLine(engine)}\n`}`,
  };
  out.write(text[options.output]());
  if (blocked !== undefined) throw blocked;
  return options.detailedExitcode && isChange(made, engine) ? CHANGES : 0;
}

/** The plan is what `apply` would do: the policy and the cluster are those of the stack, as it is now. */
function isOfStack({ from, policy, kubeconfig, context }: PlanOptions): boolean {
  return [from, policy, kubeconfig, context].every((option) => option === undefined);
}

async function previewOf(reviewed: PlanJson, options: SourceOptions): Promise<EngineChanges> {
  const { openStack, preview } = await import("./engine.ts");
  const stack = await stackName(options);
  // The program reads the cluster once more: what is previewed is this plan or nothing.
  return withPlanFile(reviewed, (file) =>
    spinning("Pulumi previews the stack", options, async () =>
      preview(await openStack({ cwd: options.cwd, stack, reviewed: file })),
    ),
  );
}

/** Where the engine wasn't asked: replicas change. */
function isChange({ workloads, queues = [], clickhouse = [] }: Plan, engine: EngineChanges | undefined): boolean {
  if (engine !== undefined) return !changesNothing(engine);
  return [...workloads, ...queues].some(({ current, target }) => current !== target) || clickhouse.some(changesSize);
}
