/** Findings of a preflight as sentences, and as the error that they are where they block. */
import type { Finding } from "../plan/preflight.ts";

/** What is so, and where more is to be seen. */
export function findingText({ message, look }: Finding): string {
  return look === "" ? `${message}.` : `${message}. See: ${look}`;
}

/** Findings for a log, a line each: `jobs/mailer: …`. */
export function findingLine(finding: Finding): string {
  return `${finding.queue === null ? "" : `${finding.queue}: `}${findingText(finding)}`;
}

/** The heading of a PreflightError, by which its message is known wherever it shows up. */
export const PREFLIGHT = "the preflight found what keeps queues from scaling";

/** Nothing was declared, since it would not scale. */
export class PreflightError extends Error {
  readonly findings: Finding[];

  constructor(findings: Finding[]) {
    super(
      `${PREFLIGHT}; nothing was changed:\n${findings.map((finding) => `  - ${findingLine(finding)}`).join("\n")}\n` +
        "Mend it and run it again, or let a queue be declared all the same with `preflight: warn`",
    );
    this.name = "PreflightError";
    this.findings = findings;
  }
}

/** The error where a finding blocks; undefined where none does. */
export function blockedBy(findings: Finding[]): PreflightError | undefined {
  const blocking = findings.filter(({ blocks }) => blocks);
  return blocking.length === 0 ? undefined : new PreflightError(blocking);
}
