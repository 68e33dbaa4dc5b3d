import { describe, expect, test } from "vitest";
import type { PlanEntry } from "../../src/plan/plan.ts";
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

describe("a plan that is longer than a comment of GitHub may be, 65,536 characters", () => {
  const message = "3 ready workers. ".repeat(20);
  const kept = (index: number) => entry({ workload: `dev/kept-${index}`, decision: "keep", current: 3, message });
  const changed = (index: number) => entry({ workload: `dev/changed-${index}`, message });
  const of = <Value>(count: number, make: (index: number) => Value) => Array.from({ length: count }, (_, i) => make(i));
  const markdownOf = (workloads: PlanEntry[]) => {
    const steps = Object.fromEntries(workloads.map(({ workload }) => [workload, "update"]));
    return planMarkdown({ ...samplePlan(), workloads }, null, { changes: { update: workloads.length }, steps });
  };

  test("has all that change, in the plan's order, and says how many others are left out", () => {
    const markdown = markdownOf([...of(500, kept), ...of(100, changed)]);
    expect(markdown.length).toBeLessThan(65_536);
    const names = [...markdown.matchAll(/^\| `dev\/(\w+)-\d+`/gm)].map(([, name]) => name);
    expect(names).toEqual([...of(names.length - 100, () => "kept"), ...of(100, () => "changed")]);
    expect(markdown).toContain(
      `\n\nA comment holds no more: ${600 - names.length} are left out, none of which changes. The plan's file (\`--out\`) and its table have them all.\n`,
    );
  });

  test("says how many of those that change are left out", () => {
    const markdown = markdownOf([...of(10, kept), ...of(1000, changed)]);
    expect(markdown.length).toBeLessThan(65_536);
    const shown = markdown.match(/^\| `dev\/changed-/gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(100);
    expect(markdown).toContain(`${1010 - shown} are left out, ${1000 - shown} of which change.`);
    expect(markdown).not.toContain("dev/kept");
  });
});
