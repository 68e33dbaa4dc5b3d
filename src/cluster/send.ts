/** Requests that ask or write something themselves, for the few commands that do. */
import { type ApiRequest, type Client, connect } from "./client.ts";
import { Deadline } from "./deadline.ts";
import { ReadError } from "./errors.ts";
import { malformedError, responseError } from "./http-errors.ts";
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
 * @throws ReadError if there is no way to the cluster.
 */
export async function sending<Result>(
  config: ClusterConfig,
  { requestTimeoutSeconds, timeoutSeconds }: { requestTimeoutSeconds: number; timeoutSeconds: number },
  use: (send: Send) => Promise<Result>,
): Promise<Result> {
  const late = () => new ReadError("timeout", `The cluster was asked for longer than ${timeoutSeconds} s`);
  const deadline = new Deadline(timeoutSeconds, late);
  const client = await connect(config, { requestTimeoutSeconds, deadline });
  try {
    return await use((request) => bodyOf(client, request));
  } finally {
    deadline.end(new Error("nothing more is asked"));
    client.close();
  }
}

async function bodyOf<Body>(client: Client, request: ApiRequest): Promise<Body> {
  const { status, body } = await client.send(request);
  const what = `${request.method ?? "GET"} ${request.path}`;
  if (status === 409)
    throw new ConflictError("server-error", responseError(client.endpoint, what, status, body).message);
  if (status < 200 || status > 299) throw responseError(client.endpoint, what, status, body);
  try {
    return JSON.parse(body) as Body;
  } catch (error) {
    throw malformedError(client.endpoint, what, `what is no JSON (${(error as Error).message})`);
  }
}
