import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { connect } from "../../src/cluster/client.ts";
import { Deadline } from "../../src/cluster/deadline.ts";
import { apiServer, kubeconfig, listen } from "./support/api-server.ts";

/** Asks a server for `/version` by a kubeconfig. */
async function ask(config: string, { seconds = 10 } = {}): Promise<unknown> {
  const deadline = new Deadline(seconds, () => new Error("the deadline"));
  const client = await connect({ kubeconfig: config }, { requestTimeoutSeconds: seconds, deadline });
  try {
    return await client.getJson("/version");
  } finally {
    client.close();
  }
}

/** What the server sees of someone's credentials. */
async function seenOf(user: object) {
  const server = await apiServer();
  await ask(kubeconfig({ server: server.url, user }));
  return server.headers;
}

function temporaryFile(text: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), "credentials-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "file");
  writeFileSync(file, text);
  return file;
}

/** An exec plugin that runs JavaScript. */
function plugin(script: string, more: object = {}): object {
  return {
    exec: { apiVersion: "client.authentication.k8s.io/v1", command: process.execPath, args: ["-e", script], ...more },
  };
}

async function problemOf(config: Parameters<typeof kubeconfig>[0], options?: { seconds: number }): Promise<string> {
  const thrown = await ask(kubeconfig(config), options).catch((error: Error) => error);
  return String(thrown);
}

describe("credentials", () => {
  it("a token", async () => {
    expect((await seenOf({ token: "t" })).authorization).toBe("Bearer t");
  });

  it("a file with a token, that ends with a newline", async () => {
    expect((await seenOf({ tokenFile: temporaryFile("t\n") })).authorization).toBe("Bearer t");
  });

  it("a name and a password", async () => {
    expect((await seenOf({ username: "u", password: "p" })).authorization).toBe(`Basic ${btoa("u:p")}`);
  });

  it("a file with a token and a token: the file's, which is newer, unless there is none in it", async () => {
    const both = (tokenFile: string) => seenOf({ token: "old", tokenFile });
    expect((await both(temporaryFile("new\n"))).authorization).toBe("Bearer new");
    expect((await both(temporaryFile(""))).authorization).toBe("Bearer old");
    expect((await both("/no/token")).authorization).toBe("Bearer old");
  });

  it("someone else's, by impersonation", async () => {
    expect(await seenOf({ token: "t", as: "ci" })).toMatchObject({ "impersonate-user": "ci" });
  });

  it("someone else's with their groups, UID and extra: all that client-go sends", async () => {
    const extra = { scopes: ["view", "edit"], "acme.com/project(s)": ["x"] };
    const user = {
      token: "t",
      as: "ci",
      "as-groups": ["system:masters", "dev"],
      "as-uid": "42",
      "as-user-extra": extra,
    };
    expect(await seenOf(user)).toMatchObject({
      "impersonate-user": "ci",
      "impersonate-uid": "42",
      "impersonate-group": "system:masters, dev",
      "impersonate-extra-scopes": "view, edit",
      "impersonate-extra-acme.com%2fproject%28s%29": "x",
    });
  });

  it("a client certificate", async () => {
    const pem = (file: string) => readFileSync(new URL(`../fixtures/tls/server.${file}`, import.meta.url));
    const tls = { cert: pem("crt"), key: pem("key"), ca: pem("crt"), requestCert: true, rejectUnauthorized: true };
    const server = https.createServer(tls, (_, response) => response.end('{"ok": true}'));
    const url = `https://127.0.0.1:${await listen(server)}`;
    const data = {
      "client-certificate-data": pem("crt").toString("base64"),
      "client-key-data": pem("key").toString("base64"),
    };
    expect(await ask(kubeconfig({ server: url, user: data }))).toEqual({ ok: true });
  });

  it("none, to a kubectl proxy on loopback", async () => {
    const server = http.createServer((_, response) => response.end('{"ok": true}'));
    expect(await ask(kubeconfig({ server: `http://127.0.0.1:${await listen(server)}`, user: {} }))).toEqual({
      ok: true,
    });
  });

  /** A proxy that takes every host for this machine. */
  async function proxy(): Promise<string> {
    const server = http.createServer().on("connect", (request, socket) => {
      const upstream = net.connect(Number(new URL(`http://${request.url}`).port), "127.0.0.1");
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(upstream).pipe(socket);
    });
    return `http://127.0.0.1:${await listen(server)}`;
  }

  it("through the proxy of a kubeconfig", async () => {
    const server = await apiServer();
    await ask(kubeconfig({ server: server.url, cluster: { "proxy-url": await proxy() } }));
    expect(server.headers.authorization).toBe("Bearer secret-token");
  });

  it("through the proxy of the environment", async () => {
    vi.stubEnv("HTTPS_PROXY", await proxy());
    vi.stubEnv("NO_PROXY", "");
    onTestFinished(() => void vi.unstubAllEnvs());
    const server = await apiServer();
    const behind = server.url.replace("127.0.0.1", "cluster.invalid");
    await ask(kubeconfig({ server: behind, cluster: { "tls-server-name": "localhost" } }));
    expect(server.headers.authorization).toBe("Bearer secret-token");
  });

  it("past the proxy of the environment, to this machine", async () => {
    vi.stubEnv("HTTPS_PROXY", "http://127.0.0.1:1");
    onTestFinished(() => void vi.unstubAllEnvs());
    expect((await seenOf({ token: "t" })).authorization).toBe("Bearer t");
  });
});

describe("an exec plugin", () => {
  const printToken = `console.log(JSON.stringify({ status: { token: process.env.TOKEN ?? "t" } }))`;

  it("gives a token", async () => {
    expect((await seenOf(plugin(printToken))).authorization).toBe("Bearer t");
  });

  it("gets its environment and is told of the cluster", async () => {
    const env = [{ name: "TOKEN", value: "from-env" }];
    expect((await seenOf(plugin(printToken, { env }))).authorization).toBe("Bearer from-env");
    const printInfo = `
      const { apiVersion, spec } = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
      console.log(JSON.stringify({ status: { token: [apiVersion, spec.interactive, new URL(spec.cluster.server).hostname].join() } }))`;
    expect((await seenOf(plugin(printInfo, { provideClusterInfo: true }))).authorization).toBe(
      "Bearer client.authentication.k8s.io/v1,false,127.0.0.1",
    );
  });

  const server = "https://127.0.0.1:1";
  const title = `ReadError: Context test: the credential plugin ${process.execPath} of user tester`;

  it("that fails: its last line", async () => {
    const user = plugin(`console.error("warning\\nThe SSO session has expired\\n"); process.exit(1)`);
    expect(await problemOf({ server, user })).toBe(`${title} failed: The SSO session has expired`);
  });

  it("that fails silently", async () => {
    expect(await problemOf({ server, user: plugin("process.exit(1)") })).toBe(`${title} failed without a word`);
  });

  it("that prints something else", async () => {
    expect(await problemOf({ server, user: plugin("console.log('hello')") })).toBe(
      `${title} printed no ExecCredential`,
    );
    expect(await problemOf({ server, user: plugin("console.log('{}')") })).toBe(`${title} printed no ExecCredential`);
  });

  it("that is not installed, with its own hint", async () => {
    const user = { exec: { command: "no-such-plugin" } };
    const missing = "ReadError: Context test: the credential plugin no-such-plugin of user tester is not installed.";
    expect(await problemOf({ server, user })).toBe(`${missing} Install it, or use another context`);
    const hinted = { exec: { command: "no-such-plugin", installHint: "See example.com\n" } };
    expect(await problemOf({ server, user: hinted })).toBe(`${missing} See example.com`);
  });

  it("that never ends is given up at the deadline", async () => {
    const user = plugin("setInterval(() => {}, 1000)");
    expect(await problemOf({ server, user }, { seconds: 0.2 })).toBe("Error: the deadline");
  });
});

describe("credentials that can't be had", () => {
  const server = "https://127.0.0.1:1";
  const title = "ReadError: Context test: the credentials of user tester can't be had";

  it("a file that is missing", async () => {
    expect(await problemOf({ server, user: { tokenFile: "/no/token" } })).toBe(
      `${title}: ENOENT: no such file or directory, open '/no/token'`,
    );
    expect(await problemOf({ server, user: { "client-key": "/no/key" } })).toBe(
      `${title}: ENOENT: no such file or directory, open '/no/key'`,
    );
  });

  it("a certificate that is none", async () => {
    const data = { "client-certificate-data": "bm9uZQ==", "client-key-data": "bm9uZQ==" };
    expect(await problemOf({ server, user: data })).toContain(`${title}: `);
  });

  it("a token that no header can hold, without showing it", async () => {
    const problem = await problemOf({ server, user: { token: "se\ncret" } });
    expect(problem).toBe(`${title}: Invalid character in header content ["Authorization"]`);
  });

  it("groups of nobody, as client-go refuses them too", async () => {
    expect(await problemOf({ server, user: { token: "t", "as-groups": ["system:masters"] } })).toBe(
      "ReadError: Context test: user tester has as-uid, as-groups or as-user-extra without as. Name in as the user to impersonate, or leave them out",
    );
  });

  it.each(["gcp", "azure"])("the auth-provider %s, which kubectl dropped", async (name) => {
    expect(await problemOf({ server, user: { "auth-provider": { name } } })).toBe(
      `ReadError: Context test: user tester has the auth-provider ${name}, which kubectl dropped in 1.26. Renew the ` +
        "kubeconfig, so that it has an exec plugin (gke-gcloud-auth-plugin, kubelogin)",
    );
  });

  it.each(["http://10.0.0.1:8080", "http://me:secret@10.0.0.1:8080", "10.0.0.1:6443"])(
    "a server without TLS: %s",
    async (address) => {
      expect(await problemOf({ server: address })).toBe(
        `ReadError: Context test: its server must be an https URL, not ${address.replace("me:secret@", "")}`,
      );
    },
  );
});
