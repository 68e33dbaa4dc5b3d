import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, request as send } from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { Cluster } from "./cluster/cluster.ts";
import { clusterFiles } from "./cluster/files.ts";

/** What happens to a request before it reaches the API server: it goes on (with that path and query), or the proxy ends it. */
export type Intercept = (request: IncomingMessage, response: ServerResponse) => string | undefined;

export interface Proxy {
  /** A kubeconfig with all permissions that leads through the proxy. */
  kubeconfig: string;
  /** Method and path of the requests so far. */
  requests: string[];
  close(): Promise<void>;
}

/**
 * A reverse proxy in front of an API server, with that server's own certificate, for faults that a client meets on the way.
 *
 * @param intercept gives the path and query to ask the API server for (mostly `request.url`), or undefined when it has dealt
 *   with the request itself: answered it, left it hanging, or destroyed its socket.
 */
export async function startProxy(cluster: Cluster, intercept: Intercept = (request) => request.url): Promise<Proxy> {
  const { certificates } = clusterFiles(cluster.dir);
  const requests: string[] = [];
  const server = createServer(
    {
      cert: readFileSync(path.join(certificates, "apiserver.crt")),
      key: readFileSync(path.join(certificates, "apiserver.key")),
    },
    (request, response) => {
      requests.push(`${request.method} ${request.url}`);
      const url = intercept(request, response);
      if (url !== undefined) forward(cluster, url, request, response);
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

function forward(cluster: Cluster, url: string, request: IncomingMessage, response: ServerResponse): void {
  const { method, headers } = request;
  const upstream = send(new URL(url, cluster.server), { method, headers, ca: cluster.ca }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  upstream.on("error", () => response.destroy());
  response.on("close", () => upstream.destroy());
  request.pipe(upstream);
}
