/**
 * A cluster that can't be read, or only in part: no plan, no operation, the state byte for byte as it was, and a message that
 * says what happened and what to do.
 */
import { readFile, writeFile } from "node:fs/promises";
import net, { type AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Cluster } from "../../bench/cluster/cluster.ts";
import { addNodes } from "../../bench/cluster/nodes.ts";
import { startCluster } from "../../bench/cluster/start.ts";
import { startProxy } from "../../bench/proxy.ts";
import { TestStack } from "./support/stack.ts";
import { createWorkloads, deployment, entry, liveReplicas } from "./support/workloads.ts";

const SECONDS = 30;

let cluster: Cluster;
let kubeconfig: string;
let stack: TestStack;

beforeAll(async () => {
  cluster = await startCluster();
  kubeconfig = cluster.kubeconfig;
  await addNodes(
    cluster,
    ["worker-1", "worker-2", "worker-3"].map((name) => ({ name })),
  );
  await createWorkloads(cluster.api, [deployment("gitea")]);
  stack = await TestStack.create({ kubeconfig, config });
  const up = await stack.up();
  expect(up.code, up.output).toBe(0);
  // Something to do, so that an operation would be planned if anything were.
  await cluster.api.patch("/apis/apps/v1/namespaces/dev/deployments/gitea", { spec: { replicas: 2 } });
});

afterAll(async () => {
  await stack?.remove();
  await cluster?.stop();
});

const config = { workloads: [entry("gitea")] };

/** The admin's kubeconfig with another server. */
async function towards(server: string): Promise<string> {
  const file = path.join(cluster.dir, "elsewhere.kubeconfig");
  await writeFile(file, (await readFile(kubeconfig, "utf8")).replaceAll(cluster.server, server), { mode: 0o600 });
  return file;
}

/** A loopback server that handles raw connections in its own way; gives its URL. */
async function rawServer(onConnection: (socket: net.Socket) => void): Promise<{ url: string; close(): void }> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** Each fault: sets it up, gives the environment in which the stack then runs, and how it is taken away. */
const faults: [
  name: string,
  message: RegExp,
  inject: () => Promise<{ env: Record<string, string>; close(): unknown }>,
][] = [
  [
    "connection refused",
    /refused/i,
    async () => {
      const server = await rawServer(() => undefined);
      server.close();
      return { env: { KUBECONFIG: await towards(server.url) }, close: () => undefined };
    },
  ],
  [
    "a server that accepts and never answers",
    /answer|timed? ?out|within/i,
    async () => {
      const server = await rawServer(() => undefined);
      return { env: { KUBECONFIG: await towards(server.url) }, close: server.close };
    },
  ],
  [
    "a TLS handshake, then silence",
    /answer|timed? ?out|within/i,
    async () => {
      // Passes on what the API server says, but of the client only its hello: enough for the client to believe in the connection.
      const server = await rawServer((socket) => {
        const upstream = net.connect(Number(new URL(cluster.server).port), "127.0.0.1");
        upstream.on("error", () => undefined);
        socket.once("data", (hello) => upstream.write(hello));
        socket.on("close", () => upstream.destroy());
        upstream.pipe(socket, { end: false });
      });
      return { env: { KUBECONFIG: await towards(server.url) }, close: server.close };
    },
  ],
  [
    "a connection that dies between two pages of the list",
    /nodes/,
    async () => {
      const proxy = await startProxy(cluster, (request) => {
        const url = new URL(request.url ?? "/", cluster.server);
        if (url.pathname === "/api/v1/nodes") {
          if (url.searchParams.has("continue")) {
            request.socket.destroy();
            return undefined;
          }
          url.searchParams.set("limit", "2");
        }
        return `${url.pathname}${url.search}`;
      });
      return { env: { KUBECONFIG: proxy.kubeconfig }, close: proxy.close };
    },
  ],
  [
    "401",
    /401|unauthorized/i,
    async () => ({
      env: { KUBECONFIG: cluster.writeKubeconfig("nobody", "no-such-token") },
      close: () => undefined,
    }),
  ],
  [
    "403",
    /forbidden/i,
    async () => {
      const { status } = await cluster.api.post("/api/v1/namespaces/default/serviceaccounts/default/token", {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        spec: {},
      });
      return { env: { KUBECONFIG: cluster.writeKubeconfig("powerless", status.token) }, close: () => undefined };
    },
  ],
  [
    "no kubeconfig",
    /no kubeconfig/i,
    async () => ({ env: { KUBECONFIG: "", HOME: path.join(cluster.dir, "empty-home") }, close: () => undefined }),
  ],
];

describe.each(faults)("%s", (_name, message, inject) => {
  it.each(["preview", "upAfterPreview"] as const)(
    "%s: our error, no operation, the state untouched",
    async (command) => {
      const { env, close } = await inject();
      const before = await stack.stateFiles();
      const result = await stack.with({ PULUMI_RUN_PROGRAM: "true", ...env })[command]();
      await close();

      expect(result.code).not.toBe(0);
      expect(result.seconds).toBeLessThan(SECONDS);
      expect(result.output).toMatch(message);
      expect(result.output).not.toMatch(/DELETE_UNREACHABLE|\n\s+at .*\(/);
      expect(result.steps).toEqual({});
      expect(await stack.stateFiles()).toEqual(before);
      expect(await liveReplicas(cluster.api)).toEqual({ gitea: 2 });
    },
  );

  it("plain preview and up, with no variable set: an error, no operation, the state untouched", async () => {
    const { env, close } = await inject();
    const before = await stack.stateFiles();
    const results = [await stack.with(env).preview(), await stack.with(env).upAfterPreview()];
    await close();

    for (const { code, seconds } of results) {
      expect(code).not.toBe(0);
      expect(seconds).toBeLessThan(SECONDS);
    }
    expect(await stack.stateFiles()).toEqual(before);
    expect(await liveReplicas(cluster.api)).toEqual({ gitea: 2 });
  });
});

it("an unknown context: names those that there are", async () => {
  const before = await stack.stateFiles();
  await stack.setConfig(config, { "kubernetes:context": "nowhere" });
  const result = await stack.with({ PULUMI_RUN_PROGRAM: "true" }).upAfterPreview();
  await stack.setConfig(config);

  expect(result.code).not.toBe(0);
  expect(result.output).toMatch(/nowhere.*admin/s);
  expect(await stack.stateFiles()).toEqual(before);
});

it("the next run, with the cluster back, mends what was to be done", async () => {
  const up = await stack.up();
  expect(up.code, up.output).toBe(0);
  expect(await liveReplicas(cluster.api)).toEqual({ gitea: 3 });
});
