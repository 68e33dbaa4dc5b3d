#!/usr/bin/env node
/**
 * The command line: parse, call, print, exit code. What each command needs is imported when it runs, so that an
 * offline plan loads neither Pulumi nor the client of the cluster.
 */
import { Command, CommanderError, Option } from "commander";
import { exitCodeOf, isForPeople, USAGE_ERROR } from "./exit.ts";
import type { OutputOptions } from "./output.ts";
import type { PlanOptions } from "./plan.ts";
import type { SourceOptions } from "./source.ts";
import type { SuggestOptions } from "./suggest.ts";

const program = new Command("cluster-scale")
  .description("Replicas that follow the Ready workers of a Kubernetes cluster.")
  .showHelpAfterError("(cluster-scale --help shows what there is)")
  .exitOverride();

reading("plan", "Show what would be done, and why. Writes nothing.")
  .addOption(
    new Option("-o, --output <format>", "how to print it").choices(["table", "json", "markdown"]).default("table"),
  )
  .action(async (options: PlanOptions) => {
    const { planCommand } = await import("./plan.ts");
    await planCommand(options, process.stdout);
  });

reading("explain", "Show node by node why it counts for one workload or not.")
  .argument("<workload>", "namespace/name of a workload of the allowlist")
  .action(async (workload: string, options: SourceOptions & OutputOptions) => {
    const { explainCommand } = await import("./explain.ts");
    await explainCommand(workload, options, process.stdout);
  });

reading("suggest", "Print a policy of the Deployments that may safely follow the workers, and why others may not.")
  .option("-n, --namespace <name>", "only this namespace; may be repeated", collect)
  .action(async (options: SuggestOptions) => {
    const { suggestCommand } = await import("./suggest.ts");
    await suggestCommand(options, process.stdout);
  });

/** A command that reads a cluster or a dump of one. */
function reading(name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .optionsGroup("Offline:")
    .option("--from <file>", "plan from what `kubectl get … -o yaml` printed, - for stdin; may be repeated", collect)
    .option("--at <time>", "the time of the dump, as 2026-01-15T12:00:00Z (default: now)")
    .optionsGroup("Live:")
    .option("--kubeconfig <file>", "the kubeconfig (default: that of the stack, else kubectl's rules)")
    .option("--context <name>", "the context (default: that of the stack, else the current one)")
    .optionsGroup("Policy:")
    .option("--policy <file>", "a policy, or a Pulumi.<stack>.yaml (default: that of the stack)")
    .option("--stack <name>", "the stack whose Pulumi.<stack>.yaml is used (default: the only one there is)")
    .option("--cwd <folder>", "the folder of Pulumi.yaml", ".")
    .optionsGroup("Options:")
    .option("--no-color", "no colours, as with NO_COLOR=1");
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

// A reader that has seen enough (`| head`) is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

try {
  await program.parseAsync();
} catch (error) {
  // Commander has said it already.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : USAGE_ERROR;
  else {
    process.exitCode = exitCodeOf(error);
    process.stderr.write(`${errorText(error)}\n`);
  }
}

/** What a person needs to know; the stack only of what should never have happened. */
function errorText(error: unknown): string {
  if (isForPeople(error)) return `cluster-scale: ${error.message}`;
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `cluster-scale: internal error, nothing was written. Please report it with this text:\n${details}`;
}
