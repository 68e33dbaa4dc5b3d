/**
 * The examples of docs/examples as CI systems run them: their shell lines, as the documented ServiceAccount. The services' own commands
 * are played by scripts on the PATH.
 */
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Cluster } from "../../bench/cluster/cluster.ts";
import { addNodes, removeNode } from "../../bench/cluster/nodes.ts";
import { type RestrictedAccess, restrictedAccess } from "../../bench/cluster/restricted.ts";
import { CliStack } from "./support/cli.ts";
import { startWithThreeWorkers } from "./support/cluster.ts";
import { createWorkloads, deployment, entry, liveReplicas, waitForRunning } from "./support/workloads.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

let cluster: Cluster;
let access: RestrictedAccess;
let cli: CliStack;
/** What a CI system keeps between jobs: artifacts and comments; and the commands that are played. */
let ci: string;

beforeAll(async () => {
  cluster = await startWithThreeWorkers();
  access = await restrictedAccess(cluster, path.join(root, "deploy", "rbac.yaml"));
});

afterAll(async () => {
  await cluster?.stop();
});

beforeEach(async () => {
  await cluster.api.delete("/apis/apps/v1/namespaces/dev/deployments/gitea");
  await createWorkloads(cluster.api, [deployment("gitea")]);
  await waitForRunning(cluster.api, "gitea", 1);
  cli = await CliStack.create("/nowhere", { workloads: [entry("gitea")] });
  ci = await mkdtemp(path.join(tmpdir(), "cluster-scale-ci-"));
  return async () => {
    await cli.remove();
    await rm(ci, { recursive: true });
  };
});

/** Puts a command on the PATH of the jobs; installing packages is nothing that a test does. */
async function play(name: string, script: string): Promise<void> {
  const file = path.join(ci, "bin", name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/bash\nset -eu\n${script}\n`);
  await chmod(file, 0o755);
}

interface Job {
  code: number | undefined;
  output: string;
}

/** Runs shell lines one after the other, as a runner does: in one folder, ending at the first that fails. */
async function runLines(lines: string[], env: Record<string, string>): Promise<Job> {
  const { place } = cli.stack;
  const { exitCode, all } = await execa("bash", ["-e", "-o", "pipefail", "-c", lines.join("\n")], {
    cwd: cli.folder,
    extendEnv: false,
    reject: false,
    all: true,
    env: {
      ...place.env,
      PATH: `${ci}/bin:${place.env.PATH}`,
      CI: "true",
      KUBECONFIG: path.join(ci, "kubeconfig"),
      KUBECONFIG_CONTENT: await readFile(access.kubeconfig, "utf8"),
      STACK: "test",
      ...env,
    },
  });
  return { code: exitCode, output: all ?? "" };
}

/** How a CI system runs a job of its example. */
type RunJob = (job: "plan" | "apply") => Promise<Job>;

async function github(): Promise<RunJob> {
  const text = await readFile(path.join(root, "docs", "examples", "github-actions.yml"), "utf8");
  const { jobs } = parse(text) as { jobs: Record<string, { steps: { run?: string }[] }> };
  await play("npm", "exit 0");
  await play(
    "gh",
    `case "$1 $2" in
    "pr comment") cp "$5" ${ci}/comment.md; [[ "$3" == 7 && "$4" == --body-file ]] ;;
    "api repos/shop/main/commits/abc/pulls") echo head-of-7 ;;
    "run list") [[ "$*" == *"--commit head-of-7"* ]] && echo 99 ;;
    "run download") [[ "$3" == 99 && "$5" == plan ]] && cp ${ci}/artifact.json plan.json ;;
    *) exit 1 ;;
    esac`,
  );
  const env = { PULL_REQUEST: "7", GITHUB_REPOSITORY: "shop/main", GITHUB_SHA: "abc" };
  return async (job) => {
    const lines = jobs[job]?.steps.flatMap(({ run }) => run ?? []) ?? [];
    return runLines(job === "plan" ? [...lines, `mv plan.json ${ci}/artifact.json`] : lines, env);
  };
}

async function gitlab(): Promise<RunJob> {
  const text = await readFile(path.join(root, "docs", "examples", "gitlab-ci.yml"), "utf8");
  const file = parse(text) as { default: { before_script: string[] } } & Record<string, { script: string[] }>;
  await play("npm", "exit 0");
  await play(
    "curl",
    `case "$*" in
    *"/projects/1/merge_requests/7/notes --output note.json") cp plan.md ${ci}/comment.md; echo '{}' > note.json ;;
    *"/projects/1/repository/commits/abc/merge_requests --output requests.json") echo '[{"iid":7}]' > requests.json ;;
    *"/projects/1/jobs/artifacts/refs%2Fmerge-requests%2F7%2Fhead/raw/plan.json?job=plan --output plan.json") cp ${ci}/artifact.json plan.json ;;
    *) exit 1 ;;
    esac`,
  );
  const env = {
    CI_API_V4_URL: "https://gitlab.example.com/api/v4",
    CI_PROJECT_ID: "1",
    CI_MERGE_REQUEST_IID: "7",
    CI_COMMIT_SHA: "abc",
    CI_JOB_TOKEN: "job-token",
    COMMENT_TOKEN: "comment-token",
  };
  return async (job) => {
    const lines = [...file.default.before_script, ...(file[job]?.script ?? [])];
    return runLines(job === "plan" ? [...lines, `mv plan.json ${ci}/artifact.json`] : lines, env);
  };
}

/** Every file below a folder, as text. */
async function textsIn(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const read = files
    .filter((file) => file.isFile())
    .map((file) => readFile(path.join(file.parentPath, file.name), "utf8"));
  return Promise.all(read);
}

describe.each([
  ["GitHub Actions", github],
  ["GitLab CI", gitlab],
])("%s", (_name, prepare) => {
  it("plans with a comment, applies the reviewed plan, and lets no secret out", async () => {
    const run = await prepare();
    const plan = await run("plan");
    expect(plan.code, plan.output).toBe(0);
    const comment = await readFile(path.join(ci, "comment.md"), "utf8");
    expect(comment).toMatch(/^\*\*cluster-scale plan:\*\* 1 to scale up\. Workers: 3 ready\.\n/);
    expect(await liveReplicas(cluster.api)).toEqual({ gitea: 1 });

    const apply = await run("apply");
    expect(apply.code, apply.output).toBe(0);
    expect(await liveReplicas(cluster.api)).toEqual({ gitea: 3 });

    await rm(path.join(ci, "kubeconfig"));
    const texts = [plan.output, apply.output, ...(await textsIn(ci)), ...(await textsIn(cli.path("state")))];
    const authority = Buffer.from(cluster.ca).toString("base64");
    for (const secret of [access.token, authority, "canary-passphrase"]) {
      expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    }
  });

  it("applies nothing when the cluster moved since the review: exit code 3", async () => {
    const run = await prepare();
    expect((await run("plan")).code).toBe(0);
    await removeNode(cluster, "worker-3");
    const apply = await run("apply");
    await addNodes(cluster, [{ name: "worker-3" }]);

    expect(apply.code, apply.output).toBe(3);
    expect(apply.output).toContain("moved since the plan was reviewed; nothing was changed:");
    expect(await liveReplicas(cluster.api)).toEqual({ gitea: 1 });
  });
});
