/** Plays scenarios on a cluster, wave by wave on several stages side by side, so that one works while another waits. */
import type { Cluster } from "../cluster/cluster.ts";
import { startCluster } from "../cluster/start.ts";
import { Names } from "./arbitrary.ts";
import { ourWord } from "./ours.ts";
import { probesOf } from "./probe.ts";
import { type Scenario, scenarioOf } from "./scenario.ts";
import { type Expected, Stage } from "./stage.ts";
import type { Trial } from "./verdict.ts";

/** So many replicas more than are placeable by our word are asked for. */
const BEYOND = 3;
const STAGES = 3;
/** Scenarios in a wave. */
const WAVE = 32;

/**
 * A cluster for it. Its nodes have the taints that the scenario says from the start, and not the one that every new node has
 * until the node controller has seen it.
 */
export async function startJudgeCluster(): Promise<Cluster> {
  return await startCluster({ apiServerArgs: ["--disable-admission-plugins=TaintNodesByCondition"] });
}

/**
 * Plays the scenarios of these numbers.
 *
 * @param heard called with the trials of each wave as it ends
 */
export async function playScenarios(
  cluster: Cluster,
  numbers: readonly number[],
  heard: (trials: Trial[]) => void,
): Promise<void> {
  const waves = Array.from({ length: Math.ceil(numbers.length / WAVE) }, (_, i) =>
    numbers.slice(i * WAVE, (i + 1) * WAVE),
  );
  const next = waves.values();
  await Promise.all(
    Array.from({ length: Math.min(STAGES, waves.length) }, async (_, number) => {
      const stage = new Stage(cluster, `${number}`);
      const placeOf = (i: number) => number * WAVE + i;
      await stage.open(Array.from({ length: WAVE }, (_, i) => new Names(0, placeOf(i))).flatMap(namespacesOf));
      // Whichever stage is free takes the next wave.
      for (const wave of next) {
        const scenarios = wave.map((one, i) => scenarioOf(one, placeOf(i)));
        heard(await play(stage, cluster, scenarios));
      }
    }),
  );
}

function namespacesOf({ namespace, otherNamespace }: Names) {
  return [
    { name: namespace, labels: { team: "own" } },
    { name: otherNamespace, labels: { team: "other" } },
  ];
}

async function play(stage: Stage, { kubeconfig }: Cluster, scenarios: Scenario[]): Promise<Trial[]> {
  const each = <T>(value: (scenario: Scenario) => T) =>
    new Map(scenarios.map((scenario) => [scenario, value(scenario)]));

  await stage.build(scenarios);

  await stage.put(scenarios.flatMap(probesOf));
  const probes = await stage.settled(
    "probe",
    each(({ nodes }): Expected => ({ pods: nodes.length, bound: 0 })),
  );
  await stage.clear(scenarios);

  await stage.stand(scenarios);
  await stage.put(scenarios.map(({ deployment }) => deployment));
  const before = await stage.settled(
    "deployment",
    each(({ deployment }) => ({ pods: deployment.spec.replicas, bound: 0 })),
  );

  const words = await ourWord(kubeconfig, scenarios);
  const wordOn = (scenario: Scenario) => got(words, scenario).planned;
  const asked = each((scenario) => {
    const { current, target, grow } = wordOn(scenario);
    return Math.max(current ?? 0, target ?? 0, grow ?? 0) + BEYOND;
  });
  await stage.scale(asked);
  const after = await stage.settled(
    "deployment",
    each((scenario) => ({ pods: got(asked, scenario), bound: wordOn(scenario).target ?? 0 })),
  );

  // The ReplicaSet controller deletes those first that have no node.
  const bound = each((scenario) => Math.max(1, got(after, scenario).filter(({ node }) => node !== null).length));
  await stage.scale(bound);
  await stage.settled(
    "deployment",
    each((scenario) => ({ pods: got(bound, scenario), bound: 0 })),
  );
  const again = await ourWord(kubeconfig, scenarios);

  await stage.clear(scenarios);
  await stage.dismantle(scenarios);
  return scenarios.map((scenario) => ({
    scenario,
    ...got(words, scenario),
    probes: got(probes, scenario),
    before: got(before, scenario),
    after: got(after, scenario),
    again: got(again, scenario).planned,
  }));
}

function got<T>(map: ReadonlyMap<Scenario, T>, scenario: Scenario): T {
  const value = map.get(scenario);
  if (value === undefined) throw new Error(`nothing is known of scenario ${scenario.names.scenario}`);
  return value;
}
