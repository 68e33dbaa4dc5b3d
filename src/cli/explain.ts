import { explain } from "../plan/explain.ts";
import { verdictsTable } from "../report/verdicts.ts";
import { styleOf } from "./output.ts";
import { readPolicy } from "./policy.ts";
import { readSource, type SourceOptions } from "./source.ts";
import { UsageError } from "./usage-error.ts";

/** Prints, node by node, why it counts for one workload or not. */
export async function explainCommand(workload: string, options: SourceOptions, out: NodeJS.WriteStream): Promise<void> {
  const policy = await readPolicy(options);
  const snapshot = await readSource(options, policy);
  const verdicts = explained(() => explain(snapshot, policy.settings, workload));
  const { paint, width } = styleOf(out);
  out.write(`${verdictsTable(verdicts, paint, width)}\n`);
}

/** The planner throws where there is nothing to explain: a name that isn't listed, a Deployment that doesn't exist. */
function explained<Result>(explanation: () => Result): Result {
  try {
    return explanation();
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}
