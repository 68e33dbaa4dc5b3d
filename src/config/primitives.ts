/** What the schemas of the policy are made of. Each error completes the sentence "must be …". */
import * as z from "zod";
import type { Formula } from "./policy.ts";
import { isPlaceholder, orList } from "./problems.ts";

/** A map of exactly these keys. */
export function keys<Shape extends z.core.$ZodShape>(shape: Shape) {
  const allowed = Object.keys(shape).join(", ");
  return z.strictObject(shape, {
    error: (issue) => (issue.code === "unrecognized_keys" ? allowed : `a map with keys of: ${allowed}`),
  });
}

export function whole(least: number) {
  const error = `a whole number of at least ${least}`;
  return z.int({ error }).min(least, { error });
}

export function positive() {
  const error = "a number above 0";
  return z.number({ error }).gt(0, { error });
}

/** A timeout. A day at most: timers of more than 24 days fire at once. */
export function seconds() {
  const error = "a number of seconds above 0 and at most 86400";
  return z.number({ error }).gt(0, { error }).max(86_400, { error });
}

export function oneOf<const Choices extends readonly string[]>(choices: Choices) {
  return z.enum(choices, { error: orList(choices) });
}

export function text(error: string, isRight: (text: string) => boolean = (written) => written.trim() !== "") {
  return z.string({ error }).refine((written) => !isPlaceholder(written) && isRight(written), { error });
}

export function listOf<Item extends z.ZodType>(item: Item, error: string) {
  return z.array(item, { error });
}

/** The name of a namespace, or of anything else that is one DNS label. */
export const dnsLabel = (written: string) => /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(written);

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
