/** Requests with a body, for the few commands that ask or write something themselves; plans are read by client.ts. */
import http from "node:http";
import https from "node:https";
import { text } from "node:stream/consumers";
import { accessTo } from "./credentials.ts";
import { Deadline } from "./deadline.ts";
import { ReadError } from "./errors.ts";
import { connectionError, type Endpoint, malformedError, responseError, timeoutError } from "./http-errors.ts";
import { type ClusterConfig, chooseCluster, withoutCredentials } from "./kubeconfig.ts";

export interface SendRequest {
  method: "GET" | "POST" | "PATCH";
  /** Of the API, query included. */
  path: string;
  body?: unknown;
  /** Of the body; JSON if not said. */
  contentType?: string;
}

/** The object is another than it was when it was read, or a field of it has another owner. */
export class ConflictError extends ReadError {}

/**
 * Sends one request and gives the body of its answer.
 *
 * @throws ReadError for anything but a success; a ConflictError where the answer is 409.
 */
export type Send = <Answer>(request: SendRequest) => Promise<Answer>;

/**
 * Opens a connection to the cluster for as long as `use` runs.
 *
 * @throws ReadError if there is no way to the cluster.
 */
export async function sending<Result>(
  config: ClusterConfig,
  { requestTimeoutSeconds, timeoutSeconds }: { requestTimeoutSeconds: number; timeoutSeconds: number },
  use: (send: Send) => Promise<Result>,
): Promise<Result> {
  const late = () => new ReadError("timeout", `The cluster was asked for longer than ${timeoutSeconds} s`);
  const deadline = new Deadline(timeoutSeconds, late);
  const chosen = chooseCluster(config);
  const access = await accessTo(chosen, deadline);
  const { server } = chosen.cluster;
  const endpoint = { server: withoutCredentials(server), context: chosen.context };
  try {
    return await use(async <Answer>(request: SendRequest) => {
      const what = `${request.method} ${request.path}`;
      const timeout = AbortSignal.timeout(requestTimeoutSeconds * 1000);
      const answer = await respond(new URL(`${server}${request.path}`), request, {
        ...access,
        signal: AbortSignal.any([timeout, deadline.signal]),
      }).catch((error: Error) => {
        deadline.signal.throwIfAborted();
        if (timeout.aborted) throw timeoutError(endpoint, what, requestTimeoutSeconds);
        throw connectionError(endpoint, what, error);
      });
      return bodyOf<Answer>(endpoint, what, answer);
    });
  } finally {
    deadline.end(new Error("nothing more is asked"));
    access.agent.destroy();
  }
}

interface Answer {
  status: number;
  body: string;
}

async function respond(url: URL, { method, body, contentType }: SendRequest, options: https.RequestOptions) {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const send = url.protocol === "http:" ? http.request : https.request;
  const request = send(url, {
    ...options,
    method,
    headers: {
      ...options.headers,
      Accept: "application/json",
      "User-Agent": "cluster-scale",
      ...(payload === undefined
        ? {}
        : { "Content-Type": contentType ?? "application/json", "Content-Length": Buffer.byteLength(payload) }),
    },
  });
  request.once("response", resolve).once("error", reject).end(payload);
  const response = await promise;
  return { status: response.statusCode ?? 0, body: await text(response) };
}

function bodyOf<Body>(endpoint: Endpoint, what: string, { status, body }: Answer): Body {
  if (status === 409) throw new ConflictError("server-error", responseError(endpoint, what, status, body).message);
  if (status < 200 || status > 299) throw responseError(endpoint, what, status, body);
  try {
    return JSON.parse(body) as Body;
  } catch (error) {
    throw malformedError(endpoint, what, `what is no JSON (${(error as Error).message})`);
  }
}
