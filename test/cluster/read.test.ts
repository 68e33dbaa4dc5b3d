import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readSnapshot } from "../../src/cluster/read.ts";
import { parseSettings } from "../../src/config/settings.ts";
import { type Answer, apiServer, kubeconfig, list, status } from "./support/api-server.ts";

const workloads = [{ namespace: "shop", name: "web", max: 3 }];
const now = new Date("2026-01-15T12:00:00Z");

const node = (name: string) => ({ metadata: { name } });
const pod = (name: string) => ({ metadata: { namespace: "shop", name }, spec: { containers: [] } });

async function read(answers: Record<string, Answer | Answer[]>, settings: object = {}) {
  const server = await apiServer(answers);
  const snapshot = readSnapshot({ kubeconfig: server.kubeconfig }, parseSettings({ workloads, ...settings }), { now });
  // An error is asserted by the test, and none must be unhandled until then.
  snapshot.catch(() => undefined);
  return { server, snapshot };
}

describe("what is read", () => {
  it("lists each kind once for a namespace, whatever the number of its workloads", async () => {
    const two = [...workloads, { namespace: "shop", name: "api", max: 3 }];
    const { server, snapshot } = await read({}, { workloads: two });
    await snapshot;
    expect(server.requests.filter((path) => path.includes("/deployments"))).toEqual([
      "/apis/apps/v1/namespaces/shop/deployments?limit=2500",
    ]);
    expect(server.requests.filter((path) => path.includes("statefulsets"))).toEqual([]);
  });

  it("reads other kinds only where the allowlist has one", async () => {
    const stateful = { spec: { replicas: 2 }, metadata: { namespace: "db", name: "pg" } };
    const { snapshot } = await read(
      { "/apis/apps/v1/namespaces/db/statefulsets": list("StatefulSet", [stateful]) },
      { workloads: [{ namespace: "db", name: "pg", kind: "StatefulSet", max: 3 }] },
    );
    expect((await snapshot).otherWorkloads).toEqual([
      { kind: "StatefulSet", namespace: "db", name: "pg", replicas: 2 },
    ]);
  });

  it("reads ClickHouse and Keeper only where the policy lists them, and none where the cluster doesn't know them", async () => {
    const without = await read({});
    await without.snapshot;
    expect(without.server.requests.filter((path) => path.includes("clickhouse.com"))).toEqual([]);

    const clickhouse = [
      { namespace: "data", name: "events", replicas: 3, keeper: { namespace: "quorum", replicas: 3 } },
    ];
    const main = { metadata: { namespace: "quorum", name: "main" } };
    const { server, snapshot } = await read(
      { "/apis/clickhouse.com/v1alpha1/namespaces/quorum/keeperclusters": list("KeeperCluster", [main]) },
      { clickhouse },
    );
    const { keeperClusters, clickHouseClusters } = await snapshot;
    expect(keeperClusters.map(({ namespace, name }) => `${namespace}/${name}`)).toEqual(["quorum/main"]);
    expect(clickHouseClusters).toEqual([]);
    expect(server.requests.filter((path) => path.includes("namespaces/quorum"))).toEqual(
      expect.arrayContaining([
        "/apis/clickhouse.com/v1alpha1/namespaces/quorum/clickhouseclusters?limit=2500",
        "/apis/policy/v1/namespaces/quorum/poddisruptionbudgets?limit=2500",
      ]),
    );
    expect(server.requests.filter((path) => path.includes("namespaces/data/deployments"))).toEqual([]);
  });

  it("reads each kind of all namespaces in one list where it is told to look everywhere", async () => {
    const server = await apiServer();
    await readSnapshot({ kubeconfig: server.kubeconfig }, parseSettings({ workloads: [] }), { everywhere: true });
    expect(server.requests).toContain("/apis/apps/v1/deployments?limit=2500");
    expect(server.requests.filter((path) => path.includes("/namespaces/") || path.includes("clickhouse"))).toEqual([]);
  });

  it("has the time it is given and the identity of the cluster", async () => {
    const system = { metadata: { name: "kube-system", uid: "1f2e" } };
    const { snapshot } = await read({ "/api/v1/namespaces": list("Namespace", [system]) });
    expect(await snapshot).toMatchObject({ observedAt: "2026-01-15T12:00:00.000Z", clusterId: "1f2e", unread: {} });
  });

  it("has the time of the server's clock, by which nodes have theirs, and not of this machine's", async () => {
    const server = await apiServer();
    server.date = "Thu, 15 Jan 2026 12:00:00 GMT";
    const snapshot = await readSnapshot({ kubeconfig: server.kubeconfig }, parseSettings({ workloads }));
    expect(snapshot.observedAt).toBe("2026-01-15T12:00:00.000Z");
  });

  it("asks with the token of the kubeconfig", async () => {
    const { server, snapshot } = await read({});
    await snapshot;
    expect(server.headers.authorization).toBe("Bearer secret-token");
  });

  it("closes its connections", async () => {
    const { snapshot, server } = await read({});
    await snapshot;
    await server.closed;
  });

  it("reads answers that are compressed", async () => {
    const { snapshot } = await read({
      "/api/v1/nodes": (response) =>
        response
          .writeHead(200, { "Content-Encoding": "gzip" })
          .end(gzipSync(JSON.stringify(list("Node", [node("w-1")])))),
    });
    expect((await snapshot).nodes).toHaveLength(1);
  });

  it.each([
    ["127.0.0.1", "identity"],
    // Every address of this machine, by a name that does not say so.
    ["0.0.0.0", "gzip"],
  ])("asks %s for answers as %s: compression costs more than loopback", async (host, encoding) => {
    const server = await apiServer();
    const cluster = { "certificate-authority-data": undefined, "insecure-skip-tls-verify": true };
    const content = kubeconfig({ server: server.url.replace("127.0.0.1", host), cluster });
    await readSnapshot({ kubeconfig: content }, parseSettings({ workloads }));
    expect(server.headers["accept-encoding"]).toBe(encoding);
  });

  it("has the same order, whichever list comes first", async () => {
    const late: Answer = (response) => setTimeout(() => response.end(JSON.stringify(list("Deployment", []))), 20);
    const spec = { selector: {}, template: { spec: { containers: [] } } };
    const web = (namespace: string) => ({ metadata: { namespace, name: "web" }, spec });
    const { snapshot } = await read(
      {
        "/apis/apps/v1/namespaces/b/deployments": (response) =>
          setTimeout(() => response.end(JSON.stringify(list("Deployment", [web("b")]))), 20),
        "/apis/apps/v1/namespaces/a/deployments": list("Deployment", [web("a")]),
        "/apis/apps/v1/namespaces/c/deployments": late,
      },
      { workloads: ["b", "a", "c"].map((namespace) => ({ namespace, name: "web", max: 1 })) },
    );
    expect((await snapshot).deployments.map(({ namespace }) => namespace)).toEqual(["b", "a"]);
  });
});

describe("pages", () => {
  const first = "/api/v1/nodes?limit=2500";
  const second = "/api/v1/nodes?limit=2500&continue=a%2Fb%3D";

  it("reads page after page", async () => {
    const { snapshot } = await read({
      [first]: list("Node", [node("w-1")], { continue: "a/b=" }),
      [second]: list("Node", [node("w-2")]),
    });
    expect((await snapshot).nodes.map(({ name }) => name)).toEqual(["w-1", "w-2"]);
  });

  it("begins a list anew, once, when its next page has expired", async () => {
    const { snapshot } = await read({
      [first]: list("Node", [node("w-1")], { continue: "a/b=" }),
      [second]: [status(410, "The provided continue parameter is too old"), list("Node", [node("w-2")])],
    });
    expect((await snapshot).nodes.map(({ name }) => name)).toEqual(["w-1", "w-2"]);
  });

  it("is incomplete when that happens again", async () => {
    const { server, snapshot } = await read({
      [first]: list("Node", [node("w-1")], { continue: "a/b=" }),
      [second]: status(410, "The provided continue parameter is too old"),
    });
    await expect(snapshot).rejects.toMatchObject({
      code: "incomplete",
      message:
        `API server ${server.url} (context test) gave an incomplete list of nodes, twice: its next page had ` +
        "expired (410). Run it again",
    });
  });

  it("fails as a whole when the server dies between two pages", async () => {
    const { server, snapshot } = await read({
      [first]: list("Node", [node("w-1")], { continue: "a/b=" }),
      [second]: (response) => response.socket?.destroy(),
    });
    await expect(snapshot).rejects.toMatchObject({
      code: "disconnected",
      message:
        `API server ${server.url} (context test) broke off GET ${second} (ECONNRESET). Run it again; if it stays ` +
        "so, look at the API server's log",
    });
  });

  it("fails as a whole when the server dies in the middle of a page", async () => {
    const { snapshot } = await read({
      [first]: (response) => {
        response.writeHead(200, { "Content-Length": "1000" }).write('{"kind":"NodeList","items":[]');
        response.socket?.end();
      },
    });
    await expect(snapshot).rejects.toMatchObject({ code: "disconnected" });
  });
});

describe("pods", () => {
  const first = "/api/v1/pods?limit=2500";

  it("are not read further once there are more than capacityPodLimit", async () => {
    const { server, snapshot } = await read(
      { [first]: list("Pod", [pod("a"), pod("b")], { continue: "next", remainingItemCount: 1 }) },
      { capacityPodLimit: 2 },
    );
    expect(await snapshot).toMatchObject({
      pods: [],
      unread: { pods: "there are more than 2 of them, the capacityPodLimit" },
    });
    expect(server.requests.filter((path) => path.startsWith("/api/v1/pods"))).toEqual([first]);
  });

  it("of one shape share their claims", async () => {
    const { snapshot } = await read({ [first]: list("Pod", [pod("a"), pod("b")]) });
    const { pods } = await snapshot;
    expect(pods).toHaveLength(2);
    expect(pods[0]?.claims).toBe(pods[1]?.claims);
  });
});
