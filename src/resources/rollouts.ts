/**
 * Waits until the pods of changed Deployments run, and says what keeps them from it.
 *
 * The provider could wait too. But it would then also take a Deployment that is unhealthy for a reason of its own for one
 * that has to be updated and waited for, at every run, and in the end it only says that it took too long.
 */
import { RunError } from "@pulumi/pulumi";
import type { DeploymentName, ReadRollouts, Rollout, RolloutProblem } from "../cluster/rollout.ts";
import { problemText } from "../report/rollout.ts";

/** Most pods that can start do so at once: the first looks come quickly, and ask for nothing but the counts. */
const QUICK_LOOKS = 3;
const QUICK_MILLISECONDS = 250;
const POLL_MILLISECONDS = 1_000;

/** A Deployment whose new count has been set. */
export interface ChangedWorkload extends DeploymentName {
  /** `namespace/name`. */
  workload: string;
}

export interface RolloutOptions {
  read: ReadRollouts;
  /** Called once for each distinct message of the cluster that is still true a look later. */
  tell: (workload: string, message: string) => void;
  /** Called with each look at a Deployment. */
  show: (workload: string, rollout: Rollout) => void;
  timeoutSeconds: number;
}

/** Rollouts that did not finish in time. The counts are set all the same, and nothing is undone. */
export class RolloutError extends RunError {
  constructor(unfinished: string[], timeoutSeconds: number) {
    super(
      `not all pods run after ${timeoutSeconds} s (rolloutTimeoutSeconds). The new counts are set, and nothing is undone: ` +
        "once the causes are gone the pods start by themselves, and running `pulumi up` again is safe.\n" +
        unfinished.map((line) => `  - ${line}`).join("\n"),
    );
    this.name = "RolloutError";
  }
}

/** @throws RolloutError if any of them takes longer than the timeout. */
export async function waitForRollouts(rollouts: ChangedWorkload[], options: RolloutOptions): Promise<void> {
  const { read, tell, show, timeoutSeconds } = options;
  const deadline = Date.now() + timeoutSeconds * 1_000;
  let open = rollouts.map((rollout) => ({ ...rollout, looks: new Looks(rollout.name) }));
  for (let look = 1; ; look += 1) {
    const quick = look <= QUICK_LOOKS;
    const found = await read(open, { problems: !quick });
    const seen = open.map((rollout, index) => ({ rollout, now: found[index] as Rollout | Error }));
    for (const { rollout, now } of seen) {
      if (now instanceof Error) continue;
      show(rollout.workload, now);
      for (const problem of rollout.looks.lasting(now.problems)) tell(rollout.workload, problemText(problem));
    }
    const unfinished = seen.filter(({ now }) => now instanceof Error || !now.complete);
    if (unfinished.length === 0) return;
    if (Date.now() >= deadline) {
      const lines = unfinished.map(({ rollout, now }) => `${rollout.workload}: ${unfinishedText(now)}`);
      throw new RolloutError(lines, timeoutSeconds);
    }
    open = unfinished.map(({ rollout }) => rollout);
    await new Promise((resolve) => setTimeout(resolve, quick ? QUICK_MILLISECONDS : POLL_MILLISECONDS));
  }
}

/**
 * Sorts out what is worth a message: not what the next look no longer finds (between its creation and its start a pod
 * always waits for something), and nothing twice.
 */
class Looks {
  readonly #deployment: string;
  readonly #told = new Set<string>();
  #before = new Set<string>();

  constructor(deployment: string) {
    this.#deployment = deployment;
  }

  lasting(problems: RolloutProblem[]): RolloutProblem[] {
    const keyed = problems.map((problem) => ({ problem, key: this.#key(problem) }));
    const lasting = keyed.filter(({ key }) => this.#before.has(key) && !this.#told.has(key));
    this.#before = new Set(keyed.map(({ key }) => key));
    for (const { key } of lasting) this.#told.add(key);
    return lasting.map(({ problem }) => problem);
  }

  /** Every attempt to create a pod gives it a new name, which makes no new message. */
  #key({ source, text }: RolloutProblem): string {
    // Of what means something in a pattern, a name of Kubernetes (a DNS subdomain) can only hold the dot.
    const podName = new RegExp(`${this.#deployment.replaceAll(".", "\\.")}-[a-z0-9]+-[a-z0-9]+`, "g");
    return `${source} ${text.replaceAll(podName, this.#deployment)}`;
  }
}

function unfinishedText(seen: Rollout | Error): string {
  if (seen instanceof Error) return `could not be read: ${seen.message}`;
  const { available, wanted, problems } = seen;
  const why = problems.map(problemText).join(" ");
  return `${available} of ${wanted} pods are available. ${why === "" ? "The cluster doesn't say why; see `kubectl describe` of its pods." : why}`;
}
