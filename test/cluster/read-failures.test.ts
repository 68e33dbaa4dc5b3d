/** Every way in which a cluster can fail to be read: an error in time that says what happened and what to do, no snapshot. */

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import net from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import tls from "node:tls";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { readSnapshot } from "../../src/cluster/read.ts";
import type { Snapshot } from "../../src/cluster/snapshot.ts";
import { parseSettings } from "../../src/config/settings.ts";
import { type Answer, apiServer, kubeconfig, list, listen, status } from "./support/api-server.ts";

const settings = (more: object = {}) =>
  parseSettings({ workloads: [{ namespace: "shop", name: "web", max: 3 }], ...more });

async function read(answers: Record<string, Answer | Answer[]>, more?: object) {
  const server = await apiServer(answers);
  return {
    ...server,
    title: `API server ${server.url} (context test)`,
    snapshot: readFrom(server.kubeconfig, more),
  };
}

function readFrom(kubeconfig: string, more?: object): Promise<Snapshot> {
  const snapshot = readSnapshot({ kubeconfig }, settings(more));
  // Asserted by the test; until then it must not count as unhandled.
  snapshot.catch(() => undefined);
  return snapshot;
}

/** Sends an answer in pieces, 0.1 s apart. */
async function trickle(response: ServerResponse, text: string, { pieces }: { pieces: number }): Promise<void> {
  const size = Math.ceil(text.length / pieces);
  for (let at = 0; at < text.length; at += size) {
    response.write(text.slice(at, at + size));
    await delay(100);
  }
  response.end();
}

describe("no connection", () => {
  it("refused: nothing listens", async () => {
    const server = net.createServer();
    const url = `https://127.0.0.1:${await listen(server)}`;
    await new Promise((resolve) => server.close(resolve));
    await expect(readFrom(kubeconfig({ server: url }))).rejects.toMatchObject({
      code: "refused",
      message:
        `API server ${url} (context test) refused the connection: nothing listens there. Start the cluster, or ` +
        "choose another context",
    });
  });

  it("dns: the name does not exist", async () => {
    const url = "https://no-such-host.invalid:6443";
    const error = await readFrom(kubeconfig({ server: url })).catch((thrown) => thrown);
    expect(error.code).toBe("dns");
    expect(error.message.replace(/EAI_AGAIN|ENOTFOUND/, "CODE")).toBe(
      `API server ${url} (context test) has a host name that can't be resolved (CODE). Check the network (VPN), or ` +
        "choose another context",
    );
  });

  it("timeout: accepts and never answers", async () => {
    const url = `https://127.0.0.1:${await listen(net.createServer())}`;
    const error = await readFrom(kubeconfig({ server: url }), { requestTimeoutSeconds: 0.1 }).catch((thrown) => thrown);
    expect(error.code).toBe("timeout");
    expect(error.message.replace(/GET \S+/, "GET …")).toBe(
      `API server ${url} (context test) did not answer GET … within 0.1 s (requestTimeoutSeconds). Check that it is ` +
        "alive and reachable from here (VPN, firewall), or raise the timeout",
    );
  });

  it("timeout: a TLS handshake, then silence", async () => {
    const pem = (file: string) => readFileSync(new URL(`../fixtures/tls/server.${file}`, import.meta.url));
    const url = `https://127.0.0.1:${await listen(tls.createServer({ cert: pem("crt"), key: pem("key") }))}`;
    await expect(readFrom(kubeconfig({ server: url }), { requestTimeoutSeconds: 0.1 })).rejects.toMatchObject({
      code: "timeout",
      message: expect.stringContaining("within 0.1 s (requestTimeoutSeconds)"),
    });
  });

  it("no timeout: an answer that keeps coming, however long it takes", async () => {
    const { snapshot } = await read(
      { "/api/v1/nodes": (response) => void trickle(response, JSON.stringify(list("Node", [])), { pieces: 8 }) },
      { requestTimeoutSeconds: 0.5 },
    );
    expect((await snapshot).nodes).toEqual([]);
  });

  it("timeout: an answer that stops coming", async () => {
    const { snapshot, title } = await read(
      { "/api/v1/nodes": (response) => response.write('{"kind":"NodeList","items":[') },
      { requestTimeoutSeconds: 0.2 },
    );
    await expect(snapshot).rejects.toMatchObject({
      code: "timeout",
      message: expect.stringContaining(`${title} did not answer GET /api/v1/nodes?limit=2500 within 0.2 s`),
    });
  });

  it("timeout: each request in time, all of them too late", async () => {
    const { snapshot, title } = await read(
      {
        "/api/v1/pods": (response) =>
          setTimeout(() => response.end(JSON.stringify(list("Pod", [], { continue: "x" }))), 30),
      },
      { requestTimeoutSeconds: 0.8, readTimeoutSeconds: 0.8 },
    );
    await expect(snapshot).rejects.toMatchObject({
      code: "timeout",
      message:
        `Reading ${title} took longer than 0.8 s (readTimeoutSeconds); still missing: pods. Raise the ` +
        "timeout, or look at why it is slow",
    });
  });

  it("tls: a certificate that the kubeconfig does not know", async () => {
    const { url } = await apiServer();
    const stranger = kubeconfig({ server: url, cluster: { "certificate-authority-data": undefined } });
    await expect(readFrom(stranger)).rejects.toMatchObject({
      code: "tls",
      message:
        `API server ${url} (context test) shows a certificate that can't be trusted: self-signed certificate. Check ` +
        "certificate-authority and tls-server-name of the cluster in the kubeconfig",
    });
  });

  it("tls: the certificate is for another name", async () => {
    const { url } = await apiServer();
    const renamed = kubeconfig({ server: url, cluster: { "tls-server-name": "elsewhere" } });
    await expect(readFrom(renamed)).rejects.toMatchObject({
      code: "tls",
      message: expect.stringContaining("Host: elsewhere. is not in the cert's altnames"),
    });
  });

  it("tls: no TLS at all", async () => {
    const url = `https://127.0.0.1:${await listen(net.createServer((socket) => socket.end("HTTP/1.1 400 Bad\r\n\r\n")))}`;
    await expect(readFrom(kubeconfig({ server: url }))).rejects.toMatchObject({
      code: "tls",
      message: expect.stringContaining("Check that the address and port are those of an API server"),
    });
  });
});

describe("an answer that is no list", () => {
  const nodes = "/api/v1/nodes";

  it("malformed: no HTTP", async () => {
    const pem = (file: string) => readFileSync(new URL(`../fixtures/tls/server.${file}`, import.meta.url));
    const server = tls.createServer({ cert: pem("crt"), key: pem("key") }, (socket) =>
      socket.end("220 smtp ready\r\n"),
    );
    const url = `https://127.0.0.1:${await listen(server)}`;
    const error = await readFrom(kubeconfig({ server: url })).catch((thrown) => thrown);
    expect(error.code).toBe("malformed");
    expect(error.message.replace(/GET \S+/, "GET …")).toBe(
      `API server ${url} (context test) answered GET … with what is no HTTP. Check that the address is that of an API server`,
    );
  });

  it("unauthorized: 401", async () => {
    const { snapshot, title } = await read({ [nodes]: status(401, "Unauthorized") });
    await expect(snapshot).rejects.toMatchObject({
      code: "unauthorized",
      message: `${title} does not accept the credentials (401 Unauthorized): Unauthorized. Log in again, or choose another context`,
    });
  });

  it("server-error: 500", async () => {
    const { snapshot, title } = await read({ [nodes]: status(500, "etcdserver: no leader") });
    await expect(snapshot).rejects.toMatchObject({
      code: "server-error",
      message:
        `${title} failed on GET /api/v1/nodes?limit=2500 (500): etcdserver: no leader. Run it again; if it stays so, look ` +
        "at the API server's log",
    });
  });

  it("malformed: no JSON", async () => {
    const { snapshot, title } = await read({ [nodes]: [200, '{"kind": "NodeList", "items": ['] });
    await expect(snapshot).rejects.toMatchObject({
      code: "malformed",
      message:
        `${title} answered GET /api/v1/nodes?limit=2500 with what is no JSON (Unexpected end of JSON input). Check that ` +
        "the address is that of an API server",
    });
  });

  it("malformed: JSON that is no list", async () => {
    const { snapshot, title } = await read({ [nodes]: { hello: "world" } });
    await expect(snapshot).rejects.toMatchObject({
      code: "malformed",
      message: `${title} answered GET /api/v1/nodes with what is no list. Check that the address is that of an API server`,
    });
  });

  it("malformed: a proxy's page", async () => {
    const { snapshot, title } = await read({ [nodes]: [302, "<html>\n  Log in </html>"] });
    await expect(snapshot).rejects.toMatchObject({
      code: "malformed",
      message:
        `${title} answered GET /api/v1/nodes?limit=2500 with 302: <html> Log in </html>. Check that the address is that ` +
        "of an API server",
    });
  });

  it("malformed: an object with a wrong field, named with its path", async () => {
    const wrong = { metadata: { name: "w-1" }, status: { allocatable: { cpu: "1,5" } } };
    const { snapshot } = await read({ [nodes]: list("Node", [wrong]) });
    await expect(snapshot).rejects.toMatchObject({
      code: "malformed",
      message: 'Node w-1: status.allocatable.cpu must be a quantity such as 250m, 2 or 1.5Gi, not "1,5"',
    });
  });
});

describe("throttled: 429", () => {
  const nodes = "/api/v1/nodes";
  const later = (seconds: string): Answer => [429, "Too many requests", { "Retry-After": seconds }];

  it("asks again when the server says", async () => {
    const { snapshot } = await read({ [nodes]: [later("0.05"), list("Node", [{ metadata: { name: "w-1" } }])] });
    expect((await snapshot).nodes).toHaveLength(1);
  });

  it("does not wait for what comes after the deadline", async () => {
    const { snapshot, title } = await read({ [nodes]: later("60") });
    await expect(snapshot).rejects.toMatchObject({
      code: "throttled",
      message: `${title} is overloaded and put off GET /api/v1/nodes?limit=2500 (429): Too many requests. Run it again later`,
    });
  });
});

describe("forbidden: 403", () => {
  it("of a kind that guards safety is an error with verb, resource and namespace", async () => {
    const path = "/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers";
    const { snapshot, title } = await read({ [path]: status(403, "hpas are forbidden") });
    await expect(snapshot).rejects.toMatchObject({
      code: "forbidden",
      message:
        `${title} forbids GET ${path}?limit=2500 (403 Forbidden): hpas are forbidden. Without it no plan is safe (a count ` +
        "that an autoscaler owns is left to it): grant list on horizontalpodautoscalers.autoscaling in namespace shop, " +
        "as in the role of the README",
    });
  });

  it("of any other kind is noted", async () => {
    const { snapshot } = await read({
      "/api/v1/pods": status(403, "no"),
      "/api/v1/namespaces/shop/resourcequotas": status(403, "no"),
    });
    expect((await snapshot).unread).toEqual({
      pods: "forbidden: grant list on pods",
      resourcequotas: "forbidden: grant list on resourcequotas in namespace shop",
    });
  });
});

describe("custom resources", () => {
  const scaledObjects = "/apis/keda.sh/v1alpha1/namespaces/shop/scaledobjects";
  const item = { metadata: { namespace: "shop", name: "web" }, spec: { scaleTargetRef: { name: "web" } } };

  it("are none where the cluster does not have the kind", async () => {
    const { snapshot } = await read({});
    expect(await snapshot).toMatchObject({ scaledObjects: [], rollouts: [], applications: [], unread: {} });
  });

  it("are read in the order in which the API server writes them, kind and metadata behind the items", async () => {
    const ordered = (items: object[], metadata: object) => ({
      apiVersion: "keda.sh/v1alpha1",
      items,
      kind: "ScaledObjectList",
      metadata,
    });
    const other = { ...item, metadata: { namespace: "shop", name: "api" } };
    const { snapshot } = await read({
      [scaledObjects]: [ordered([item], { continue: "more" }), ordered([other], {})],
    });
    expect((await snapshot).scaledObjects.map(({ name }) => name)).toEqual(["web", "api"]);
  });

  it("are none where they are forbidden because nobody installed them", async () => {
    const { snapshot } = await read({ [scaledObjects]: status(403, "no") });
    expect((await snapshot).scaledObjects).toEqual([]);
  });

  it("that are forbidden and exist are an error", async () => {
    const { snapshot } = await read({
      [scaledObjects]: status(403, "no"),
      "/apis/keda.sh": { versions: [{ version: "v1alpha1" }] },
      "/apis/keda.sh/v1alpha1": { resources: [{ name: "scaledobjects" }] },
    });
    await expect(snapshot).rejects.toMatchObject({
      code: "forbidden",
      message: expect.stringContaining("grant list on scaledobjects.keda.sh in namespace shop"),
    });
  });

  it("are read in the version that the cluster serves", async () => {
    const { snapshot } = await read({
      "/apis/keda.sh": { versions: [{ version: "v1" }] },
      "/apis/keda.sh/v1": { resources: [{ name: "scaledobjects" }] },
      "/apis/keda.sh/v1/namespaces/shop/scaledobjects": list("ScaledObject", [item]),
    });
    expect((await snapshot).scaledObjects).toHaveLength(1);
  });
});

describe("after a failure", () => {
  it("the other requests end at once", async () => {
    const silent = Promise.withResolvers<void>();
    const { snapshot } = await read({
      "/api/v1/pods": () => silent.resolve(),
      "/api/v1/nodes": (response) => void silent.promise.then(() => response.writeHead(401).end()),
    });
    await silent.promise;
    const started = performance.now();
    await expect(snapshot).rejects.toMatchObject({ code: "unauthorized" });
    expect(performance.now() - started).toBeLessThan(settings().requestTimeoutSeconds * 1000);
  });

  /** Reads in a process of its own, which has to end by itself, and prints the error's code. */
  async function readInProcess(config: string, timeouts: object): Promise<string> {
    const module = (file: string) => JSON.stringify(new URL(`../../src/${file}`, import.meta.url).href);
    const script = `
      import { readSnapshot } from ${module("cluster/read.ts")};
      import { parseSettings } from ${module("config/settings.ts")};
      const settings = parseSettings(${JSON.stringify({ workloads: [], ...timeouts })});
      await readSnapshot({ kubeconfig: ${JSON.stringify(config)} }, settings).catch(({ code }) => console.log(code));
    `;
    const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { timeout: 20_000 });
    return (await run).stdout;
  }

  it("no connection keeps the process alive", async () => {
    const server = `https://127.0.0.1:${await listen(net.createServer())}`;
    const timeouts = { requestTimeoutSeconds: 0.1, readTimeoutSeconds: 600 };
    expect(await readInProcess(kubeconfig({ server }), timeouts)).toBe("timeout\n");
  });

  it("no request that was put off keeps the process alive", async () => {
    const putOff = Promise.withResolvers<void>();
    const { kubeconfig } = await apiServer({
      "/api/v1/pods": (response) => void response.writeHead(429, { "Retry-After": "60" }).end("", putOff.resolve),
      "/api/v1/nodes": (response) => void putOff.promise.then(() => response.writeHead(401).end()),
    });
    expect(await readInProcess(kubeconfig, { readTimeoutSeconds: 600 })).toBe("unauthorized\n");
  });

  it("no exec plugin keeps the process alive, nor what it started", async () => {
    const script = `require("node:child_process").spawn("sleep", ["30"], { stdio: "inherit" }); setInterval(() => {}, 1000)`;
    const user = { exec: { command: process.execPath, args: ["-e", script] } };
    const config = kubeconfig({ server: "https://127.0.0.1:1", user });
    expect(await readInProcess(config, { readTimeoutSeconds: 2 })).toBe("timeout\n");
  });
});
