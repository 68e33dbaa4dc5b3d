import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KubeApi } from "../../bench/cluster/api.ts";
import { auditEvents, auditWrites } from "../../bench/cluster/audit.ts";
import type { Cluster } from "../../bench/cluster/cluster.ts";
import { addNodes, setNotReady, setReady, type Taint } from "../../bench/cluster/nodes.ts";
import { listRecords } from "../../bench/cluster/registry.ts";
import { restrictedAccess } from "../../bench/cluster/restricted.ts";
import { startCluster } from "../../bench/cluster/start.ts";
import { sweepClusters } from "../../bench/cluster/sweep.ts";
import { waitFor } from "../../bench/cluster/wait.ts";
import { identify, isRunning } from "../../bench/process-id.ts";
import { createDemoWorkloads } from "../../bench/workloads.ts";

const project = path.join(import.meta.dirname, "..", "..");
// A state folder of its own: `bench:down --all` of these tests must not take down the clusters of others.
const state = mkdtempSync(path.join(tmpdir(), "cluster-scale-bench-"));
const root = path.join(state, "cluster-scale", "clusters");

afterAll(async () => {
  await bench("down", "--all");
  rmSync(state, { recursive: true });
});

describe("a cluster", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({ root, audit: true });
    await addNodes(cluster, [{ name: "worker-1" }, { name: "worker-2" }]);
  });

  test("runs pods on its nodes", async () => {
    await createDemoWorkloads(cluster);
    await waitFor(async () => (await runningPods()).length === 4, { what: "four Running pods" });
    expect(new Set((await runningPods()).map(({ spec }) => spec.nodeName))).toEqual(new Set(["worker-1", "worker-2"]));
  });

  test("makes a foreign node that is annotated for kwok Ready", async () => {
    const metadata = { name: "foreign", annotations: { "kwok.x-k8s.io/node": "fake" } };
    await cluster.api.create({ apiVersion: "v1", kind: "Node", metadata });
    await waitFor(async () => (await readyCondition("foreign"))?.status === "True", { what: "Ready", timeout: 5000 });
    await cluster.api.delete("/api/v1/nodes/foreign");
  });

  test.for(["False", "Unknown"] as const)(
    "keeps a node NotReady (%s) since then, against every controller",
    async (status) => {
      const since = new Date(Date.now() - 120_000);
      await setNotReady(cluster, "worker-2", { since, status });
      const key = status === "False" ? "node.kubernetes.io/not-ready" : "node.kubernetes.io/unreachable";
      // The controller sets NoSchedule at once and NoExecute in its next round: by then it has judged the whole node.
      const evicting = await waitFor(
        async () => (await taintsOf("worker-2")).find(({ effect }) => effect === "NoExecute"),
        { what: "the NoExecute taint of worker-2" },
      );
      expect(evicting).toEqual({ key, effect: "NoExecute", timeAdded: expect.any(String) });
      expect(await readyCondition("worker-2")).toMatchObject({ status, lastTransitionTime: seconds(since) });

      await setReady(cluster, "worker-2");
      await waitFor(async () => (await taintsOf("worker-2")).length === 0, { what: "worker-2 without taints" });
      expect(await readyCondition("worker-2")).toMatchObject({ status: "True" });
    },
  );

  test("lets a ServiceAccount do what its role says and nothing else", async () => {
    const manifest = path.join(state, "rbac.yaml");
    writeFileSync(manifest, nodeReader);
    const { token, kubeconfig } = await restrictedAccess(cluster, manifest);
    const api = cluster.client(token);
    expect(await api.list("/api/v1/nodes")).toHaveLength(2);
    await expect(api.list("/api/v1/pods")).rejects.toThrow(
      'GET /api/v1/pods: 403 Forbidden: pods is forbidden: User "system:serviceaccount:tools:reader" cannot list resource "pods"',
    );
    expect(readFileSync(kubeconfig, "utf8")).toContain(token);
    api.close();
  });

  test("refuses a token that is none, and is refused without its own authority", async () => {
    const stranger = cluster.client("not-a-token");
    await expect(stranger.list("/api/v1/nodes")).rejects.toThrow("401 Unauthorized");
    stranger.close();
    const trusting = new KubeApi({ server: cluster.server, ca: "", token: cluster.adminToken });
    await expect(trusting.list("/api/v1/nodes")).rejects.toThrow("self-signed certificate");
  });

  test("counts writes by who made them", async () => {
    const since = new Date();
    await cluster.api.list("/api/v1/nodes");
    expect(auditWrites(cluster, { user: "admin", since })).toEqual([]);
    await cluster.api.patch("/api/v1/nodes/worker-1", { metadata: { labels: { tested: "yes" } } });
    const writes = auditWrites(cluster, { user: "admin", since, userAgent: /^kubectl\/bench/ });
    expect(writes.map(({ verb, objectRef }) => [verb, objectRef?.name])).toEqual([["patch", "worker-1"]]);
    expect(auditEvents(cluster, { resource: "nodes", verbs: ["list"], user: "admin", since })).toHaveLength(1);
  });

  test("has its data again after the API server and etcd were killed", async () => {
    for (const component of ["kube-apiserver", "etcd"] as const) {
      expect(cluster.kill(component)).toBe(true);
      await waitFor(() => cluster.pids[component] === undefined, { what: `the end of ${component}` });
    }
    await expect(cluster.waitReady()).rejects.toThrow(/^etcd has ended/);
    await cluster.start("etcd", "kube-apiserver");
    expect(await cluster.api.list("/api/v1/nodes")).toHaveLength(2);
  });

  test("leaves nothing when it is stopped", async () => {
    const processes = Object.values(cluster.pids).map((pid) => identify(pid));
    expect(processes).toHaveLength(5);
    await cluster.stop();
    for (const id of processes) expect(id && isRunning(id)).toBe(false);
    expect(existsSync(cluster.dir)).toBe(false);
  });

  const taintsOf = async (name: string): Promise<Taint[]> =>
    (await cluster.api.get(`/api/v1/nodes/${name}`)).spec.taints ?? [];
  const readyCondition = async (name: string) =>
    (await cluster.api.get(`/api/v1/nodes/${name}`)).status.conditions?.find(
      (condition: { type: string }) => condition.type === "Ready",
    );
  const runningPods = async () =>
    (await cluster.api.list("/api/v1/namespaces/dev/pods")).filter(({ status }) => status.phase === "Running");
});

describe("clusters side by side", () => {
  test("know nothing of each other", async () => {
    const [one, two] = await Promise.all([startCluster({ root }), startCluster({ root })]);
    await addNodes(one, [{ name: "only-here" }]);
    expect(await two.api.list("/api/v1/nodes")).toEqual([]);
    expect(one.server).not.toBe(two.server);
    await Promise.all([one.stop(), two.stop()]);
  });

  test("of a starter that was killed are swept, and those that are to stay are found by bench:down", async () => {
    const script = `
      const { startCluster } = await import(${JSON.stringify(path.join(project, "bench/cluster/start.ts"))});
      await startCluster({ name: "orphan" });
      await startCluster({ name: "stays", keep: true });
      console.log("both are up");
      setInterval(() => {}, 1000);`;
    const starter = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      env: benchEnv,
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(starter.stdout, "data");
    starter.kill("SIGKILL");
    await once(starter, "exit");
    const running = listRecords(root).flatMap((record) => Object.values(record.running));
    expect(running.map(isRunning)).toEqual(Array(10).fill(true));

    expect(await sweepClusters(root)).toEqual(["orphan"]);
    const { stdout } = await bench("down", "--name", "stays");
    expect(stdout).toBe('The cluster "stays" is down.');
    expect(running.map(isRunning)).toEqual(Array(10).fill(false));
  });
});

describe("bench", () => {
  test("brings a cluster up, changes its nodes, and takes it down", async () => {
    const up = await bench("up", "--workers", "2");
    expect(up.stdout).toMatch(/The cluster "dev" is up.*2 workers, 1 dedicated control-plane nodes, four Deployments/);
    expect(up.stdout).toContain(`export KUBECONFIG=${root}/dev/admin.kubeconfig`);
    expect((await bench("up")).stdout).toContain('The cluster "dev" is up already.');
    expect((await bench("status")).stdout).toMatch(/^dev +up +3 +until bench:down/m);

    await bench("nodes", "add", "--zone", "b", "--taint", "gpu=yes:NoSchedule");
    await bench("nodes", "cordon", "worker-1");
    await bench("nodes", "not-ready", "worker-2", "--since", "120");
    await bench("nodes", "remove", "control-plane-1");
    const { stdout } = await bench("nodes", "list");
    expect(stdout).toMatch(/^worker-1 +worker +Ready, cordoned +a/m);
    expect(stdout).toMatch(/^worker-2 +worker +NotReady +b/m);
    expect(stdout).toMatch(/^worker-3 +worker +Ready +b +0 +gpu=yes:NoSchedule/m);
    expect(stdout).not.toContain("control-plane-1");

    expect((await bench("down")).stdout).toBe('The cluster "dev" is down.');
    expect((await bench("status")).stdout).toContain("No cluster is there.");
  });

  test.for([
    [["nodes", "taint", "worker-1", "gpu"], "Write key=value:effect or key:effect"],
    [["nodes", "list", "--name", "none"], "no cluster is there; start one: npm run bench:up"],
    [["up", "--name", "../x"], 'the cluster name "../x" is not allowed'],
    [["up", "--workers", "two"], "A whole number from 0 to 5000."],
  ] as const)("%j is an error in a sentence", async ([args, message]) => {
    const { exitCode, stderr } = await bench(...args);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
  });
});

const benchEnv = { ...process.env, XDG_STATE_HOME: state };

function bench(...args: string[]) {
  return execa(process.execPath, ["bench/cli.ts", ...args], { cwd: project, env: benchEnv, reject: false });
}

function seconds(date: Date): string {
  return date.toISOString().replace(/\.\d+/, "");
}

const nodeReader = `
apiVersion: v1
kind: ServiceAccount
metadata: { name: reader, namespace: tools }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: node-reader }
rules: [{ apiGroups: [""], resources: [nodes], verbs: [list] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: node-reader }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: node-reader }
subjects: [{ kind: ServiceAccount, name: reader, namespace: tools }]
`;
