/** JSON from the API server: each request within its own time, all of them before a deadline. */
import http from "node:http";
import https from "node:https";
import { pipeline } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { createGunzip } from "node:zlib";
import { type Access, accessTo } from "./credentials.ts";
import type { Deadline } from "./deadline.ts";
import { connectionError, type Endpoint, malformedError, responseError, timeoutError } from "./http-errors.ts";
import { type ClusterConfig, chooseCluster, withoutCredentials } from "./kubeconfig.ts";

export interface ConnectOptions {
  /** For one request, its answer included, its wait for a free connection not. */
  requestTimeoutSeconds: number;
  deadline: Deadline;
}

interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

/**
 * Finds the cluster and the credentials for it. Nothing is asked of the server yet.
 *
 * @throws ReadError (`kubeconfig`, `credentials`).
 */
export async function connect(config: ClusterConfig, options: ConnectOptions): Promise<Client> {
  const chosen = chooseCluster(config);
  const access = await accessTo(chosen, options.deadline);
  return new Client(chosen.cluster.server, chosen.context, access, options);
}

export class Client {
  readonly endpoint: Endpoint;
  private readonly server: string;
  private readonly access: Access;
  private readonly options: ConnectOptions;

  constructor(server: string, context: string, access: Access, options: ConnectOptions) {
    this.server = server;
    this.endpoint = { server: withoutCredentials(server), context };
    this.access = access;
    this.options = options;
  }

  /**
   * The JSON object at a path, query included.
   *
   * @throws ReadError for anything else, or the error of the deadline.
   */
  async getJson(path: string): Promise<Record<string, unknown>> {
    const { status, body } = await this.getPatiently(path);
    if (status !== 200) throw responseError(this.endpoint, `GET ${path}`, status, body);
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch (error) {
      throw malformedError(this.endpoint, `GET ${path}`, `what is no JSON (${(error as Error).message})`);
    }
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    throw malformedError(this.endpoint, `GET ${path}`, "JSON that is no object");
  }

  /** Closes all connections, so that they do not keep the process alive. */
  close(): void {
    this.access.agent.destroy();
  }

  /** Makes a request again that the server puts off (429), when it says, as long as that is before the deadline. */
  private async getPatiently(path: string): Promise<Answer> {
    const { deadline } = this.options;
    for (;;) {
      const answer = await this.get(path);
      // Retry-After may be a date too; no API server sends one.
      const seconds = Number(answer.headers["retry-after"] ?? 1) || 1;
      if (answer.status !== 429 || seconds >= deadline.remainingSeconds) return answer;
      await delay(seconds * 1000, undefined, { signal: deadline.signal }).catch(() => deadline.signal.throwIfAborted());
    }
  }

  private get(path: string): Promise<Answer> {
    const { requestTimeoutSeconds, deadline } = this.options;
    const { headers, auth, agent } = this.access;
    const url = new URL(`${this.server}${path}`);
    const send = url.protocol === "http:" ? http.request : https.request;
    return new Promise((resolve, reject) => {
      const request = send(url, {
        agent,
        headers: { ...headers, Accept: "application/json", "Accept-Encoding": "gzip", "User-Agent": "cluster-scale" },
        ...(auth === undefined ? {} : { auth }),
      });
      let timer: NodeJS.Timeout | undefined;
      const settle = () => {
        clearTimeout(timer);
        deadline.signal.removeEventListener("abort", abort);
      };
      const fail = (error: Error) => {
        settle();
        reject(error);
        request.destroy();
      };
      const abort = () => fail(deadline.signal.reason);
      const broken = (error: Error) => fail(connectionError(this.endpoint, `GET ${path}`, error));
      const late = () => fail(timeoutError(this.endpoint, `GET ${path}`, requestTimeoutSeconds));
      deadline.signal.addEventListener("abort", abort);
      request.on("error", broken);
      request.once("socket", () => {
        timer = setTimeout(late, requestTimeoutSeconds * 1000);
      });
      request.once("response", (response) => {
        readBody(response).then((body) => {
          settle();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
        }, broken);
      });
      request.end();
      if (deadline.signal.aborted) abort();
    });
  }
}

async function readBody(response: http.IncomingMessage): Promise<string> {
  const zipped = response.headers["content-encoding"] === "gzip";
  // The loop below throws what goes wrong in either of the streams.
  const stream = zipped ? pipeline(response, createGunzip(), () => {}) : response;
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
