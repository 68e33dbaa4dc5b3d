import { failureOf } from "./exit.ts";

/** One line of `doctor`. */
export interface Check {
  name: string;
  /** `note`: nothing is wrong, but something is less than it could be. `skipped`: a check that it depends on failed. */
  result: "ok" | "note" | "failed" | "skipped";
  /** What was found; for what is not ok, what to do. */
  text: string;
}

/** What a check found, and whether that is all right; ok if not said. */
export type Finding = string | { result: Check["result"]; text: string };

/**
 * Runs one check.
 *
 * @returns the check, and what `work` gave to those that depend on it; undefined where it failed.
 */
export async function check<Value>(
  name: string,
  work: () => Promise<Value>,
  say: (value: Value) => Finding,
): Promise<{ check: Check; value: Value | undefined }> {
  try {
    const value = await work();
    const finding = say(value);
    const found = typeof finding === "string" ? { result: "ok" as const, text: finding } : finding;
    return { check: { name, ...found }, value };
  } catch (error) {
    const failure = failureOf(error);
    if (failure === undefined) throw error;
    return { check: { name, result: "failed", text: failure.message }, value: undefined };
  }
}

export function skipped(name: string, because: string): Check {
  return { name, result: "skipped", text: `not checked, since ${because} failed` };
}
