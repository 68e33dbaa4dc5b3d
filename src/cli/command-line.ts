/**
 * What can be typed. What a command needs is imported when it runs, so that an offline plan loads neither Pulumi nor the
 * client of the cluster.
 */
import { Argument, Command, Option } from "commander";
import type { ApplyOptions } from "./apply.ts";
import { completionScript, SHELLS, type Shell } from "./completion.ts";
import type { ConvergeOptions } from "./converge.ts";
import type { DoctorOptions } from "./doctor.ts";
import type { Streams } from "./output.ts";
import type { PlanOptions } from "./plan.ts";
import type { PreflightOptions } from "./preflight.ts";
import type { RecoverOptions } from "./recover.ts";
import type { ReleaseOptions } from "./release.ts";
import type { SourceOptions } from "./source.ts";
import type { StatusOptions } from "./status.ts";
import type { SuggestOptions } from "./suggest.ts";

/** @param finish takes the exit code of the command that ran; none is 0. */
export function commandLine(streams: Streams, finish: (code: number | undefined) => void): Command {
  const program = new Command("cluster-scale")
    .description("Replicas that follow the Ready workers of a Kubernetes cluster.")
    .showHelpAfterError("(cluster-scale --help shows what there is)")
    .exitOverride()
    // Said once, heard by all that colours: tables, the question, the spinner, Pulumi.
    .hook("preAction", (_program, command) => {
      if (command.opts().color !== false) return;
      process.env.NO_COLOR = "1";
      delete process.env.FORCE_COLOR;
    });
  addReadingCommands(program, streams, finish);
  addStackCommands(program, streams, finish);
  addQueueCommands(program, streams, finish);
  program
    .command("completion")
    .description("Print a script that completes commands and options in a shell.")
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
    .addHelpText("after", examples([["source <(cluster-scale completion bash)", "in ~/.bashrc"]]))
    .action((shell: Shell) => void streams.out.write(completionScript(program, shell)));
  return program;
}

/** Commands that read a cluster, or a dump of one, and write nothing. */
function addReadingCommands(program: Command, streams: Streams, finish: (code: number) => void): void {
  reading(program, "plan", "Show what would be done, and why. Writes nothing to the cluster.")
    .addOption(outputOption("table", "json", "markdown"))
    .option("--out <file>", "write the plan to a file too, for review and `apply --plan`")
    .option("--detailed-exitcode", "0: nothing to do, 2: changes, 1: any error")
    .option("--no-preview", "without Pulumi's own preview of the stack")
    .addHelpText(
      "after",
      examples([
        ["cluster-scale plan", "the plan of the stack, now"],
        ["cluster-scale plan --out plan.json -o markdown", "for a pull request, to be applied as it is"],
        [
          "kubectl get nodes,deploy,pods,hpa -A -o yaml --show-managed-fields | cluster-scale plan --from - --policy policy.yaml",
          "",
        ],
      ]),
    )
    .action(async (options: PlanOptions) => {
      const { planCommand } = await import("./plan.ts");
      finish(await planCommand(options, streams));
    });

  reading(program, "explain", "Show node by node why it counts for one workload or not.")
    .argument("<workload>", "namespace/name of a workload of the allowlist")
    .addHelpText("after", examples([["cluster-scale explain dev/gitea", ""]]))
    .action(async (workload: string, options: SourceOptions) => {
      const { explainCommand } = await import("./explain.ts");
      await explainCommand(workload, options, streams.out);
    });

  reading(
    program,
    "suggest",
    "Print a policy of the Deployments that may safely follow the workers, and why others may not.",
  )
    .option("-n, --namespace <name>", "only this namespace; may be repeated", collect)
    .addHelpText("after", examples([["cluster-scale suggest -n dev > policy.yaml", ""]]))
    .action(async (options: SuggestOptions) => {
      const { suggestCommand } = await import("./suggest.ts");
      await suggestCommand(options, streams.out);
    });
}

/** Commands about a stack: its cluster, its policy and its state. */
function addStackCommands(program: Command, streams: Streams, finish: (code: number) => void): void {
  ofStack(program, "apply", "Apply the plan: shows it and asks, or applies a reviewed one and no other.")
    .option("--plan <file>", "apply only if the cluster still calls for exactly this plan (`plan --out`)")
    .option("-y, --yes", "apply without a question", false)
    .option("-q, --quiet", "no plan and no progress, only the result and errors", false)
    .addOption(outputOption("table", "json"))
    .addHelpText(
      "after",
      examples([
        ["cluster-scale apply", "shows the plan and asks"],
        ["cluster-scale apply --plan plan.json --yes", "in CI: the reviewed plan, or exit code 3 and what moved"],
      ]),
    )
    .action(async (options: ApplyOptions) => {
      const { applyCommand } = await import("./apply.ts");
      await applyCommand(options, streams);
    });

  ofStack(program, "converge", "Scale ClickHouse and Keeper step by step, each once the one before is finished.")
    .option("-y, --yes", "without a question", false)
    .option("-q, --quiet", "no plan and no progress, only the result and errors", false)
    .addOption(outputOption("table", "json"))
    .addHelpText(
      "after",
      examples([
        ["cluster-scale converge", "shows the steps and asks; killed at any point, the same command goes on"],
        ["cluster-scale converge --yes -o json", "in CI; a step that takes too long ends in a diagnosis"],
      ]),
    )
    .action(async (options: ConvergeOptions) => {
      const { convergeCommand } = await import("./converge.ts");
      await convergeCommand(options, streams);
    });

  ofStack(program, "status", "Show what was applied, what is live, and how far the pods are. Writes nothing.")
    .addOption(outputOption("table", "json"))
    .addHelpText("after", examples([["cluster-scale status", ""]]))
    .action(async (options: StatusOptions) => {
      const { statusCommand } = await import("./status.ts");
      await statusCommand(options, streams);
    });

  ofStack(program, "doctor", "Check everything that plan and apply need; each line is ok or says what to do.")
    .addOption(outputOption("table", "json"))
    .addHelpText("after", examples([["cluster-scale doctor --stack prod", ""]]))
    .action(async (options: DoctorOptions) => {
      const { doctorCommand } = await import("./doctor.ts");
      finish(await doctorCommand(options, streams));
    });

  ofStack(program, "recover", "Clear up after a run that died: its lock, its processes, its step in flight.")
    .option("-y, --yes", "without a question", false)
    .option("--force", "locks too whose process runs, or is another host's", false)
    .addHelpText(
      "after",
      examples([
        ["cluster-scale recover", "shows what a dead run left behind, and asks"],
        ["cluster-scale recover --yes", "in CI; a lock of another host is left alone"],
      ]),
    )
    .action(async (options: RecoverOptions) => {
      const { recoverCommand } = await import("./recover.ts");
      await recoverCommand(options, streams);
    });

  ofStack(program, "release", "Hand the count of a Deployment that left the allowlist back; it stays as it is.")
    .argument("<workload>", "namespace/name")
    .option("--to <manager>", "the field manager that takes spec.replicas", "cluster-scale-released")
    .option("-y, --yes", "without a question", false)
    .addHelpText("after", examples([["cluster-scale release dev/gitea", "before GitOps or an autoscaler sizes it"]]))
    .action(async (workload: string, options: ReleaseOptions) => {
      const { releaseCommand } = await import("./release.ts");
      await releaseCommand(workload, options, streams);
    });
}

/** Commands about queues. */
function addQueueCommands(program: Command, streams: Streams, finish: (code: number) => void): void {
  live(
    program
      .command("preflight")
      .description("Look for what keeps the queues of the policy from scaling. Writes nothing."),
  )
    .addOption(outputOption("table", "json"))
    .addHelpText(
      "after",
      examples([["cluster-scale preflight", "each finding with its cause; exit code 1 for an error"]]),
    )
    .action(async (options: PreflightOptions) => {
      const { preflightCommand } = await import("./preflight.ts");
      finish(await preflightCommand(options, streams));
    });
}

function reading(program: Command, name: string, description: string): Command {
  const command = program
    .command(name)
    .description(description)
    .optionsGroup("Offline:")
    .option("--from <file>", "plan from what `kubectl get … -o yaml` printed, - for stdin; may be repeated", collect)
    .option("--at <time>", "the time of the dump, as 2026-01-15T12:00:00Z (default: now)");
  return live(command);
}

/** Options of a command that reads a live cluster, by a policy. */
function live(command: Command): Command {
  command
    .optionsGroup("Live:")
    .option("--kubeconfig <file>", "the kubeconfig (default: that of the stack, else kubectl's rules)")
    .option("--context <name>", "the context (default: that of the stack, else the current one)")
    .optionsGroup("Policy:")
    .option("--policy <file>", "a policy, or a Pulumi.<stack>.yaml (default: that of the stack)");
  return withColor(withStack(command).optionsGroup("Options:"));
}

function ofStack(program: Command, name: string, description: string): Command {
  const command = program.command(name).description(description).optionsGroup("Stack:");
  return withColor(withStack(command).optionsGroup("Options:"));
}

function withStack(command: Command): Command {
  return command
    .option("--stack <name>", "the stack whose Pulumi.<stack>.yaml is used (default: the only one there is)")
    .option("--cwd <folder>", "the folder of Pulumi.yaml", ".");
}

function withColor(command: Command): Command {
  return command.option("--no-color", "no colours, as with NO_COLOR=1");
}

function outputOption(...formats: [string, ...string[]]): Option {
  return new Option("-o, --output <format>", "how to print it").choices(formats).default(formats[0]);
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

/** Examples below the help of a command: what to type, and what for. */
function examples(lines: [typed: string, what: string][]): string {
  const width = Math.max(...lines.map(([typed, what]) => (what === "" ? 0 : typed.length)));
  const text = lines.map(([typed, what]) => `  ${what === "" ? typed : `${typed.padEnd(width)}  ${what}`}`);
  return `\nExamples:\n${text.join("\n")}`;
}
