import { type HandedOver, handOver } from "../cluster/hand-over.ts";
import { sending } from "../cluster/send.ts";
import { FIELD_MANAGER } from "../plan/field-managers.ts";
import { type AskOptions, assertCanAsk, isConfirmed } from "./ask.ts";
import type { Streams } from "./output.ts";
import { readStackPolicy, stackName } from "./policy.ts";
import { UsageError } from "./usage-error.ts";

export interface ReleaseOptions extends AskOptions {
  stack?: string;
  cwd: string;
  /** The field manager that takes the count. */
  to: string;
}

/**
 * Hands the count of a Deployment that left the allowlist back, at the value that it has.
 *
 * @throws UsageError where there is nothing to hand back, or it would come back with the next apply.
 */
export async function releaseCommand(workload: string, options: ReleaseOptions, { out }: Streams): Promise<void> {
  assertCanAsk(options, "release");
  const [namespace, name, ...more] = workload.split("/");
  if (!namespace || !name || more.length > 0) throw new UsageError(`must be namespace/name, not ${workload}`);
  const stack = await stackName(options);
  const { settings, cluster } = await readStackPolicy(stack, options.cwd);
  if (settings.workloads.some((entry) => entry.namespace === namespace && entry.name === name)) {
    throw new UsageError(
      `${workload} is on the allowlist of Pulumi.${stack}.yaml: the next apply would take its count back. Take it off the list first`,
    );
  }
  if (options.to === FIELD_MANAGER) throw new UsageError(`--to must be another field manager than ${FIELD_MANAGER}`);
  if (!(await isConfirmed(options, `Hand spec.replicas of ${workload} to ${options.to}, at its present value?`))) {
    out.write("Nothing was changed.\n");
    return;
  }
  const { requestTimeoutSeconds, readTimeoutSeconds: timeoutSeconds } = settings;
  const end = await sending(await cluster(), { requestTimeoutSeconds, timeoutSeconds }, (send) =>
    handOver(send, { namespace, name, from: FIELD_MANAGER, to: options.to }),
  );
  out.write(`${endText(end, workload, options.to)}\n`);
}

function endText(end: HandedOver, workload: string, to: string): string {
  switch (end.result) {
    case "released":
      return `${workload} stays at ${end.replicas}; its count is ${to}'s now.`;
    case "not-held": {
      const holders = end.holders.length === 0 ? "nobody" : end.holders.join(", ");
      return `Nothing to release: ${FIELD_MANAGER} has no hold on the count of ${workload}; ${holders} has.`;
    }
    case "missing":
      throw new UsageError(`there is no Deployment ${workload}`);
    case "taken":
      throw new UsageError(
        `${to} applies other fields of ${workload}, which it would lose by applying the count alone. Give another name with --to; ` +
          "what applies the whole object takes the count over by itself",
      );
  }
}
