import { expect, test } from "vitest";
import { AT, DUMP, folderWith, POLICY, run } from "./run.ts";

const explain = (cwd: string, workload: string) =>
  run(["explain", workload, "--from", "dump.yaml", "--policy", "policy.yaml", "--at", AT], { cwd });

test("explain shows node by node why it counts", async () => {
  using folder = folderWith({ "dump.yaml": DUMP, "policy.yaml": POLICY });
  const { code, stdout, stderr } = await explain(folder.path, "dev/gitea");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.split("\n")).toEqual([
    expect.stringMatching(/^NODE +HEALTH +COUNTS +WHY$/),
    expect.stringMatching(/^worker-1 +ready +yes +\S/),
    expect.stringMatching(/^worker-2 +ready +yes +\S/),
    expect.stringMatching(/^worker-3 +cordoned +to keep +\S/),
  ]);
});

test("explain knows only what the policy lists", async () => {
  using folder = folderWith({ "dump.yaml": DUMP, "policy.yaml": POLICY });
  const { code, stdout, stderr } = await explain(folder.path, "dev/other");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toBe("cluster-scale: The policy lists no workload dev/other; it lists dev/gitea");
});
