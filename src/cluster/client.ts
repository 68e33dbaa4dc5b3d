/** Requests to the API server: each within its own time, all of them before a deadline. */
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import https from "node:https";
import { pipeline } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { createGunzip } from "node:zlib";
import { type Access, accessTo, isOnLoopback } from "./credentials.ts";
import { Deadline } from "./deadline.ts";
import { ReadError } from "./errors.ts";
import { http } from "./http.ts";
import { connectionError, type Endpoint, malformedError, responseError, timeoutError } from "./http-errors.ts";
import { type ClusterConfig, chooseCluster, withoutCredentials } from "./kubeconfig.ts";
import { ListSplitter } from "./list-splitter.ts";

export interface ConnectOptions {
  /** How long the server may leave a request without a byte of its answer; the wait for a free connection does not count. */
  requestTimeoutSeconds: number;
  deadline: Deadline;
}

export interface ApiRequest {
  /** GET unless said. */
  method?: "GET" | "POST" | "PATCH";
  /** Of the API, query included. */
  path: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Of the body; JSON if not said. */
  contentType?: string;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Takes the body of a success piece by piece. What it throws ends the request. */
type TakeChunk = (chunk: Buffer) => void;

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

export interface Limits {
  /** As of `ConnectOptions`. */
  requestTimeoutSeconds: number;
  /** For all that is asked: after that everything fails. */
  timeoutSeconds: number;
}

/**
 * Opens a connection to the cluster for as long as `use` runs.
 *
 * @param late what took too long, as in "the rollouts were read", where it did.
 * @throws ReadError if there is no way to the cluster; the requests of `use` throw it too.
 */
export async function connected<Result>(
  config: ClusterConfig,
  { requestTimeoutSeconds, timeoutSeconds }: Limits,
  late: string,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const deadline = new Deadline(
    timeoutSeconds,
    () => new ReadError("timeout", `${late} for longer than ${timeoutSeconds} s`),
  );
  const client = await connect(config, { requestTimeoutSeconds, deadline });
  try {
    return await use(client);
  } finally {
    deadline.end(new Error("nothing more is asked"));
    client.close();
  }
}

/** @throws ReadError where a text that answers `request` is no JSON. */
export function jsonIn(endpoint: Endpoint, request: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformedError(endpoint, request, `what is no JSON (${(error as Error).message})`);
  }
}

export class Client {
  readonly endpoint: Endpoint;
  private readonly server: string;
  private readonly access: Access;
  private readonly options: ConnectOptions;
  private firstAnswer: Date | undefined;

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
    return this.objectIn(path, body);
  }

  /**
   * The list at a path, query included, without its objects: each of them goes to `onItem` as it comes. What stands in front
   * of them, mostly all the rest, goes to `onHead` before.
   *
   * @throws ReadError for anything else, the error of the deadline, or what `onItem` and `onHead` throw.
   */
  async getList(
    path: string,
    { onItem, onHead }: { onItem: (item: unknown) => void; onHead: (head: Record<string, unknown>) => void },
  ): Promise<Record<string, unknown>> {
    const splitter = new ListSplitter(
      (text) => onItem(jsonIn(this.endpoint, `GET ${path}`, text)),
      (head) => onHead(this.objectIn(path, `${head}]}`)),
    );
    const { status, body } = await this.getPatiently(path, (chunk) => splitter.push(chunk));
    if (status !== 200) throw responseError(this.endpoint, `GET ${path}`, status, body);
    return this.objectIn(path, splitter.end());
  }

  /**
   * The time of the first answer by the server's clock. It set the times of nodes and of metrics, or a clock did that goes with it;
   * that of this machine may be wrong, and serves only where the server doesn't tell.
   */
  get time(): Date {
    return this.firstAnswer ?? new Date();
  }

  /** Closes all connections, so that they do not keep the process alive. */
  close(): void {
    this.access.agent.destroy();
  }

  /** Sends one request, and gives whatever is answered. */
  send(request: ApiRequest): Promise<Answer> {
    return this.exchange(request);
  }

  private objectIn(path: string, text: string): Record<string, unknown> {
    const value = jsonIn(this.endpoint, `GET ${path}`, text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    throw malformedError(this.endpoint, `GET ${path}`, "JSON that is no object");
  }

  /** Makes a request again that the server puts off (429), when it says, as long as that is before the deadline. */
  private async getPatiently(path: string, take?: TakeChunk): Promise<Answer> {
    const { deadline } = this.options;
    for (;;) {
      const answer = await this.exchange({ path }, take);
      // Retry-After may be a date too; no API server sends one.
      const seconds = Number(answer.headers["retry-after"] ?? 1) || 1;
      if (answer.status !== 429 || seconds >= deadline.remainingSeconds) return answer;
      await delay(seconds * 1000, undefined, { signal: deadline.signal }).catch(() => deadline.signal.throwIfAborted());
    }
  }

  /** @param take gets the body of a success; without it, and of any other answer, the body is in the answer. */
  private exchange({ method = "GET", path, body, contentType }: ApiRequest, take?: TakeChunk): Promise<Answer> {
    const { requestTimeoutSeconds, deadline } = this.options;
    const { headers, auth, agent } = this.access;
    const url = new URL(`${this.server}${path}`);
    const send = url.protocol === "http:" ? http.request : https.request;
    const payload = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const request = send(url, {
        method,
        agent,
        headers: {
          ...headers,
          Accept: "application/json",
          "Accept-Encoding": isOnLoopback(this.server) ? "identity" : "gzip",
          "User-Agent": "cluster-scale",
          ...(payload === undefined ? {} : payloadHeaders(payload, contentType)),
        },
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
      const broken = (error: Error) => fail(connectionError(this.endpoint, `${method} ${path}`, error));
      const late = () => fail(timeoutError(this.endpoint, `${method} ${path}`, requestTimeoutSeconds));
      deadline.signal.addEventListener("abort", abort);
      request.on("error", broken);
      request.once("socket", () => {
        timer = setTimeout(late, requestTimeoutSeconds * 1000);
      });
      request.once("response", (response) => {
        this.firstAnswer ??= dateOf(response);
        const chunks: Buffer[] = [];
        const keep = (chunk: Buffer) => void chunks.push(chunk);
        const consume = response.statusCode === 200 ? (take ?? keep) : keep;
        const alive = (chunk: Buffer) => {
          timer?.refresh();
          consume(chunk);
        };
        readBody(response, alive, fail).then(() => {
          settle();
          const text = Buffer.concat(chunks).toString("utf8");
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
        }, broken);
      });
      request.end(payload);
      if (deadline.signal.aborted) abort();
    });
  }
}

/** By the header Date, which is of whole seconds (RFC 9110). */
function dateOf({ headers: { date = "" } }: IncomingMessage): Date | undefined {
  return Number.isNaN(Date.parse(date)) ? undefined : new Date(date);
}

function payloadHeaders(payload: string, contentType = "application/json"): OutgoingHttpHeaders {
  return { "Content-Type": contentType, "Content-Length": Buffer.byteLength(payload) };
}

/**
 * Reads a body to its end. Rejects where it breaks off.
 *
 * @param refuse called with what `take` throws.
 */
async function readBody(response: IncomingMessage, take: TakeChunk, refuse: (error: Error) => void) {
  const zipped = response.headers["content-encoding"] === "gzip";
  // The loop below throws what goes wrong in either of the streams.
  const stream = zipped ? pipeline(response, createGunzip(), () => {}) : response;
  for await (const chunk of stream) {
    try {
      take(chunk as Buffer);
    } catch (error) {
      refuse(error as Error);
      throw error;
    }
  }
}
