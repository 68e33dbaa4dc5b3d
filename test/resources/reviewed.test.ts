import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { planJson } from "../../src/report/json.ts";
import { MovedError } from "../../src/report/moved.ts";
import { assertReviewed } from "../../src/resources/reviewed.ts";
import { samplePlan } from "../report/plans.ts";

function planFile(clusterId: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), "cluster-scale-reviewed-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "plan.json");
  writeFileSync(file, JSON.stringify(planJson(samplePlan(), clusterId)));
  return file;
}

test.each([{}, { CLUSTER_SCALE_PLAN: "" }])("without a reviewed plan every plan may pass (%o)", async (env) => {
  await expect(assertReviewed(samplePlan(), "uid-1", env)).resolves.toBeUndefined();
});

test("with one only that one passes", async () => {
  const env = { CLUSTER_SCALE_PLAN: planFile("uid-1") };
  await expect(assertReviewed(samplePlan(), "uid-1", env)).resolves.toBeUndefined();
  await expect(assertReviewed({ ...samplePlan(), workloads: [] }, "uid-1", env)).rejects.toThrow(MovedError);
  await expect(assertReviewed(samplePlan(), "uid-2", env)).rejects.toThrow(MovedError);
});

test("a reviewed plan that isn't there is an error, not a plan that may pass", async () => {
  await expect(assertReviewed(samplePlan(), "uid-1", { CLUSTER_SCALE_PLAN: "/nowhere/plan.json" })).rejects.toThrow(
    /^\/nowhere\/plan\.json \(CLUSTER_SCALE_PLAN\) can't be read: ENOENT/,
  );
});
