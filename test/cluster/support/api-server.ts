/** API servers for tests: real TLS on loopback, with answers of the test's own. */
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import https from "node:https";
import type net from "node:net";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

const certificate = readFileSync(new URL("../../fixtures/tls/server.crt", import.meta.url));
const key = readFileSync(new URL("../../fixtures/tls/server.key", import.meta.url));

/** An answer: a body (200), a status with a body, or what the test does itself with the response. */
export type Answer = object | [status: number, body: object | string, headers?: Record<string, string>] | Handler;
type Handler = (response: ServerResponse, request: IncomingMessage) => void;

export interface TestServer {
  url: string;
  /** The content of a kubeconfig for it. */
  kubeconfig: string;
  /** Paths that were asked for, queries included, in order. */
  requests: string[];
  /** Headers of the last request. */
  headers: IncomingMessage["headers"];
  /** Resolves once a client closed the connection that it opened last. */
  closed: Promise<void>;
  /** Of its clock, as the header Date has it; that of this machine unless a test sets it. */
  date?: string;
}

/** An API server of an empty cluster, custom resources not installed, but for the answers given by path and query. */
export async function apiServer(answers: Record<string, Answer | Answer[]> = {}): Promise<TestServer> {
  const seen: TestServer = { url: "", kubeconfig: "", requests: [], headers: {}, closed: Promise.resolve() };
  const counts = new Map<string, number>();
  const server = https.createServer({ cert: certificate, key }, (request, response) => {
    const url = request.url ?? "";
    seen.requests.push(url);
    seen.headers = request.headers;
    if (seen.date !== undefined) response.setHeader("Date", seen.date);
    const path = Object.hasOwn(answers, url) ? url : url.replace(/\?.*/, "");
    const count = counts.get(path) ?? 0;
    counts.set(path, count + 1);
    const found = Object.hasOwn(answers, path) ? answers[path] : emptyAnswer(path);
    // A sequence: its last answer goes on.
    send(response, request, isSequence(found) ? (found[count] ?? found.at(-1)) : found);
  });
  server.on("connection", (socket) => {
    seen.closed = new Promise((resolve) => socket.once("close", resolve));
  });
  seen.url = `https://127.0.0.1:${await listen(server)}`;
  seen.kubeconfig = kubeconfig({ server: seen.url });
  return seen;
}

/** Listens on a free port of loopback until the test is over. */
export async function listen(server: net.Server): Promise<number> {
  const sockets = new Set<net.Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** JSON is YAML: what is given here may hold anything. */
export function kubeconfig({
  server,
  user = { token: "secret-token" },
  cluster = {},
}: {
  server: string;
  user?: object;
  cluster?: object;
}): string {
  const ca = { "certificate-authority-data": certificate.toString("base64") };
  return JSON.stringify({
    clusters: [{ name: "test", cluster: { server, ...ca, ...cluster } }],
    users: [{ name: "tester", user }],
    contexts: [{ name: "test", context: { cluster: "test", user: "tester" } }],
    "current-context": "test",
  });
}

/** A page of a list. */
export function list(kind: string, items: object[], metadata: object = {}): object {
  return { kind: `${kind}List`, apiVersion: "v1", metadata, items };
}

/** A failure in the API's own form. */
export function status(code: number, message: string): [number, object] {
  return [code, { kind: "Status", apiVersion: "v1", status: "Failure", message, code }];
}

function emptyAnswer(path: string): Answer {
  return /^\/apis\/(keda\.sh|argoproj\.io)/.test(path) ? [404, "404 page not found"] : list("Any", []);
}

function isSequence(answer: Answer | Answer[] | undefined): answer is Answer[] {
  return Array.isArray(answer) && typeof answer[0] !== "number";
}

function send(response: ServerResponse, request: IncomingMessage, answer: Answer | undefined): void {
  if (typeof answer === "function") {
    answer(response, request);
    return;
  }
  const [code, body, headers] = Array.isArray(answer) ? answer : [200, answer ?? {}];
  response.writeHead(code, headers).end(typeof body === "string" ? body : JSON.stringify(body));
}
