/**
 * The commands for people and CI: what is reviewed is what is applied, or nothing.
 */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditWrites } from "../../bench/cluster/audit.ts";
import type { Cluster } from "../../bench/cluster/cluster.ts";
import { addNodes, removeNode } from "../../bench/cluster/nodes.ts";
import { CliStack } from "./support/cli.ts";
import { startWithThreeWorkers } from "./support/cluster.ts";
import { createWorkloads, deployment, entry, liveReplicas, waitForRunning } from "./support/workloads.ts";

let cluster: Cluster;
let cli: CliStack;

const NAMES = ["gitea", "mailpit"];
const WORKLOADS = { workloads: NAMES.map((name) => entry(name)) };

beforeAll(async () => {
  cluster = await startWithThreeWorkers({ audit: true });
});

afterAll(async () => {
  await cluster?.stop();
});

beforeEach(async () => {
  for (const name of NAMES) await cluster.api.delete(`/apis/apps/v1/namespaces/dev/deployments/${name}`);
  await createWorkloads(
    cluster.api,
    NAMES.map((name) => deployment(name)),
  );
  for (const name of NAMES) await waitForRunning(cluster.api, name, 1);
  cli = await CliStack.create(cluster.kubeconfig, WORKLOADS);
  return () => cli.remove();
});

/** A Deployment whose pods no node has room for, as the only workload. */
async function createStuckWorkload(config: object = {}): Promise<void> {
  const containers = [{ name: "app", image: "app:1", resources: { requests: { cpu: "1000" } } }];
  await cluster.api.delete("/apis/apps/v1/namespaces/dev/deployments/gitea");
  await createWorkloads(cluster.api, [deployment("gitea", { pod: { containers } })]);
  await cli.stack.setConfig({ workloads: [entry("gitea", { capacity: "off" })], ...config });
}

describe("plan", () => {
  it("is the plan and Pulumi's own preview; the exit code says whether there is anything to do", async () => {
    const first = await cli.run(["plan", "--detailed-exitcode", "--out", "plan.json"]);
    expect(first.code, first.stderr).toBe(2);
    expect(first.stdout).toMatch(/^dev\/gitea +1 → 3 +scale-up/m);
    expect(first.stdout).toMatch(/^Pulumi: 5 create \(create: dev\/gitea, dev\/mailpit\)\.$/m);
    expect(first.stderr).toMatch(/^The plan is in plan\.json \(sha256:[0-9a-f]{64}\)\.$/);
    expect(await liveReplicas(cluster.api)).toEqual({ gitea: 1, mailpit: 1 });

    const applied = await cli.run(["apply", "--plan", "plan.json", "--yes"]);
    expect(applied.code, applied.stderr).toBe(0);
    const second = await cli.run(["plan", "--detailed-exitcode"]);
    expect(second.code, second.stderr).toBe(0);
    expect(second.stdout).toMatch(/^Pulumi: 5 same\.$/m);
  });

  it("as JSON has the engine's steps, as Markdown what a reviewer needs", async () => {
    const json = await cli.run(["plan", "-o", "json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      workloads: [{ workload: "dev/gitea", target: 3 }, { workload: "dev/mailpit" }],
      preview: { changes: { create: 5 }, steps: { "dev/gitea": "create", "dev/mailpit": "create" } },
    });
    const markdown = await cli.run(["plan", "-o", "markdown"]);
    expect(markdown.stdout).toMatch(/^\*\*cluster-scale plan:\*\* 2 to scale up\. Workers: 3 ready\.\n\n<details>/);
    expect(markdown.stdout).toContain("\nPulumi: 5 create (create: dev/gitea, dev/mailpit).\n");
  });
});

describe("apply --plan", () => {
  it("applies what was reviewed, and says how far it is", async () => {
    await cli.run(["plan", "--out", "plan.json"]);
    const { code, stdout, stderr } = await cli.run(["apply", "--plan", "plan.json", "--yes"]);

    expect(code, stderr).toBe(0);
    expect(stdout).toBe("Pulumi: 5 create (create: dev/gitea, dev/mailpit).");
    expect(stderr).toMatch(/^dev\/gitea: patched \(\d+ s\)$/m);
    expect(stderr).toMatch(/^dev\/gitea: 3 of 3 pods available \(\d+ s\)$/m);
    expect(await liveReplicas(cluster.api)).toEqual({ gitea: 3, mailpit: 3 });
  });

  it("--quiet and JSON are for machines", async () => {
    await cli.run(["plan", "--out", "plan.json"]);
    const { digest } = JSON.parse(await readFile(cli.path("plan.json"), "utf8"));
    const { code, stdout, stderr } = await cli.run(["apply", "--plan", "plan.json", "--yes", "--quiet", "-o", "json"]);

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      digest,
      changes: { create: 5 },
      steps: { "dev/gitea": "create", "dev/mailpit": "create" },
    });
  });

  it("with a node lost since writes nothing and names it", async () => {
    await cli.run(["plan", "--out", "plan.json"]);
    await removeNode(cluster, "worker-3");
    const since = new Date();
    const before = await cli.stack.stateFiles();
    const { code, stdout, stderr } = await cli.run(["apply", "--plan", "plan.json", "--yes"]);
    await addNodes(cluster, [{ name: "worker-3" }]);

    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toMatch(
      /^cluster-scale: the cluster or the policy moved since the plan was reviewed; nothing was changed:\n {2}- the nodes\. Workers: 3 ready\. Now: Workers: 2 ready\.\n {2}- dev\/gitea: reviewed was 1 → 3 \(scale-up\), now it is 1 → 2 \(scale-up\): /,
    );
    expect(await liveReplicas(cluster.api)).toEqual({ gitea: 1, mailpit: 1 });
    expect(auditWrites(cluster, { user: "admin", since, resource: "deployments" })).toEqual([]);
    expect(await cli.stack.stateFiles()).toEqual(before);
  });

  it("with replicas changed since writes nothing, and says so to machines", async () => {
    await cli.run(["plan", "--out", "plan.json"]);
    await cluster.api.patch("/apis/apps/v1/namespaces/dev/deployments/mailpit/scale?fieldManager=kubectl", {
      spec: { replicas: 2 },
    });
    const { code, stderr } = await cli.run(["apply", "--plan", "plan.json", "--yes", "--output", "json"]);

    expect(code).toBe(3);
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: "moved",
        exitCode: 3,
        message: expect.stringContaining("dev/mailpit: reviewed was 1 → 3 (scale-up), now it is 2 → 3 (scale-up)"),
      },
    });
    expect(await liveReplicas(cluster.api)).toEqual({ gitea: 1, mailpit: 2 });
  });

  it("takes no plan that was edited", async () => {
    await cli.run(["plan", "--out", "plan.json"]);
    const text = await readFile(cli.path("plan.json"), "utf8");
    await writeFile(cli.path("plan.json"), text.replace('"replicas": 3', '"replicas": 5'));
    const { code, stderr } = await cli.run(["apply", "--plan", "plan.json", "--yes"]);

    expect(code).toBe(2);
    expect(stderr).toBe(
      "cluster-scale: plan.json was changed after it was written: its digest is not that of its workloads. " +
        "Write a plan with `cluster-scale plan --out plan.json`, and leave it as it is",
    );
  });
});

it("without a terminal and without --yes nothing is asked and nothing done", async () => {
  const { code, stdout, stderr } = await cli.run(["apply"]);
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: "",
    stderr:
      "cluster-scale: nobody can be asked here: this is no terminal, or CI is set. Give --yes to apply without a question",
  });
  expect(await liveReplicas(cluster.api)).toEqual({ gitea: 1, mailpit: 1 });
});

it("the check guards a plain `pulumi up` too, before anything is declared", async () => {
  await cli.run(["plan", "--out", "plan.json"]);
  const guarded = cli.stack.with({ CLUSTER_SCALE_PLAN: cli.path("plan.json") });
  await removeNode(cluster, "worker-3");
  const moved = await guarded.up();
  await addNodes(cluster, [{ name: "worker-3" }]);

  expect(moved.code).not.toBe(0);
  expect(moved.steps).toEqual({});
  expect(moved.output).toContain("moved since the plan was reviewed; nothing was changed:");
  expect(await liveReplicas(cluster.api)).toEqual({ gitea: 1, mailpit: 1 });

  const up = await guarded.up();
  expect(up.code, up.output).toBe(0);
  expect(await liveReplicas(cluster.api)).toEqual({ gitea: 3, mailpit: 3 });
});

it("two at once: one applies, the other says why it doesn't, and nothing is written twice", async () => {
  const since = new Date();
  const runs = await Promise.all([cli.run(["apply", "--yes"]), cli.run(["apply", "--yes"])]);

  const [winner, loser] = runs.sort((a, b) => (a.code ?? 1) - (b.code ?? 1));
  expect(winner?.code, winner?.stderr).toBe(0);
  expect(loser?.stderr.split("\n").at(-1)).toMatch(
    /^cluster-scale: the stack test is locked by \S+@\S+ \(pid \d+\) since \S+; nothing was changed\. Wait until it has ended\. If it died, /,
  );
  expect(loser?.code).toBe(1);
  const written = auditWrites(cluster, { user: "admin", since, resource: "deployments" });
  expect(written.map(({ objectRef }) => objectRef?.name).sort()).toEqual(NAMES);
});

it("cancelled while pods are awaited, it ends in order: no lock, nothing undone, and the next one goes on", async () => {
  await createStuckWorkload();
  const { code, stderr } = await cli.run(["apply", "--yes"], {
    onLine: (line, send) => {
      if (line.startsWith("dev/gitea: 0 of 3 pods")) send("SIGINT");
    },
  });

  expect(code, stderr).toBe(130);
  const lines = stderr.split("\n");
  // What the cluster said meanwhile may come between the two.
  expect(lines).toContain("SIGINT: cancelling, the steps in flight end first");
  expect(lines.at(-1)).toBe(
    "cluster-scale: cancelled. Steps that were under way have ended, no further one was begun; running it again goes on from here",
  );
  expect(await liveReplicas(cluster.api)).toMatchObject({ gitea: 3 });
  const again = await cli.run(["apply", "--yes"]);
  expect(again.code, again.stderr).toBe(0);
});

it("pods that don't start fail it with the scheduler's words, and the counts stay", async () => {
  await createStuckWorkload({ rolloutTimeoutSeconds: 4 });
  const { code, stdout, stderr } = await cli.run(["apply", "--yes", "--quiet"]);

  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toBe(
    "cluster-scale: not all pods run after 4 s (rolloutTimeoutSeconds). The new counts are set, and nothing is undone: once the causes " +
      "are gone the pods start by themselves, and running `pulumi up` again is safe.\n" +
      "  - dev/gitea: 0 of 3 pods are available. 3 pods can't be scheduled: 0/3 nodes are available: 3 Insufficient cpu. no new claims to " +
      "deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling. Free or add room for them, or lower this workload's max.",
  );
  expect(await liveReplicas(cluster.api)).toMatchObject({ gitea: 3 });
});

describe("on a terminal", () => {
  /** Runs a command on a terminal of its own (script, of util-linux), where a person types something once they have read something. */
  async function onTerminal(command: string, ...acts: [read: string, typed: string][]): Promise<string> {
    const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
    const child = execa(
      "script",
      ["--quiet", "--return", "--command", `node ${main} ${command} --no-color`, "/dev/null"],
      {
        cwd: cli.folder,
        extendEnv: false,
        env: cli.stack.place.env,
        reject: false,
      },
    );
    let output = "";
    child.stdout.on("data", (data: Buffer) => {
      output += data;
      const [read, typed] = acts[0] ?? [];
      if (read === undefined || !output.includes(read)) return;
      acts.shift();
      child.stdin.write(typed);
    });
    const { exitCode } = await child;
    return `${exitCode}: ${output}`;
  }

  const QUESTION = "Apply this plan";

  it("it shows the plan and asks; no, or nothing, is no", async () => {
    const output = await onTerminal("apply", [QUESTION, "\r"]);
    expect(output).toMatch(/^0: .*WORKLOAD.*dev\/gitea +1 → 3.*Apply this plan to test\? .*Nothing was changed\./s);
    expect(await liveReplicas(cluster.api)).toEqual({ gitea: 1, mailpit: 1 });
  });

  it("yes applies what was shown", async () => {
    const output = await onTerminal("apply", [QUESTION, "y\r"]);
    expect(output).toMatch(/^0: .*Pulumi: 5 create/s);
    expect(await liveReplicas(cluster.api)).toEqual({ gitea: 3, mailpit: 3 });
  });

  it("what is waited for is shown with its seconds, without colour where none is wanted, and is gone in the end", async () => {
    const output = await onTerminal("plan");
    expect(output).toMatch(/^0: .*Pulumi previews the stack \(1 s\).*WORKLOAD.*Pulumi: 5 create/s);
    const [cursorShown, cyan] = ["\u001b[?25h", "\u001b[36m"];
    expect(output).toContain(cursorShown);
    expect(output).not.toContain(cyan);
  });

  it("Ctrl-C at the question changes nothing", async () => {
    const output = await onTerminal("apply", [QUESTION, "\u0003"]);
    expect(output).toMatch(/^130: .*cluster-scale: nothing was changed/s);
    expect(await liveReplicas(cluster.api)).toEqual({ gitea: 1, mailpit: 1 });
  });

  it("Ctrl-C while pods are awaited reaches Pulumi once: it ends in order, and the next apply finds no lock", async () => {
    await createStuckWorkload();
    const output = await onTerminal("apply", [QUESTION, "y\r"], ["dev/gitea: 0 of 3 pods", "\u0003"]);
    expect(output).toMatch(/^130: .*SIGINT: cancelling, the steps in flight end first.*cluster-scale: cancelled\. /s);
    const again = await cli.run(["apply", "--yes"]);
    expect(again.code, again.stderr).toBe(0);
  });
});
