/**
 * The scheduler as judge: what we say of generated clusters, against what the real kube-scheduler does when it is asked for
 * more replicas than we call placeable. More of it: `npm run fuzz:scheduler`.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Cluster } from "../../bench/cluster/cluster.ts";
import { playScenarios, startJudgeCluster } from "../../bench/judge/run.ts";
import { Tally } from "../../bench/judge/tally.ts";
import { DISAGREEMENTS, type Kind } from "../../bench/judge/verdict.ts";

const SEED = 20_260_115;
const SCENARIOS = 320;

const tally = new Tally();
let cluster: Cluster;

beforeAll(async () => {
  cluster = await startJudgeCluster();
  const numbers = Array.from({ length: SCENARIOS }, (_, i) => SEED + i);
  await playScenarios(cluster, numbers, (trials) => tally.add(trials));
}, 900_000);

afterAll(async () => {
  await cluster?.stop();
});

describe(`${SCENARIOS} scenarios from number ${SEED} on: never`, () => {
  it.for(Object.entries(DISAGREEMENTS))("%s: %s", ([kind]) => {
    expect(tally.disagreements(kind as Kind)).toEqual([]);
  });
});

describe("the scheduler is asked enough", () => {
  it.for([
    ["verdicts on nodes", 5],
    ["of them usable", 3],
    ["scenarios with planned growth", 0.5],
    ["bound by placement", 0.05],
    ["bound by capacity", 0.1],
  ] as const)("%s: at least %d a scenario", ([what, least]) => {
    expect(tally.asked()[what]).toBeGreaterThanOrEqual(least * SCENARIOS);
  });
});
