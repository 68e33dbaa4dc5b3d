/**
 * Runs broken from outside, one of each kind of fault: `npm run faults` sweeps all of them over every write of a larger run.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { FAULTS } from "../../bench/faults/faults.ts";
import { playRow } from "../../bench/faults/play.ts";
import { Scene } from "../../bench/faults/scene.ts";

let scene: Scene;

beforeAll(async () => {
  scene = await Scene.open(4);
});

afterAll(async () => {
  await scene?.close();
});

/** With the number of the write that meets it; 0 where it happens once. */
it.each([
  ["504", 1],
  ["cut-after", 2],
  ["kill-engine-unsaved", 2],
  ["kill-driver-accepted", 4],
  ["kill-host-unsent", 3],
  ["kill-provider-accepted", 1],
  ["kill-program-unsaved", 2],
  ["apiserver-restart", 3],
  ["etcd-full", 2],
  ["disk-full", 2],
  ["two-at-once", 0],
  ["node-lost", 0],
])("%s: recovered from, and no workload below what it had and is to have", async (id, write) => {
  const fault = FAULTS.find((each) => each.id === id);
  if (fault === undefined) throw new Error(`there is no fault ${id}`);
  const { problems } = await playRow(scene, fault, write);
  expect(problems).toEqual([]);
});
