import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, expectTypeOf, test } from "vitest";
import type { z } from "zod";
import { snapshotFromObjects } from "../../src/cluster/dump.ts";
import { parsePolicy } from "../../src/config/schema.ts";
import { plan } from "../../src/plan/index.ts";
import type { EngineChanges } from "../../src/report/engine.ts";
import { type PlanJson, planJson } from "../../src/report/json.ts";
import { planJsonSchema, type planSchema, type printedPlanSchema } from "../../src/report/plan-schema.ts";
import { loadCases } from "../cases/load.ts";
import { samplePlan } from "./plans.ts";

const published = JSON.parse(readFileSync(new URL("../../docs/plan.schema.json", import.meta.url), "utf8"));
// The file that people get, in the hands of a validator that knows nothing of what it was made from.
const validate = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true }).compile(published);

/** What is wrong with a plan by the published schema, each with its path. */
function problems(json: unknown): string[] {
  return validate(json) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath}: ${error.message}`);
}

/** The sample plan as JSON, as somebody else's parser has it, changed at one place. */
function sample(change: (json: PlanJson) => object = () => ({})): unknown {
  const json = planJson(samplePlan(), "uid-1");
  return JSON.parse(JSON.stringify({ ...json, ...change(json) }));
}

test("docs/plan.schema.json is what `npm run schema` writes", () => {
  expect(published).toEqual(planJsonSchema());
});

interface Printed extends PlanJson {
  preview?: EngineChanges;
}

test("the schema's types are the plan's", () => {
  expectTypeOf<z.infer<typeof planSchema>>().toEqualTypeOf<PlanJson>();
  expectTypeOf<z.infer<typeof printedPlanSchema>>().toEqualTypeOf<Printed>();
});

describe("valid by the published schema", () => {
  test.each(loadCases().filter(({ expect }) => expect !== null))("the plan of $file", (regression) => {
    const snapshot = snapshotFromObjects(regression.objects, regression.observedAt, regression.file);
    const json = planJson(plan(snapshot, parsePolicy(regression.policy)), snapshot.clusterId);
    expect(problems(JSON.parse(JSON.stringify(json)))).toEqual([]);
  });

  test("what Pulumi would do, beside the plan", () => {
    const preview: EngineChanges = { changes: { update: 1, same: 6 }, steps: { "dev/gitea": "update" } };
    expect(problems(sample(() => ({ preview })))).toEqual([]);
  });
});

describe("not valid by the published schema", () => {
  const inFirst = (changes: object) => (json: PlanJson) => ({
    workloads: [{ ...json.workloads[0], ...changes }, ...json.workloads.slice(1)],
  });

  test.each<[string, (json: PlanJson) => object, string]>([
    ["no digest", () => ({ digest: undefined }), ": must have required property 'digest'"],
    ["a digest that is none", () => ({ digest: "sha256:1" }), '/digest: must match pattern "^sha256:[0-9a-f]{64}$"'],
    ["a key that isn't there", () => ({ clock: "now" }), ": must NOT have additional properties"],
    [
      "an unknown decision",
      inFirst({ decision: "guess" }),
      "/workloads/0/decision: must be equal to one of the allowed values",
    ],
    [
      "an unknown reason",
      inFirst({ reasons: ["mood"] }),
      "/workloads/0/reasons/0: must be equal to one of the allowed values",
    ],
    ["half a replica", inFirst({ target: 1.5 }), "/workloads/0/target: must be integer"],
    [
      "a write of no replicas",
      inFirst({ action: { kind: "deployment", namespace: "dev", name: "gitea", replicas: 0 } }),
      "/workloads/0/action/replicas: must be >= 1",
    ],
  ])("%s", (_what, change, problem) => {
    expect(problems(sample(change))).toContain(problem);
  });
});
