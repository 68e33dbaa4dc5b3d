/** Requests that ask or write something themselves, for the few commands that do. */
import { type ApiRequest, type Client, connected, jsonIn, type Limits } from "./client.ts";
import { ReadError } from "./errors.ts";
import { responseError } from "./http-errors.ts";
import type { ClusterConfig } from "./kubeconfig.ts";

/** The object is another than it was when it was read, or a field of it has another owner. */
export class ConflictError extends ReadError {}

/**
 * Sends one request and gives the body of its answer.
 *
 * @throws ReadError for anything but a success; a ConflictError where the answer is 409.
 */
export type Send = <Body>(request: ApiRequest) => Promise<Body>;

/**
 * Opens a connection to the cluster for as long as `use` runs.
 *
 * @param use.time gives the time by the server's clock, once it has answered.
 * @throws ReadError if there is no way to the cluster.
 */
export function sending<Result>(
  config: ClusterConfig,
  limits: Limits,
  use: (send: Send, time: () => Date) => Promise<Result>,
): Promise<Result> {
  return connected(config, limits, "The cluster was asked", (client) =>
    use(
      (request) => bodyOf(client, request),
      () => client.time,
    ),
  );
}

async function bodyOf<Body>(client: Client, request: ApiRequest): Promise<Body> {
  const { status, body } = await client.send(request);
  const what = `${request.method ?? "GET"} ${request.path}`;
  if (status === 409)
    throw new ConflictError("server-error", responseError(client.endpoint, what, status, body).message);
  if (status < 200 || status > 299) throw responseError(client.endpoint, what, status, body);
  return jsonIn(client.endpoint, what, body) as Body;
}
