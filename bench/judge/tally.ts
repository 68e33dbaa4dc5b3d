/** What many trials come to: how much was asked, and where our word and the scheduler's differ. */
import { table } from "../benchmark/results.ts";
import { CAREFUL, DISAGREEMENTS, type Finding, findingsOf, isDisagreement, type Kind, type Trial } from "./verdict.ts";

export class Tally {
  readonly #trials: { trial: Trial; findings: Finding[] }[] = [];

  add(trials: readonly Trial[]): void {
    this.#trials.push(...trials.map((trial) => ({ trial, findings: findingsOf(trial) })));
  }

  get played(): number {
    return this.#trials.length;
  }

  /** What is wrong, a line each, with the number of its scenario; of one kind where it is said. */
  disagreements(kind?: Kind): string[] {
    return this.#trials.flatMap(({ trial, findings }) =>
      findings
        .filter((finding) => isDisagreement(finding) && (kind === undefined || finding.kind === kind))
        .map((finding) => `scenario ${trial.scenario.names.scenario}: ${finding.kind}: ${finding.detail}`),
    );
  }

  /** How much the scheduler was asked: a judge that is asked nothing finds nothing. */
  asked(): Record<string, number> {
    const trials = this.#trials.map(({ trial }) => trial);
    const boundBy = (bound: "placement" | "capacity") =>
      trials.filter(({ planned }) => planned.reasons.includes(bound)).length;
    const sum = (count: (trial: Trial) => number) => trials.reduce((total, trial) => total + count(trial), 0);
    return {
      scenarios: trials.length,
      "verdicts on nodes": sum(({ probes }) => probes.length),
      "of them usable": sum(({ nodes }) => nodes.filter(({ grow }) => grow).length),
      "scenarios with planned growth": trials.filter(({ planned }) => planned.decision === "scale-up").length,
      "bound by placement": boundBy("placement"),
      "bound by capacity": boundBy("capacity"),
      "replicas asked for": sum(({ after }) => after.length),
      "replicas that found a node": sum(({ after }) => after.filter(({ node }) => node !== null).length),
    };
  }

  /** Scenarios with a finding of each kind. */
  byKind(): Record<Kind, number> {
    const kinds = Object.keys({ ...DISAGREEMENTS, ...CAREFUL }) as Kind[];
    const count = (kind: Kind) =>
      this.#trials.filter(({ findings }) => findings.some((one) => one.kind === kind)).length;
    return Object.fromEntries(kinds.map((kind) => [kind, count(kind)])) as Record<Kind, number>;
  }

  /** As Markdown. */
  summary(): string {
    const counts = this.byKind();
    const rows = (kinds: Record<string, string>) =>
      Object.entries(kinds).map(([kind, text]) => [`\`${kind}\``, text, counts[kind as Kind]]);
    return [
      table(["asked", "number"], Object.entries(this.asked())),
      table(["disagreement", "what it is", "scenarios"], rows(DISAGREEMENTS)),
      table(["careful by docs/semantics.md", "what it is", "scenarios"], rows(CAREFUL)),
    ].join("\n\n");
  }
}
