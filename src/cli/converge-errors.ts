/** How `converge` ends where the policy is not reached. In a file of their own, since every command knows them. */

/** A step that took longer than it may. It is not undone, and nothing else is begun. */
export class StalledError extends Error {
  /** @param cluster `KeeperCluster data/main` */
  constructor(cluster: string, timeoutSeconds: number, diagnosis: string) {
    super(
      `${cluster} has not finished after ${timeoutSeconds} s (stepTimeoutSeconds). Nothing was undone and nothing further begun: ` +
        `once the cause is gone the operator goes on by itself, and running this again goes on from there.\n${diagnosis}`,
    );
    this.name = "StalledError";
  }
}

/** The policy can't be reached by waiting: somebody has to decide or mend something first. */
export class NotConvergedError extends Error {
  /** @param clusters those that are short of it, each with why */
  constructor(clusters: readonly string[]) {
    super(
      `the policy does not hold, and no further step can be taken:\n${clusters.map((line) => `  - ${line}`).join("\n")}`,
    );
    this.name = "NotConvergedError";
  }
}
