import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, request as send } from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { Cluster } from "./cluster/cluster.ts";
import { clusterFiles } from "./cluster/files.ts";

/** Where a request goes on to. */
export interface Route {
  /** The path and query to ask the API server for; mostly `request.url`. */
  url: string;
  /** Called when the API server has answered, before the client hears of it; without true the client's connection is cut. */
  answered: () => boolean | Promise<boolean>;
}

/**
 * What happens to a request before it reaches the API server. It goes on, by that route or simply to that path and query;
 * undefined where the intercept has dealt with the request itself: answered it, left it hanging, or destroyed its socket.
 */
export type Intercept = (
  request: IncomingMessage,
  response: ServerResponse,
) => Route | string | undefined | Promise<Route | string | undefined>;

export interface RunningProxy {
  /** A kubeconfig with all permissions that leads through the proxy. */
  kubeconfig: string;
  /** Method and path of the requests so far. */
  requests: string[];
  close(): Promise<void>;
}

/**
 * A reverse proxy in front of an API server, with that server's own certificate, for faults that a client meets on the way.
 */
export async function startProxy(
  cluster: Cluster,
  intercept: Intercept = (request) => request.url,
): Promise<RunningProxy> {
  const { certificates } = clusterFiles(cluster.dir);
  const requests: string[] = [];
  const server = createServer(
    {
      cert: readFileSync(path.join(certificates, "apiserver.crt")),
      key: readFileSync(path.join(certificates, "apiserver.key")),
    },
    async (request, response) => {
      requests.push(`${request.method} ${request.url}`);
      const route = await intercept(request, response);
      if (route === undefined) return;
      forward(cluster, typeof route === "string" ? { url: route, answered: () => true } : route, request, response);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const kubeconfig = path.join(cluster.dir, `proxy-${port}.kubeconfig`);
  const direct = readFileSync(cluster.kubeconfig, "utf8");
  await writeFile(kubeconfig, direct.replaceAll(cluster.server, `https://127.0.0.1:${port}`), { mode: 0o600 });
  return {
    kubeconfig,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function forward(cluster: Cluster, { url, answered }: Route, request: IncomingMessage, response: ServerResponse): void {
  const { method, headers } = request;
  const upstream = send(new URL(url, cluster.server), { method, headers, ca: cluster.ca }, async (answer) => {
    if (!(await answered())) return void response.destroy();
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  upstream.on("error", () => response.destroy());
  response.on("close", () => upstream.destroy());
  request.pipe(upstream);
}
