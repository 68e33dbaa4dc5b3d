import { log, type Resource } from "@pulumi/pulumi";
import type { Plan } from "../plan/plan.ts";
import { ansi } from "../report/paint.ts";
import { planTable } from "../report/table.ts";

/** Pulumi indents messages by four columns, and tells a program nothing of its terminal. */
const WIDTH = 100;

/** Shows the plan among the messages of a resource, in preview and update alike. */
export function showPlan(plan: Plan, resource: Resource): void {
  void log.info(`\n${pulumiColors(planTable(plan, ansi, WIDTH))}`, resource);
}

/**
 * ANSI colours as Pulumi's own colour directives, which its display turns into what `--color` asks for
 * (pulumi/sdk/go/common/diag/colors). What looks like a directive in the text itself is broken up: the engine ends on
 * one that it doesn't know.
 */
export function pulumiColors(text: string): string {
  const harmless = text.replaceAll("<{%", "<{ %");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
  return harmless.replaceAll(/\u001b\[(\d+)m/g, (_sequence, code: string) => DIRECTIVES[code] ?? "");
}

const RESET = "<{%reset%}>";
const DIRECTIVES: Record<string, string> = {
  1: "<{%bold%}>",
  2: "<{%fg 8%}>",
  31: "<{%fg 1%}>",
  32: "<{%fg 2%}>",
  33: "<{%fg 3%}>",
  34: "<{%fg 4%}>",
  36: "<{%fg 6%}>",
  22: RESET,
  39: RESET,
};
