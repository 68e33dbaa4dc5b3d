import { execa } from "execa";
import { describe, expect, test } from "vitest";
import { folderWith, run } from "./run.ts";

const { stdout: script } = await run(["completion", "bash"]);

/** What bash offers for a line that ends in the last word, in a folder. */
async function offered(words: string[], cwd = "/"): Promise<string[]> {
  const typed = words.map((word) => `'${word}'`).join(" ");
  const shell = `${script}\nCOMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _cluster_scale; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await execa("bash", ["--norc", "-c", shell], { cwd });
  return stdout.split("\n").filter(Boolean);
}

describe("completion in bash", () => {
  test("of commands", async () => {
    expect(await offered(["cluster-scale", "re"])).toEqual(["recover", "release"]);
    expect(await offered(["cluster-scale", ""])).toEqual([
      "help",
      "plan",
      "explain",
      "suggest",
      "apply",
      "converge",
      "status",
      "doctor",
      "recover",
      "release",
      "preflight",
      "completion",
    ]);
  });

  test("of options, those of the command alone", async () => {
    expect(await offered(["cluster-scale", "plan", "--o"])).toEqual(["--output", "--out"]);
    expect(await offered(["cluster-scale", "doctor", "--o"])).toEqual(["--output"]);
    expect(await offered(["cluster-scale", "explain", "--o"])).toEqual([]);
  });

  test("of values: choices, files, folders, and nothing where there is nothing to offer", async () => {
    using folder = folderWith({ "plan.json": "", "policy.yaml": "" });
    expect(await offered(["cluster-scale", "plan", "-o", "m"])).toEqual(["markdown"]);
    expect(await offered(["cluster-scale", "apply", "--plan", "pl"], folder.path)).toEqual(["plan.json"]);
    expect(await offered(["cluster-scale", "plan", "--cwd", "p"], folder.path)).toEqual([]);
    expect(await offered(["cluster-scale", "plan", "--context", ""])).toEqual([]);
    expect(await offered(["cluster-scale", "completion", ""])).toEqual(["bash", "zsh", "--help"]);
  });
});

test("zsh gets the same by its bashcompinit", async () => {
  const { stdout } = await run(["completion", "zsh"]);
  const [title, first, ...rest] = stdout.split("\n");
  expect(title).toBe("# Completion of cluster-scale for zsh: written by `cluster-scale completion zsh`.");
  expect(first).toBe("autoload -U +X bashcompinit && bashcompinit");
  expect(rest).toEqual(script.split("\n").slice(1));
});

test("another shell is told which there are", async () => {
  const { code, stderr } = await run(["completion", "tcsh"]);
  expect(code).toBe(2);
  expect(stderr).toContain("Allowed choices are bash, zsh.");
});
