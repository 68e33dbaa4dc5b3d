import { describe, expect, test } from "vitest";
import { folderWith, run } from "./run.ts";

const FILES = {
  "Pulumi.yaml": "name: cluster-scale\nruntime: nodejs\n",
  "Pulumi.dev.yaml": "config:\n  cluster-scale:workloads: []\n",
};

/** What a command says in a folder with one stack, on a machine without pulumi and without a cluster. */
async function said(...args: string[]) {
  using folder = folderWith(FILES);
  return await run(args, { cwd: folder.path, env: { PATH: folder.path } });
}

test("without pulumi it is said what to install, and what goes without", async () => {
  expect(await said("recover")).toEqual({
    code: 2,
    stdout: "",
    stderr:
      "cluster-scale: there is no `pulumi` on the PATH. Install it (https://www.pulumi.com/docs/install/); a plan alone needs none: cluster-scale plan --no-preview",
  });
});

test("doctor goes on after what is missing", async () => {
  const { code, stdout } = await said("doctor");
  expect(code).toBe(1);
  expect(stdout.split("\n").map((line) => line.replaceAll(/ {2,}/g, "  "))).toEqual([
    expect.stringMatching(/^ok {2}Node\.js {2}\d+\./),
    expect.stringMatching(/^failed {2}Pulumi {2}there is no `pulumi` on the PATH\./),
    expect.any(String),
    "skipped  plugin  not checked, since Pulumi failed",
    "skipped  backend  not checked, since Pulumi failed",
    "skipped  state  not checked, since Pulumi failed",
    "skipped  lock  not checked, since Pulumi failed",
    "ok  policy  Pulumi.dev.yaml lists 0 workloads",
    expect.stringMatching(/^failed {2}kubeconfig {2}No kubeconfig: there is no \/nowhere/),
    expect.any(String),
    "skipped  API server  not checked, since kubeconfig failed",
    "skipped  permissions  not checked, since kubeconfig failed",
  ]);
});

describe("a command that would ask refuses where nobody can be asked", () => {
  test.each([
    ["apply", ["apply"], "apply"],
    ["release", ["release", "dev/a"], "release"],
  ])("%s", async (_name, args, what) => {
    expect(await said(...args)).toEqual({
      code: 2,
      stdout: "",
      stderr: `cluster-scale: nobody can be asked here: this is no terminal, or CI is set. Give --yes to ${what} without a question`,
    });
  });
});

test.each([
  ["no name", "dev", "must be namespace/name, not dev"],
  ["too much of one", "a/b/c", "must be namespace/name, not a/b/c"],
])("release of %s", async (_what, workload, message) => {
  expect(await said("release", workload, "--yes")).toEqual({
    code: 2,
    stdout: "",
    stderr: `cluster-scale: ${message}`,
  });
});

test("release to ourselves is no release", async () => {
  const { code, stderr } = await said("release", "dev/a", "--yes", "--to", "cluster-scale");
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: "cluster-scale: --to must be another field manager than cluster-scale",
  });
});

test("every command has a help with its options, and an example", async () => {
  for (const command of [
    "plan",
    "explain",
    "suggest",
    "apply",
    "status",
    "doctor",
    "recover",
    "release",
    "completion",
  ]) {
    const { code, stdout } = await run([command, "--help"]);
    expect({ command, code }).toEqual({ command, code: 0 });
    expect(stdout).toContain(`\nExamples:\n`);
    expect(stdout).toContain(`cluster-scale ${command}`);
  }
});
