import { expect, test } from "vitest";
import { planMarkdown } from "../../src/report/markdown.ts";
import { entry, samplePlan } from "./plans.ts";

test("a table for a pull request", () => {
  expect(planMarkdown(samplePlan(), null)).toMatch(
    /^\| Workload \| Replicas \| Decision \| Why \|\n\| --- \| --- \| --- \| --- \|\n\| `dev\/gitea` \| 1 → 3 \| \*\*scale-up\*\* \| 3 ready workers\. \|\n/,
  );
  expect(planMarkdown(samplePlan(), null)).toMatch(
    /\n> The snapshot has no pods: every node counts as empty\.\n\nDigest: `sha256:[0-9a-f]{64}`\n$/,
  );
});

test("what an object says is text, whatever it looks like", () => {
  const message = "denied | by <b>policy</b>\n[why](http://example.org) *now*";
  expect(planMarkdown({ ...samplePlan(), workloads: [entry({ message })] }, null)).toContain(
    "| denied \\| by \\<b\\>policy\\</b\\> \\[why\\](http://example.org) \\*now\\* |\n",
  );
});
