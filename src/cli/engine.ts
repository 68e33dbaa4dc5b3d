/** Pulumi's engine through the Automation API: the same program, the same Pulumi.yaml, the same stack. */
import path from "node:path";
import type { EngineEvent, Stack } from "@pulumi/pulumi/automation/index.js";
import type { EngineChanges } from "../report/engine.ts";
import { REVIEWED_PLAN } from "../resources/reviewed.ts";
import type { Cancellation } from "./cancellation.ts";
import { EngineError } from "./engine-error.ts";
import { missingPulumi } from "./pulumi.ts";

export interface StackOptions {
  /** The folder of Pulumi.yaml. */
  cwd: string;
  stack: string;
  /** The file of a plan, beside which the program lets nothing through. */
  reviewed?: string;
}

export interface RunOptions {
  /** Called with each event of the engine, as it comes. */
  onEvent?: (event: EngineEvent) => void;
  cancellation?: Cancellation;
}

/** @throws UsageError where there is no Pulumi; that there is no such stack shows with the first operation on it. */
export async function openStack({ cwd, stack, reviewed }: StackOptions): Promise<Stack> {
  const { LocalWorkspace, Stack } = await import("@pulumi/pulumi/automation/index.js");
  const workspace = await LocalWorkspace.create({
    workDir: path.resolve(cwd),
    envVars: {
      // Always said, also as nothing: one that the shell has is meant for a `pulumi up` of its own.
      [REVIEWED_PLAN]: reviewed === undefined ? "" : path.resolve(reviewed),
    },
  }).catch((error: Error) => {
    throw error.message.includes("ENOENT") ? missingPulumi() : error;
  });
  // The Automation API would make it the current stack of the user's shell, in which a later `pulumi up` then runs. Each of its
  // operations names the stack all the same.
  workspace.selectStack = async () => {};
  return Stack.select(stack, workspace);
}

/** What `pulumi up` would do. Writes nothing. */
export function preview(stack: Stack, options: RunOptions = {}): Promise<EngineChanges> {
  return run("preview", stack, options);
}

/** `pulumi up`, without a further question. */
export function up(stack: Stack, options: RunOptions = {}): Promise<EngineChanges> {
  return run("up", stack, options);
}

/** @throws EngineError with what the engine or the program said. */
async function run(operation: "preview" | "up", stack: Stack, options: RunOptions): Promise<EngineChanges> {
  const { onEvent = () => {}, cancellation } = options;
  const result: EngineChanges = { changes: {}, steps: {} };
  const errors: string[] = [];
  try {
    await stack[operation]({
      color: "never",
      // The program reads the cluster first, the refresh comes then: docs/decisions/0003-refresh-and-dead-clusters.md.
      runProgram: true,
      onEvent: (event) => {
        collect(event, result, errors);
        onEvent(event);
      },
      ...(cancellation === undefined ? {} : { signal: cancellation.forward }),
    });
  } catch (error) {
    throw EngineError.of(error, errors, { stack: stack.name, cancelled: cancellation?.requested ?? false });
  }
  return result;
}

function collect(event: EngineEvent, result: EngineChanges, errors: string[]): void {
  const { resourcePreEvent, summaryEvent, diagnosticEvent } = event;
  const workload = workloadOf(resourcePreEvent?.metadata);
  // An earlier step on a resource is its refresh.
  if (resourcePreEvent !== undefined && workload !== undefined) result.steps[workload] = resourcePreEvent.metadata.op;
  if (summaryEvent !== undefined) result.changes = summaryEvent.resourceChanges as Record<string, number>;
  if (diagnosticEvent?.severity === "error") errors.push(plainText(diagnosticEvent.message));
}

/** The workload whose patch, or queue's autoscaler, a step is about, by the name of the resource. */
export function workloadOf(step: { urn: string; type: string } | undefined): string | undefined {
  return step !== undefined && /(Patch|:HorizontalPodAutoscaler)$/.test(step.type) ? nameOf(step.urn) : undefined;
}

/** The name at the end of a URN. */
export function nameOf(urn: string): string {
  return urn.slice(urn.lastIndexOf("::") + 2);
}

/** Text of the engine without its colour directives. */
export function plainText(text: string): string {
  return text.replaceAll(/<\{%[^%]*%\}>/g, "").trim();
}
