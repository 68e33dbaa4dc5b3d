/** Schemas of single values; each message completes the sentence "must be …" (see `describeIssues` in problems.ts). */
import * as z from "zod";
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

export const dnsLabel = (written: string) => /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(written);
