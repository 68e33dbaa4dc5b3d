/**
 * What examples/README.md says is so: its commands, as they stand there, print what is committed beside it. After a change that
 * is meant: `npx vitest run --project unit test/cli/examples.test.ts --update`, and read the difference.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { describe, expect, test, vi } from "vitest";

vi.setConfig({ testTimeout: 60_000 });

const root = fileURLToPath(new URL("../..", import.meta.url));
const readme = readFileSync(path.join(root, "examples", "README.md"), "utf8");

/** The commands on examples/, by their names. */
const COMMANDS = new Map(
  [...readme.matchAll(/^ {4}node (src\/cli\/bin\.mjs (\w+) .*examples\/.*)$/gm)].map(([, args = "", name = ""]) => [
    name,
    args.split(" "),
  ]),
);

const OUTPUTS = { plan: "plan.txt", explain: "explain.txt", suggest: "suggest.yaml" } as const;

/** Runs Node in the project's folder with nothing else to be found: no kubectl, no Pulumi, no kubeconfig. */
async function node(args: string[], input = "") {
  const { exitCode, stdout, stderr } = await execa(process.execPath, args, {
    cwd: root,
    input,
    extendEnv: false,
    env: { PATH: "/nowhere", HOME: "/nowhere", KUBECONFIG: "/nowhere" },
    stripFinalNewline: false,
    reject: false,
  });
  return { code: exitCode, stdout, stderr };
}

describe("the commands of examples/README.md", () => {
  test("are plan, explain and suggest", () => {
    expect([...COMMANDS.keys()]).toEqual(Object.keys(OUTPUTS));
  });

  test.each(Object.entries(OUTPUTS))("%s prints examples/output/%s", async (name, file) => {
    const { code, stdout, stderr } = await node(COMMANDS.get(name) ?? []);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    await expect(stdout).toMatchFileSnapshot(path.join(root, "examples", "output", file));
  });

  test("the suggested policy is one that plan takes", async () => {
    const plan = COMMANDS.get("plan")?.map((arg) =>
      arg === "examples/policy.yaml" ? "examples/output/suggest.yaml" : arg,
    );
    const { code, stdout, stderr } = await node(plan ?? []);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("dev/docs");
  });
});

test("the workloads in the tables of examples/README.md are those of the plan", () => {
  const plan = readFileSync(path.join(root, "examples", "output", OUTPUTS.plan), "utf8");
  const planned = [...plan.matchAll(/^(\w+\/[\w-]+) +(\S+(?: → \S+)?) /gm)].map(([, ...row]) => row);
  const told = [...readme.matchAll(/^\| `(\w+\/[\w-]+)` +\| (.+?) +\|/gm)].map(([, ...row]) => row);
  expect(told).toEqual(planned);
  expect(told).toHaveLength(14);
});
