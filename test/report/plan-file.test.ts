import { expect, test } from "vitest";
import { planJson } from "../../src/report/json.ts";
import { parsePlanFile } from "../../src/report/plan-file.ts";
import { samplePlan } from "./plans.ts";

const written = planJson(samplePlan(), "uid-1");
const text = JSON.stringify(written);
const TO_DO = ". Write a plan with `cluster-scale plan --out plan.json`, and leave it as it is";

test("a plan is read as it was written", () => {
  expect(parsePlanFile(text, "plan.json")).toEqual(written);
});

test.each([
  ["cut off", text.slice(0, -9), "is no JSON"],
  ["something else", '{"digest":"sha256:0"}', "is no plan"],
  ["null", "null", "is no plan"],
  [
    "edited",
    text.replace('"target":3', '"target":4'),
    "was changed after it was written: its digest is not that of its workloads",
  ],
  [
    "given another cluster",
    text.replace("uid-1", "uid-2"),
    "was changed after it was written: its digest is not that of its workloads",
  ],
])("%s it is refused", (_what, changed, problem) => {
  expect(() => parsePlanFile(changed, "plan.json")).toThrow(`plan.json ${problem}${TO_DO}`);
});
