import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:net";

/** Where the search begins: above what well-known services use. */
const LOWEST = 20_000;
/** How often a number is drawn before the machine counts as full. */
const DRAWS = 1_000;

/**
 * Free loopback ports, all different. Another process may take one before it is used: whoever uses them has to expect that, and
 * try again.
 *
 * They are none of those that the kernel gives to outgoing connections: a server that is killed and started again on its port would find
 * a connection of somebody else there, which happens on a busy machine.
 */
export async function freePorts(count: number): Promise<number[]> {
  const taken = new Map<number, Server>();
  try {
    for (let draw = 0; taken.size < count; draw += 1) {
      if (draw === DRAWS) throw new Error(`no ${count} free ports from ${LOWEST} to ${firstOfConnections() - 1}`);
      const port = LOWEST + Math.floor(Math.random() * (firstOfConnections() - LOWEST));
      const server = taken.has(port) ? undefined : await listen(port);
      if (server !== undefined) taken.set(port, server);
    }
    return [...taken.keys()];
  } finally {
    await Promise.all([...taken.values()].map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

/** The first port of the kernel's range for outgoing connections (ip(7), ip_local_port_range); its default where that can't be read. */
function firstOfConnections(): number {
  try {
    const first = Number(readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8").split(/\s/)[0]);
    return first > LOWEST ? first : 65_536;
  } catch {
    return 32_768;
  }
}

/** Undefined where the port is somebody's. */
function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(undefined) : reject(error),
    );
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}
