import { type EngineChanges, engineLine } from "../report/engine.ts";
import { type PlanJson, planJson } from "../report/json.ts";
import { assertUnmoved } from "../report/moved.ts";
import { parsePlanFile } from "../report/plan-file.ts";
import { planTable } from "../report/table.ts";
import { planned } from "../resources/planned.ts";
import { type AskOptions, assertCanAsk, isConfirmed } from "./ask.ts";
import { cancellable } from "./cancellation.ts";
import { jsonText, type Streams, styleOf } from "./output.ts";
import { withPlanFile } from "./plan-file.ts";
import { readStackPolicy, readText, stackName } from "./policy.ts";
import { preflightOf } from "./preflight.ts";
import { readSource } from "./source.ts";
import { spinning } from "./spinner.ts";

export interface ApplyOptions extends AskOptions {
  /** The file of a reviewed plan. */
  plan?: string;
  stack?: string;
  cwd: string;
  output: "table" | "json";
  quiet: boolean;
}

/**
 * Applies the plan of the live cluster: the reviewed one or none, where there is one; else the one that it shows.
 *
 * @throws MovedError where the cluster calls for another plan than the reviewed one, PreflightError where a queue would not scale. Nothing was written then.
 */
export async function applyCommand(options: ApplyOptions, { out, err }: Streams): Promise<void> {
  assertCanAsk(options, "apply");
  const tell = (line: string) => void (options.quiet || err.write(`${line}\n`));
  const reviewed = options.plan === undefined ? undefined : parsePlanFile(await readText(options.plan), options.plan);
  const stack = await stackName(options);
  const policy = await readStackPolicy(stack, options.cwd);
  const snapshot = await readSource({ cwd: options.cwd, quiet: options.quiet }, policy);
  const made = await planned(snapshot, policy.settings);
  if (reviewed !== undefined) assertUnmoved(reviewed, made, snapshot.clusterId);

  const blocked = await preflightOf(made, policy, {}, tell);
  const { paint, width } = styleOf(err);
  // Nobody is asked about what they don't see.
  if (!options.quiet || !options.yes) err.write(`${planTable(made, paint, width)}\n\n`);
  if (blocked !== undefined) throw blocked;
  if (!(await isConfirmed(options, `Apply this plan to ${stack}?`))) {
    err.write("Nothing was changed.\n");
    return;
  }
  const json = planJson(made, snapshot.clusterId);
  const engine = await applied(json, { ...options, stack }, tell);
  out.write(options.output === "json" ? jsonText({ digest: json.digest, ...engine }) : `${engineLine(engine)}\n`);
}

/** While somebody thought about the plan the cluster may have moved: the program lets this plan through and no other. */
async function applied(
  json: PlanJson,
  { cwd, stack, quiet }: { cwd: string; stack: string; quiet: boolean },
  tell: (line: string) => void,
): Promise<EngineChanges> {
  const [{ openStack, up }, { Progress }] = await Promise.all([import("./engine.ts"), import("./progress.ts")]);
  const progress = new Progress(tell);
  return withPlanFile(json, async (reviewed) => {
    const opened = await openStack({ cwd, stack, reviewed });
    return cancellable(
      (cancellation) =>
        spinning("Pulumi previews and applies the plan", { quiet }, () =>
          up(opened, { cancellation, onEvent: (event) => progress.onEvent(event) }),
        ),
      (text) => void process.stderr.write(`${text}\n`),
    );
  });
}
