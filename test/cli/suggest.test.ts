import { expect, test } from "vitest";
import { AT, DUMP, folderWith, run } from "./run.ts";

test("suggest prints a policy that plan can read, and why the others are not in it", async () => {
  using folder = folderWith({ "dump.yaml": DUMP });
  const { code, stdout, stderr } = await run(["suggest", "--from", "dump.yaml", "--at", AT], { cwd: folder.path });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("defaults:\n  max: 3\nworkloads:\n  - namespace: dev\n    name: gitea\n");
  expect(stdout).toMatch(/\n# Not listed, and why:\n# {3}dev\/single: \S/);

  using next = folderWith({ "dump.yaml": DUMP, "policy.yaml": stdout });
  const plan = await run(["plan", "--from", "dump.yaml", "--policy", "policy.yaml", "--at", AT], { cwd: next.path });
  expect(plan.stdout).toMatch(/dev\/gitea +1 → 2 +scale-up/);
});

test("suggest keeps to the namespaces that it is asked about", async () => {
  using folder = folderWith({ "dump.yaml": DUMP });
  const { stdout } = await run(["suggest", "--from", "dump.yaml", "-n", "prod"], { cwd: folder.path });
  expect(stdout).toContain("# 0 of 0 Deployments");
  expect(stdout).toContain("workloads: []");
});
