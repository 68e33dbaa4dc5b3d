import { RunError } from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { ReadError } from "../../src/cluster/errors.ts";
import { ConfigError } from "../../src/config/problems.ts";
import { MovedError } from "../../src/report/moved.ts";
import { PlanFileError } from "../../src/report/plan-file.ts";
import { withoutStackTraces } from "../../src/resources/errors.ts";

test.each([
  new ConfigError("The policy", ["max: must be 1"]),
  new ReadError("refused", "nothing listens there"),
  new MovedError(["the nodes"]),
  new PlanFileError("plan.json", "is no JSON"),
])("%s is shown as its message alone", async (error) => {
  const thrown = await withoutStackTraces(() => Promise.reject(error)).catch((caught) => caught);
  expect(thrown).toBeInstanceOf(RunError);
  expect(thrown.message).toBe(error.message);
});

test("a bug keeps its stack", async () => {
  const bug = new TypeError("undefined is no function");
  await expect(withoutStackTraces(() => Promise.reject(bug))).rejects.toBe(bug);
});
