import { type ClusterLook, lookingAtClusters } from "../cluster/clickhouse-look.ts";
import type { Snapshot } from "../cluster/snapshot.ts";
import { type ClickHouseEntry, isStep, isWaiting, type Size } from "../plan/clickhouse-plan.ts";
import { plan } from "../plan/index.ts";
import type { Plan } from "../plan/plan.ts";
import { clusterCell, sizesCell } from "../report/clickhouse.ts";
import { staleText } from "../report/cluster-progress.ts";
import { planJson } from "../report/json.ts";
import { planTable } from "../report/table.ts";
import { type AskOptions, assertCanAsk, isConfirmed } from "./ask.ts";
import { type Cancellation, cancellable } from "./cancellation.ts";
import { NotConvergedError } from "./converge-errors.ts";
import { type Awaited, awaitedIn, Waiting } from "./convergence.ts";
import { EngineError } from "./engine-error.ts";
import { jsonText, type Streams, styleOf } from "./output.ts";
import { withPlanFile } from "./plan-file.ts";
import { type PolicySource, readStackPolicy, stackName } from "./policy.ts";
import { readSource } from "./source.ts";
import { spinning } from "./spinner.ts";
import { UsageError } from "./usage-error.ts";

export interface ConvergeOptions extends AskOptions {
  stack?: string;
  cwd: string;
  output: "table" | "json";
  quiet: boolean;
}

/** A step that was taken. */
interface Taken {
  cluster: string;
  from: Size | null;
  to: Size | null;
}

/** Times in a row that the cluster may move between our look at it and the program's. */
const MOST_MOVES = 10;

/** Looks in a row that find nothing to wait for although the plan waits. */
const MOST_IDLE_LOOKS = 30;
const IDLE_MILLISECONDS = 1_000;

/**
 * Takes one step after the other, each when the one before is finished, until the policy holds. Where the clusters are is read
 * from them each time and noted nowhere: killed at any point, the same command goes on.
 *
 * @throws StalledError, NotConvergedError, EngineError
 */
export async function convergeCommand(options: ConvergeOptions, { out, err }: Streams): Promise<void> {
  assertCanAsk(options, "converge");
  const tell = (line: string) => void (options.quiet || err.write(`${line}\n`));
  const stack = await stackName(options);
  const policy = await readStackPolicy(stack, options.cwd);
  if (policy.settings.clickhouse.length === 0) {
    throw new UsageError(
      `the policy of ${stack} lists no ClickHouse or Keeper cluster; for workloads alone there is apply`,
    );
  }
  const first = await planned(policy, options);
  const { paint, width } = styleOf(err);
  if (!options.quiet || !options.yes) err.write(`${planTable(first.made, paint, width)}\n\n`);
  if (!(await isConfirmed(options, `Take these steps on ${stack}, and those that follow, one after the other?`))) {
    err.write("Nothing was changed.\n");
    return;
  }
  const { requestTimeoutSeconds } = policy.settings;
  // Each wait has its own end; a look that lasts longer than all of them is none.
  const limits = { requestTimeoutSeconds, timeoutSeconds: LONGEST_WALK_SECONDS };
  const taken = await lookingAtClusters(await policy.cluster(), limits, (look) =>
    cancellable(
      (cancellation) => walk({ policy, stack, cwd: options.cwd, quiet: options.quiet, look, cancellation, tell }),
      (text) => void err.write(`${text}\n`),
    ),
  );
  out.write(options.output === "json" ? jsonText({ steps: taken.steps, clusters: taken.clusters }) : resultText(taken));
}

/** A timer of more than 24 days fires at once. */
const LONGEST_WALK_SECONDS = 20 * 86_400;

interface Walk {
  policy: PolicySource;
  stack: string;
  cwd: string;
  quiet: boolean;
  look: ClusterLook;
  cancellation: Cancellation;
  tell: (line: string) => void;
}

interface Walked {
  steps: Taken[];
  clusters: ClickHouseEntry[];
}

async function walk({ policy, stack, cwd, quiet, look, cancellation, tell }: Walk): Promise<Walked> {
  const waiting = new Waiting(tell);
  const steps: Taken[] = [];
  let applied = "";
  let moves = 0;
  let idle = 0;
  for (;;) {
    const { snapshot, made } = await planned(policy, { cwd, quiet });
    const entries = made.clickhouse ?? [];
    const due = entries.filter(isStep);
    const isUnderWay = entries.some(isWaiting);
    // At its end, or where there is nothing to wait for, everything else of the plan is applied too.
    if (due.length > 0 || (!isUnderWay && actionsOf(made) !== applied)) {
      for (const entry of due) tell(`${clusterCell(entry)}: ${sizesCell(entry)}: patching`);
      const isTaken = await apply(made, snapshot, { stack, cwd, quiet, cancellation });
      moves = isTaken ? 0 : moves + 1;
      if (moves > MOST_MOVES)
        throw new EngineError(
          "moved",
          "the cluster moved at each try; nothing was changed. Run it again once it is quieter",
        );
      if (!isTaken) {
        tell("The clusters moved meanwhile, so nothing was written; planning anew");
        continue;
      }
      applied = actionsOf(made);
      for (const entry of due) {
        steps.push({ cluster: clusterCell(entry), from: entry.current, to: entry.target });
        if (entry.action !== null) waiting.begin(entry.action);
        tell(`${clusterCell(entry)}: ${sizesCell(entry)}: patched`);
      }
    } else if (!isUnderWay) {
      assertConverged(entries);
      return { steps, clusters: entries };
    }
    if (due.length === 0 && !isUnderWay) continue;
    const finished = await waiting.untilNext(
      awaitedIn(snapshot, policy.settings.clickhouse),
      look,
      () => cancellation.requested,
    );
    if (cancellation.requested) throw cancelled();
    // The plan waits for something that by now is finished, which the next plan sees; or for nothing that ends.
    idle = due.length === 0 && finished.length === 0 ? idle + 1 : 0;
    if (idle > MOST_IDLE_LOOKS) throw notConverged(entries.filter(isWaiting));
    if (idle > 0) await new Promise((resolve) => setTimeout(resolve, IDLE_MILLISECONDS));
    await tellStale(finished, look, tell);
  }
}

async function planned(
  policy: PolicySource,
  { cwd, quiet }: { cwd: string; quiet: boolean },
): Promise<{ snapshot: Snapshot; made: Plan }> {
  const snapshot = await readSource({ cwd, quiet }, policy);
  return { snapshot, made: plan(snapshot, policy.settings) };
}

/** Everything that the plan writes. */
function actionsOf({ workloads, clickhouse = [] }: Plan): string {
  return JSON.stringify([...workloads, ...clickhouse].map(({ action }) => action));
}

/** @returns false where the cluster moved since it was read: then nothing was written, and it is to be planned anew. */
async function apply(
  made: Plan,
  { clusterId }: Snapshot,
  { stack, cwd, quiet, cancellation }: Pick<Walk, "stack" | "cwd" | "quiet" | "cancellation">,
): Promise<boolean> {
  const { openStack, up } = await import("./engine.ts");
  return withPlanFile(planJson(made, clusterId), async (reviewed) => {
    try {
      const opened = await openStack({ cwd, stack, reviewed });
      await spinning("Pulumi previews and applies the step", { quiet }, () => up(opened, { cancellation }));
      return true;
    } catch (error) {
      if (error instanceof EngineError && error.code === "moved") return false;
      throw error;
    }
  });
}

/** A step that only a person can make possible is none that was reached; what somebody else sizes is none of ours. */
function assertConverged(entries: readonly ClickHouseEntry[]): void {
  const short = entries.filter(
    ({ decision, next }) => decision === "refuse" || decision === "missing" || (decision === "hold" && next.length > 0),
  );
  if (short.length > 0) throw notConverged(short);
}

function notConverged(entries: readonly ClickHouseEntry[]): NotConvergedError {
  return new NotConvergedError(entries.map((entry) => `${clusterCell(entry)}: ${entry.message}`));
}

/** The operator can say that all is done while a StatefulSet stayed behind. */
async function tellStale(finished: readonly Awaited[], look: ClusterLook, tell: (line: string) => void): Promise<void> {
  for (const key of finished) {
    const names = key.kind === "ClickHouseCluster" ? await look.stale(key) : [];
    if (names.length > 0) tell(`warning: ${key.kind} ${key.namespace}/${key.name}: ${staleText(names)}`);
  }
}

function cancelled(): EngineError {
  return new EngineError(
    "cancelled",
    "cancelled. The step that is under way goes on by itself, no further one was begun; running this again goes on from here",
  );
}

function resultText({ steps, clusters }: Walked): string {
  const line = ({ cluster, from, to }: Taken) => `${cluster}: ${sizesCell({ current: from, target: to, next: [] })}`;
  const left = clusters.filter(({ decision }) => decision === "defer" || decision === "skip");
  return [
    ...steps.map(line),
    ...left.map((entry) => `${clusterCell(entry)}: ${entry.message}`),
    steps.length === 0 ? "The policy holds; no step was needed." : "The policy holds.",
    "",
  ].join("\n");
}
