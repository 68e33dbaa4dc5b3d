import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ReadRollouts, Rollout, RolloutProblem } from "../../src/cluster/rollout.ts";
import { problemText } from "../../src/report/rollout.ts";
import { RolloutError, waitForRollouts } from "../../src/resources/rollouts.ts";

const noRoom: RolloutProblem = { source: "scheduler", pods: 2, text: "0/3 nodes are available: 3 Insufficient cpu." };
const waiting = (...problems: RolloutProblem[]): Rollout => ({ complete: false, wanted: 3, available: 1, problems });
const done: Rollout = { complete: true, wanted: 3, available: 3, problems: [] };
const change = (name: string) => ({ workload: `dev/${name}`, namespace: "dev", name });

describe("waitForRollouts", () => {
  let told: string[];
  let shown: string[];
  let looks: number;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    told = [];
    shown = [];
    looks = 0;
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Waits for one rollout, whose looks find what is given, the last of them again and again. Gives the error, if any. */
  async function wait(found: (Rollout | Error)[], timeoutSeconds = 10): Promise<unknown> {
    const read = async () => [found[Math.min(looks++, found.length - 1)] ?? done];
    const tell = (workload: string, message: string) => void told.push(`${workload}: ${message}`);
    const show = (workload: string, { available, wanted }: Rollout) =>
      void shown.push(`${workload}: ${available} of ${wanted}`);
    const end = waitForRollouts([change("gitea")], { read, tell, show, timeoutSeconds }).catch((error) => error);
    await vi.runAllTimersAsync();
    return end;
  }

  test("ends as soon as all pods are available", async () => {
    expect(await wait([waiting(), waiting(), done])).toBeUndefined();
    expect({ told, looks }).toEqual({ told: [], looks: 3 });
    expect(shown).toEqual(["dev/gitea: 1 of 3", "dev/gitea: 1 of 3", "dev/gitea: 3 of 3"]);
  });

  test("tells once what is still true a look later", async () => {
    expect(await wait([waiting(noRoom), waiting(noRoom), waiting(noRoom), done])).toBeUndefined();
    expect(told).toEqual([`dev/gitea: ${problemText(noRoom)}`]);
  });

  test("says nothing of what goes away by itself", async () => {
    expect(await wait([waiting(noRoom), waiting(), waiting(noRoom), done])).toBeUndefined();
    expect(told).toEqual([]);
  });

  test("another number of pods, or the name of another pod, is no new message", async () => {
    const refused = (pod: string): RolloutProblem => ({
      source: "admission",
      pods: 0,
      text: `FailedCreate: pods "${pod}" is forbidden: exceeded quota`,
    });
    const found = [
      waiting(refused("gitea-5d8f-x7k2p"), noRoom),
      waiting(refused("gitea-5d8f-aaaaa"), { ...noRoom, pods: 1 }),
      waiting(refused("gitea-5d8f-bbbbb"), noRoom),
      done,
    ];
    expect(await wait(found)).toBeUndefined();
    expect(told).toHaveLength(2);
  });

  test("a look that fails ends nothing", async () => {
    expect(await wait([new Error("connection reset"), done])).toBeUndefined();
    expect(told).toEqual([]);
  });

  test("ends with everything that a person needs when time is up", async () => {
    const error = await wait([waiting(noRoom)], 3);
    expect(error).toBeInstanceOf(RolloutError);
    expect((error as Error).message).toBe(
      "not all pods run after 3 s (rolloutTimeoutSeconds). The new counts are set, and nothing is undone: " +
        "once the causes are gone the pods start by themselves, and running `pulumi up` again is safe.\n" +
        "  - dev/gitea: 1 of 3 pods are available. 2 pods can't be scheduled: 0/3 nodes are available: 3 Insufficient cpu. " +
        "Free or add room for them, or lower this workload's max.",
    );
    // At 0, 0.25, 0.5, 0.75, 1.75, 2.75 and 3.75 s.
    expect(looks).toBe(7);
  });

  test.each<[string, Rollout | Error, string]>([
    [
      "nobody says why",
      waiting(),
      "1 of 3 pods are available. The cluster doesn't say why; see `kubectl describe` of its pods.",
    ],
    ["it can't be read", new Error("connection reset"), "could not be read: connection reset"],
  ])("also where %s", async (_where, seen, text) => {
    expect(((await wait([seen], 1)) as Error).message).toContain(`  - dev/gitea: ${text}`);
  });

  test("what is complete is not looked at again, and not told of", async () => {
    const asked: string[] = [];
    const read: ReadRollouts = async (deployments) => {
      asked.push(deployments.map(({ name }) => name).join(" "));
      return deployments.map(({ name }) => (name === "gitea" ? waiting() : done));
    };
    const options = { read, tell: () => {}, show: () => {}, timeoutSeconds: 1 };
    const end = waitForRollouts([change("gitea"), change("registry")], options).catch(
      (thrown: Error) => thrown.message,
    );
    await vi.runAllTimersAsync();
    expect(await end).toContain("dev/gitea");
    expect(await end).not.toContain("dev/registry");
    expect(asked).toEqual(["gitea registry", "gitea", "gitea", "gitea", "gitea"]);
  });

  test("the first looks come quickly and ask for the counts alone", async () => {
    const asked: [number, boolean | undefined][] = [];
    const start = Date.now();
    const read: ReadRollouts = async (_deployments, options) => {
      asked.push([Date.now() - start, options?.problems]);
      return [waiting()];
    };
    const end = waitForRollouts([change("gitea")], { read, tell: () => {}, show: () => {}, timeoutSeconds: 1 });
    end.catch(() => {});
    await vi.runAllTimersAsync();
    expect(asked).toEqual([
      [0, false],
      [250, false],
      [500, false],
      [750, true],
      [1750, true],
    ]);
  });
});
