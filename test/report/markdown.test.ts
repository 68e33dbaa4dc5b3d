import { expect, test } from "vitest";
import { planMarkdown } from "../../src/report/markdown.ts";
import { entry, samplePlan } from "./plans.ts";

test("a summary for a pull request, and a table to unfold", () => {
  expect(planMarkdown(samplePlan(), null)).toMatch(
    /^\*\*cluster-scale plan:\*\* 1 to scale up, 1 held, 1 missing\. Workers: [^\n]*\n\n<details><summary>[^\n]*<\/summary>\n\n\| Workload \| Replicas \| Decision \| Why \|\n\| --- \| --- \| --- \| --- \|\n\| `dev\/gitea` \| 1 → 3 \| \*\*scale-up\*\* \| 3 ready workers\. \|\n/,
  );
  expect(planMarkdown(samplePlan(), null)).toMatch(
    /\n<\/details>\n\n> The snapshot has no pods: every node counts as empty\.\n\nDigest: `sha256:[0-9a-f]{64}`\n$/,
  );
});

test("what an object says is text, whatever it looks like", () => {
  const message = "denied | by <b>policy</b>\n[why](http://example.org) *now*";
  expect(planMarkdown({ ...samplePlan(), workloads: [entry({ message })] }, null)).toContain(
    "| denied \\| by \\<b\\>policy\\</b\\> \\[why\\](http://example.org) \\*now\\* |\n",
  );
});

test("what Pulumi would do, where it was asked", () => {
  expect(planMarkdown(samplePlan(), null, { changes: { create: 1 }, steps: { "dev/gitea": "create" } })).toContain(
    "\n\nPulumi: 1 create (create: dev/gitea).\n\n</details>\n",
  );
});
