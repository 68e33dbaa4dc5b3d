/**
 * After a run that died: what it left behind is found, judged and cleared up, and the same command goes on.
 */
import { mkdir, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import type { Cluster } from "../../bench/cluster/cluster.ts";
import { startProxy } from "../../bench/proxy.ts";
import { type Process, processes } from "../../src/cli/processes.ts";
import { type CliRun, CliStack } from "./support/cli.ts";
import { startWithThreeWorkers } from "./support/cluster.ts";
import { createWorkloads, deployment, entry, liveReplicas, waitForRunning } from "./support/workloads.ts";

let cluster: Cluster;
let cli: CliStack;

beforeAll(async () => {
  cluster = await startWithThreeWorkers();
});

afterAll(async () => {
  await cluster?.stop();
});

beforeEach(async () => {
  await cluster.api.delete("/apis/apps/v1/namespaces/dev/deployments/gitea");
  await createWorkloads(cluster.api, [deployment("gitea")]);
  await waitForRunning(cluster.api, "gitea", 1);
  cli = await CliStack.create(cluster.kubeconfig, { workloads: [entry("gitea")] });
  return () => cli.remove();
});

/** Processes of Pulumi that work in the stack's folder. */
function pulumiProcesses(): Process[] {
  return processes().filter(
    ({ cwd, command }) => cwd === cli.folder && command.some((part) => /(^|\/)pulumi(-|$)|cmd\/run/.test(part)),
  );
}

const isEngine = ({ command }: Process) => command[0] === "pulumi" && command[1] === "up";

/** An apply whose first patch is held on its way to the API server; `held` is called then, the patch is never answered. */
async function applyHeld(held: () => void): Promise<CliRun> {
  const proxy = await startProxy(cluster, ({ method, url = "" }) => {
    if (method !== "PATCH" || url.includes("dryRun")) return url;
    held();
    return undefined;
  });
  onTestFinished(() => proxy.close());
  return cli.run(["apply", "--yes"], { env: { KUBECONFIG: proxy.kubeconfig } });
}

const locksFolder = () => path.join(cli.path("state"), ".pulumi", "locks", "organization", "cluster-scale", "test");
const lockFiles = async () => (await readdir(locksFolder())).filter((name) => name.endsWith(".json"));

async function writeLock(lock: object): Promise<void> {
  await mkdir(locksFolder(), { recursive: true });
  await writeFile(path.join(locksFolder(), "1.json"), JSON.stringify({ username: "ci", ...lock }));
}

async function expectToConverge(): Promise<void> {
  const apply = await cli.run(["apply", "--yes"]);
  expect(apply.code, apply.stderr).toBe(0);
  expect(await liveReplicas(cluster.api)).toEqual({ gitea: 3 });
  const plan = await cli.run(["plan", "--detailed-exitcode"]);
  expect(plan.code, plan.stderr).toBe(0);
}

it("a run that was killed within a patch: its processes, its lock and its step go, and the same command converges", async () => {
  const died = await applyHeld(() => {
    for (const { pid } of pulumiProcesses().filter(isEngine)) process.kill(pid, "SIGKILL");
  });
  expect(died.code).toBe(1);
  expect(died.stderr).toMatch(
    /\ncluster-scale: pulumi was killed \(SIGKILL\)\. `cluster-scale recover --stack test` clears up what it left behind, and running this again goes on$/,
  );
  const again = await cli.run(["apply", "--yes"]);
  expect(again.code).toBe(1);
  expect(again.stderr).toContain("`cluster-scale recover --stack test` checks that, and clears up after it");

  const looked = await cli.run(["recover"]);
  expect(looked.code).toBe(2);
  expect(looked.stdout).toMatch(
    /^An interrupted run of test left behind:\n {2}- the process pulumi-language-nodejs \(pid \d+\): will be ended\n {2}- the process pulumi-resource-kubernetes \(pid \d+\): will be ended\n/,
  );
  expect(looked.stdout).toMatch(/ {2}- the lock of \S+ \(pid \d+\) since \S+, which is gone: will be removed\n/);
  expect(looked.stdout).toContain("  - a step in flight, creating dev/gitea: will be taken out of the state");
  expect(looked.stderr).toContain("Give --yes to recover without a question");
  expect(pulumiProcesses()).not.toEqual([]);
  expect(await lockFiles()).toHaveLength(1);

  const recovered = await cli.run(["recover", "--yes"]);
  expect(recovered.code, recovered.stderr).toBe(0);
  expect(recovered.stdout).toMatch(
    /\nRecovered\. The state as it was is in \S+\/\.cluster-scale\/test-\S+\.json\. The interrupted run did not finish; whether it came to an end is not known of: creating dev\/gitea\. Run cluster-scale apply --stack test again: it goes on from what the cluster shows\.$/,
  );
  expect(pulumiProcesses()).toEqual([]);
  expect(await lockFiles()).toEqual([]);
  expect(await liveReplicas(cluster.api)).toEqual({ gitea: 1 });

  await expectToConverge();
  const nothing = await cli.run(["recover"]);
  expect(nothing).toEqual({
    code: 0,
    stdout: "Nothing to recover: test has no lock, no step in flight and no process of a dead run.",
    stderr: "",
  });
});

it("a run that lives is left alone: its lock and its processes", async () => {
  let recover: Promise<CliRun> | undefined;
  const apply = await applyHeld(() => {
    recover ??= cli.run(["recover", "--yes"]).finally(() => {
      for (const { pid } of pulumiProcesses()) process.kill(pid, "SIGKILL");
    });
  });
  const { code, stdout, stderr } = (await recover) as CliRun;

  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(
    /^cluster-scale: the stack test is locked by \S+ \(pid \d+\) since \S+, which runs\. Nothing was changed\. Wait until it has ended; only if you know that it is dead: cluster-scale recover --force$/,
  );
  expect(apply.code).toBe(1);
});

it("a lock of another host is broken with --force only", async () => {
  await writeLock({ pid: 1, hostname: "another-host", timestamp: "2026-01-15T12:00:00Z" });
  const refused = await cli.run(["recover", "--yes"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(
    "locked by ci@another-host (pid 1) since 2026-01-15T12:00:00Z, of which only that host knows whether it runs",
  );
  expect(await lockFiles()).toEqual(["1.json"]);

  const forced = await cli.run(["recover", "--yes", "--force"]);
  expect(forced.code, forced.stderr).toBe(0);
  await expectToConverge();
});

it("a pid that was given out again is no holder of an older lock", async () => {
  await writeLock({ pid: process.pid, hostname: hostname(), timestamp: "2026-01-15T12:00:00Z" });
  const { code, stderr } = await cli.run(["recover", "--yes"]);
  expect(code, stderr).toBe(0);
  expect(await lockFiles()).toEqual([]);
});

it("a state that was cut off is put back from Pulumi's own copy, and kept", async () => {
  const first = await cli.run(["apply", "--yes"]);
  expect(first.code, first.stderr).toBe(0);
  const state = path.join(cli.path("state"), ".pulumi", "stacks", "cluster-scale", "test.json");
  await truncate(state, 1000);
  const cut = await readFile(state, "utf8");
  expect((await cli.run(["plan"])).code).toBe(1);

  const { code, stdout, stderr } = await cli.run(["recover", "--yes"]);
  expect(code, stderr).toBe(0);
  const [, kept = ""] = /The state as it was is in (\S+)\. /.exec(stdout) ?? [];
  expect(await readFile(kept, "utf8")).toBe(cut);
  await expectToConverge();
});
