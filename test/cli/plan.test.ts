import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { AT, DUMP, folderWith, POLICY, run } from "./run.ts";

const OFFLINE = ["plan", "--from", "dump.yaml", "--policy", "policy.yaml", "--at", AT];

describe("cluster-scale plan, offline", () => {
  test("prints a table, plain where stdout is no terminal", async () => {
    using folder = folderWith({ "dump.yaml": DUMP, "policy.yaml": POLICY });
    const { code, stdout, stderr } = await run(OFFLINE, { cwd: folder.path });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n").slice(0, 2)).toEqual([
      expect.stringMatching(/^WORKLOAD +REPLICAS +DECISION +WHY$/),
      expect.stringMatching(/^dev\/gitea +1 → 2 +scale-up +\S/),
    ]);
    expect(stdout).toContain("\nWorkers: 2 ready, 1 cordoned (worker-3).\n");
  });

  test("colours are for those who ask for them", async () => {
    using folder = folderWith({ "dump.yaml": DUMP, "policy.yaml": POLICY });
    const table = (args: string[], env: Record<string, string>) =>
      run([...OFFLINE, ...args], { cwd: folder.path, env });
    expect((await table([], { FORCE_COLOR: "1" })).stdout).toContain("\u001b[32m1 → 2\u001b[39m");
    expect((await table(["--no-color"], { FORCE_COLOR: "1" })).stdout).not.toContain("\u001b");
    expect((await table([], { NO_COLOR: "1" })).stdout).not.toContain("\u001b");
  });

  test("prints JSON", async () => {
    using folder = folderWith({ "dump.yaml": DUMP, "policy.yaml": POLICY });
    const { stdout } = await run([...OFFLINE, "--output", "json"], { cwd: folder.path });
    expect(JSON.parse(stdout)).toMatchObject({
      workloads: [{ workload: "dev/gitea", decision: "scale-up", current: 1, target: 2, grow: 2, keep: 3 }],
      workers: { candidates: 3, byState: { ready: 2, cordoned: 1 } },
      digest: expect.stringMatching(/^sha256:/),
    });
  });

  test("plans ClickHouse and Keeper from a dump too", async () => {
    const file = path.join(import.meta.dirname, "..", "cases", "clickhouse-keeper-first.yaml");
    const { policy, objects } = parse(readFileSync(file, "utf8"));
    using folder = folderWith({
      "dump.yaml": stringify({ apiVersion: "v1", kind: "List", items: objects }),
      "policy.yaml": stringify(policy),
    });
    const { code, stdout } = await run(OFFLINE, { cwd: folder.path });
    expect(code).toBe(0);
    expect(stdout.split("\n").slice(1, 4).join("\n")).toMatch(/^keeper data\/main +1 → 3, then 5 +scale-up +\S/);
    expect(stdout).toMatch(
      /^clickhouse data\/events +1, then 3 +hold +keeping 1 replica of 1 shard for now: its Keeper goes first/m,
    );
    const detailed = await run([...OFFLINE, "--detailed-exitcode"], { cwd: folder.path });
    expect(detailed.code).toBe(2);
  });

  test("prints Markdown", async () => {
    using folder = folderWith({ "dump.yaml": DUMP, "policy.yaml": POLICY });
    const { stdout } = await run([...OFFLINE, "-o", "markdown"], { cwd: folder.path });
    expect(stdout).toContain("| `dev/gitea` | 1 → 2 | **scale-up** | ");
  });

  test("reads a pipe, several dumps, and the policy of a stack", async () => {
    const [nodes, deployments] = [DUMP.split("\n- apiVersion: apps/v1")[0] ?? "", DUMP];
    using folder = folderWith({
      "nodes.yaml": nodes,
      "Pulumi.dev.yaml": "config:\n  cluster-scale:workloads: [{ namespace: dev, name: gitea, max: 2 }]\n",
    });
    const rest = deployments.replace(nodes, "apiVersion: v1\nkind: List\nitems:");
    const { code, stdout } = await run(["plan", "--from", "nodes.yaml", "--from", "-", "--at", AT, "-o", "json"], {
      cwd: folder.path,
      input: rest,
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).workloads).toMatchObject([{ workload: "dev/gitea", target: 2 }]);
  });

  test.each([
    ["2 where counts change", "max: 3", 2],
    ["0 where there is nothing to do", "max: 1", 0],
  ])("--detailed-exitcode is %s", async (_what, max, code) => {
    using folder = folderWith({ "dump.yaml": DUMP, "policy.yaml": POLICY.replace("max: 3", max) });
    expect((await run([...OFFLINE, "--detailed-exitcode"], { cwd: folder.path })).code).toBe(code);
  });

  test("loads neither Pulumi nor the client of the cluster", async () => {
    using folder = folderWith({ "dump.yaml": DUMP, "policy.yaml": POLICY });
    const loaded = path.join(folder.path, "loaded.txt");
    const hook = path.join(import.meta.dirname, "list-modules.mjs");
    await run(OFFLINE, { cwd: folder.path, env: { NODE_OPTIONS: `--import=${hook}`, LOADED_MODULES: loaded } });
    const modules = readFileSync(loaded, "utf8");
    expect(modules).toContain("/src/plan/index.ts");
    expect(modules).not.toMatch(/@pulumi|@kubernetes|src\/cluster\/(read|client)\.ts/);
  });
});

describe("cluster-scale plan, told wrongly", () => {
  test.each<[string, string[], string]>([
    ["a file that isn't there", ["--from", "none.yaml"], "cluster-scale: there is no file none.yaml"],
    [
      "a time that is none",
      ["--from", "dump.yaml", "--at", "noon"],
      'cluster-scale: --at must be a time such as 2026-01-15T12:00:00Z, not "noon"',
    ],
    ["a time for a live cluster", ["--at", AT], "cluster-scale: --at is the time of a dump: it needs --from"],
    [
      "a dump and a cluster",
      ["--from", "dump.yaml", "--context", "dev"],
      "cluster-scale: --from reads no cluster: leave out --kubeconfig and --context",
    ],
    [
      "a plan to apply, without its cluster",
      ["--from", "dump.yaml", "--out", "plan.json"],
      "cluster-scale: --out writes a plan to be applied: it needs the live cluster, not --from",
    ],
    ["stdin twice", ["--from", "-", "--from", "-"], "cluster-scale: stdin can be read once: give --from - once"],
  ])("%s", async (_what, args, message) => {
    using folder = folderWith({ "dump.yaml": DUMP, "policy.yaml": POLICY });
    const result = await run(["plan", "--policy", "policy.yaml", ...args], { cwd: folder.path });
    expect(result).toEqual({ code: 2, stdout: "", stderr: message });
  });

  test("a policy that is wrong: every problem, no plan", async () => {
    using folder = folderWith({
      "dump.yaml": DUMP,
      "policy.yaml": "workloads: [{ namespace: dev, name: a, max: 0 }]\nx: 1\n",
    });
    const { code, stdout, stderr } = await run(OFFLINE, { cwd: folder.path });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^cluster-scale: policy\.yaml: 2 problems\n/);
    expect(stderr).toContain("workloads[0].max: must be a whole number of at least 1, not 0");
  });

  test("half a dump", async () => {
    using folder = folderWith({
      "dump.yaml": "kind: List\napiVersion: v1\nmetadata: { continue: abc }\nitems: []\n",
      "policy.yaml": POLICY,
    });
    const { code, stdout, stderr } = await run(OFFLINE, { cwd: folder.path });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("cluster-scale: dump.yaml: document 1: the List is incomplete");
  });

  test("no cluster: what was looked for, and no stack trace", async () => {
    using folder = folderWith({ "policy.yaml": POLICY });
    const { code, stdout, stderr } = await run(["plan", "--policy", "policy.yaml"], { cwd: folder.path });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^cluster-scale: .*\/nowhere/);
    expect(stderr).not.toContain("    at ");
  });

  test("an option that isn't there", async () => {
    const { code, stdout, stderr } = await run(["plan", "--frm", "x"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("unknown option '--frm'");
  });

  test("--detailed-exitcode makes every mistake a 1, so that 2 means changes only", async () => {
    expect((await run(["plan", "--detailed-exitcode", "--frm", "x"])).code).toBe(1);
    expect((await run(["plan", "--detailed-exitcode", "--policy", "none.yaml"])).code).toBe(1);
    expect((await run(["plan", "--detailed-exitcode", "--help"])).code).toBe(0);
  });

  test("with --output json an error is JSON", async () => {
    const { code, stdout, stderr } = await run(["plan", "--policy", "none.yaml", "--output", "json"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(JSON.parse(stderr)).toEqual({
      error: { code: "usage", exitCode: 2, message: "there is no file none.yaml" },
    });
  });

  test("which stack", async () => {
    using none = folderWith({});
    expect((await run(["plan"], { cwd: none.path })).stderr).toMatch(
      /^cluster-scale: no policy: there is no Pulumi\.<stack>\.yaml in /,
    );
    using two = folderWith({ "Pulumi.dev.yaml": "", "Pulumi.prod.yaml": "" });
    expect(await run(["plan"], { cwd: two.path })).toEqual({
      code: 2,
      stdout: "",
      stderr: "cluster-scale: which stack? Give --stack with one of: dev, prod",
    });
    expect((await run(["plan", "--stack", "test"], { cwd: two.path })).stderr).toMatch(
      /^cluster-scale: there is no Pulumi\.test\.yaml in .*; stacks there: dev, prod$/,
    );
  });
});
