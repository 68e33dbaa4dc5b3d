/** How a formula is written: docs/semantics.md, "Formulas". */
import * as z from "zod";
import { keys, listOf, positive, whole } from "./fields.ts";
import type { Formula } from "./policy.ts";

const step = z.tuple([whole(1), whole(1)], { error: "a pair [nodes, replicas]" });
const ladder = listOf(step, "a list of steps [nodes, replicas]").superRefine((steps, context) => {
  const ascends = steps.every(([nodes, replicas], index) => {
    const before = steps[index - 1];
    return before === undefined || (nodes > before[0] && replicas >= before[1]);
  });
  if (steps.length > 0 && ascends) return;
  const message = "a list of at least one step [nodes, replicas], nodes ascending and replicas never descending";
  context.addIssue({ code: "custom", message, input: steps });
});

const FORMULAS = "linear, ha, { nodesPerReplica }, { coresPerReplica }, both of these, or { ladder }";
const namedFormula = z.enum(["linear", "ha"], { error: FORMULAS });
const ladderFormula = keys({ ladder });
const perReplica = keys({ nodesPerReplica: positive().optional(), coresPerReplica: positive().optional() });

/** The form is chosen by what stands there, so that a mistake is told in its terms and not once for each form. */
export const formula = z.unknown().transform((written, context) => {
  const isForm = typeof written === "object" && written !== null && Object.keys(written).length > 0;
  const form = !isForm ? namedFormula : "ladder" in written ? ladderFormula : perReplica;
  const result = form.safeParse(written, { reportInput: true });
  if (result.success) return result.data as Formula;
  context.issues.push(...(result.error.issues as z.core.$ZodRawIssue[]));
  return z.NEVER;
});
