import https from "node:https";
import { type KubeObject, objectPath } from "./objects.ts";

/** An answer of the API server that is not a success, with the Status object's own reason and words. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  readonly reason: string;

  constructor(method: string, path: string, status: number, body: string) {
    const { reason = "", message = body.slice(0, 300) } = parseStatus(body);
    super(`${method} ${path}: ${status} ${reason}: ${message}`);
    this.status = status;
    this.reason = reason;
  }
}

export type PatchType = "merge" | "strategic" | "json";

const contentTypes: Record<PatchType | "apply", string> = {
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  json: "application/json-patch+json",
  apply: "application/apply-patch+yaml",
};

const REQUEST_TIMEOUT_MS = 30_000;

/** A small client of one API server with one identity, for tests and scripts; paths are the API's own. */
export class KubeApi {
  readonly server: string;
  readonly #token: string;
  readonly #agent: https.Agent;

  constructor(options: { server: string; ca: string; token: string }) {
    this.server = options.server;
    this.#token = options.token;
    this.#agent = new https.Agent({ ca: options.ca, keepAlive: true, maxSockets: 16 });
  }

  /** GETs a path. */
  async get<T = KubeObject>(path: string): Promise<T> {
    return JSON.parse(await this.#request("GET", path)) as T;
  }

  /** GETs a path, or undefined where the answer is 404. */
  async find<T = KubeObject>(path: string): Promise<T | undefined> {
    return await orMissing(this.get<T>(path));
  }

  /** GETs a path as text: `/readyz`, logs, metrics. */
  async text(path: string): Promise<string> {
    return await this.#request("GET", path);
  }

  /** The items of a list. */
  async list<T = KubeObject>(path: string): Promise<T[]> {
    return (await this.get<{ items: T[] }>(path)).items;
  }

  /** POSTs to a path that no kind stands for, such as `…/token` or `…/eviction`. */
  async post<T = KubeObject>(path: string, body: unknown): Promise<T> {
    return JSON.parse(await this.#request("POST", path, body)) as T;
  }

  /** Creates an object; its path comes from its kind and namespace. */
  async create<T extends KubeObject>(object: T): Promise<T> {
    return await this.post<T>(objectPath({ ...object, metadata: { ...object.metadata, name: "" } }), object);
  }

  /** Creates an object, or leaves the one that is there. */
  async ensure(object: KubeObject): Promise<void> {
    try {
      await this.create(object);
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== "AlreadyExists") throw error;
    }
  }

  /** Server-side apply under a field manager of the caller's choice. */
  async apply<T extends KubeObject>(object: T, options: { fieldManager?: string; force?: boolean } = {}): Promise<T> {
    const { fieldManager = "bench", force = true } = options;
    const query = new URLSearchParams({ fieldManager, force: String(force) });
    return JSON.parse(await this.#request("PATCH", `${objectPath(object)}?${query}`, object, "apply")) as T;
  }

  /** Patches what is at a path; a merge patch unless said. */
  async patch<T = KubeObject>(path: string, body: unknown, type: PatchType = "merge"): Promise<T> {
    return JSON.parse(await this.#request("PATCH", path, body, type)) as T;
  }

  /** Deletes what is at a path; that it is not there is fine. */
  async delete(path: string, options: Record<string, unknown> = {}): Promise<void> {
    await orMissing(this.#request("DELETE", path, { apiVersion: "v1", kind: "DeleteOptions", ...options }));
  }

  /** Closes the connections that are kept open. */
  close(): void {
    this.#agent.destroy();
  }

  #request(method: string, path: string, body?: unknown, type?: PatchType | "apply"): Promise<string> {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const request = https.request(
        new URL(path, this.server),
        {
          method,
          agent: this.#agent,
          timeout: REQUEST_TIMEOUT_MS,
          headers: {
            authorization: `Bearer ${this.#token}`,
            accept: "application/json",
            // Whose fields these are is told by what stands before the slash: the bench does what a person does with kubectl.
            "user-agent": "kubectl/bench",
            ...(payload === undefined
              ? {}
              : {
                  "content-type": type ? contentTypes[type] : "application/json",
                  // Node sends the body of a DELETE without any length, if it isn't told one.
                  "content-length": Buffer.byteLength(payload),
                }),
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () => {
            const text = Buffer.concat(chunks).toString();
            const status = response.statusCode ?? 0;
            if (status >= 200 && status < 300) resolve(text);
            else reject(new ApiError(method, path, status, text));
          });
        },
      );
      request.on("timeout", () =>
        request.destroy(new Error(`${method} ${path}: no answer in ${REQUEST_TIMEOUT_MS / 1000} s`)),
      );
      request.on("error", reject);
      request.end(payload);
    });
  }
}

async function orMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

function parseStatus(body: string): { reason?: string; message?: string } {
  try {
    return JSON.parse(body) as { reason?: string; message?: string };
  } catch {
    return {};
  }
}
