/** Everything that is broken, and when. */
import { truncate } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { removeNode } from "../cluster/nodes.ts";
import { PARTS, type Part, signalPart } from "./engine-processes.ts";
import type { WriteFault } from "./gate.ts";
import type { Scene } from "./scene.ts";

export interface Fault {
  /** As it is given to `npm run faults -- --only`. */
  id: string;
  /** What happens, for people. */
  what: string;
  /** It happens to one write of the run, and is swept over all of them; otherwise it happens once. */
  at: "write" | "once";
  /** How the command that meets it may end. */
  ends: "green" | "red" | "any";
  /** What it does to that write. */
  write?: (scene: Scene) => WriteFault;
  /** What happens before the (last) command is run. */
  before?: (scene: Scene) => Promise<void>;
  /** What ends it, before anybody recovers. */
  heal?: (scene: Scene) => Promise<void>;
  /** The command that meets it and is run again after it, with what comes before it; `apply --yes` unless said. */
  commands?: string[][];
  /** Replicas that the commands aim at in the end; one a worker unless said. */
  target?: number;
  /** Its state is on a small disk of its own. */
  smallDisk?: true;
}

/** How long a request may be on its way without anybody minding. */
const DELAY_MS = 1_500;
/** From the answer's arrival at the provider to its arrival at the engine. */
const HANDED_ON_MS = 200;

const cut: WriteFault = (_url, _request, response) => void response.destroy();

/** An answer in the form of the API server's own. */
function answer(code: number, reason: string, headers: Record<string, string> = {}): WriteFault {
  return (_url, request, response: ServerResponse) => {
    request.resume();
    response.writeHead(code, { "content-type": "application/json", ...headers });
    response.end(
      JSON.stringify({
        kind: "Status",
        apiVersion: "v1",
        status: "Failure",
        reason,
        code,
        message: `injected ${code}`,
      }),
    );
    return undefined;
  };
}

const onTheWay: Fault[] = [
  {
    id: "delay",
    what: `the request is late by ${DELAY_MS} ms`,
    at: "write",
    ends: "green",
    write: () => async (url) => {
      await sleep(DELAY_MS);
      return url;
    },
  },
  {
    id: "silence",
    what: "nobody ever answers",
    at: "write",
    ends: "red",
    write: () => () => undefined,
  },
  {
    id: "cut-before",
    what: "the connection is cut before the request arrives",
    at: "write",
    ends: "any",
    write: () => cut,
  },
  {
    id: "cut-after",
    what: "the connection is cut after the request was carried out",
    at: "write",
    ends: "any",
    write: () => (url) => ({ url, answered: () => false }),
  },
  {
    id: "429",
    what: "the API server answers 429, come again in a second",
    at: "write",
    ends: "green",
    write: () => answer(429, "TooManyRequests", { "retry-after": "1" }),
  },
  {
    id: "500",
    what: "the API server answers 500",
    at: "write",
    ends: "red",
    write: () => answer(500, "InternalError"),
  },
  { id: "504", what: "the API server answers 504", at: "write", ends: "red", write: () => answer(504, "Timeout") },
];

const MOMENTS: Record<string, { what: string; write: (part: Part) => (scene: Scene) => WriteFault }> = {
  unsent: {
    what: "before the request arrives",
    write:
      (part) =>
      ({ folder }) =>
      (_url, _request, response) => {
        signalPart(folder, part, "SIGKILL");
        response.destroy();
        return undefined;
      },
  },
  accepted: {
    what: "after the request was carried out, before the answer",
    write:
      (part) =>
      ({ folder }) =>
      (url) => ({
        url,
        answered: () => {
          signalPart(folder, part, "SIGKILL");
          return false;
        },
      }),
  },
  unsaved: {
    what: "after the answer, before the engine saves it",
    write:
      (part) =>
      ({ folder }) =>
      (url, _request, response) => ({
        url,
        answered: () => {
          signalPart(folder, "engine", "SIGSTOP");
          response.on("finish", async () => {
            await sleep(HANDED_ON_MS);
            signalPart(folder, part, "SIGKILL");
            if (part !== "engine") signalPart(folder, "engine", "SIGCONT");
          });
          return true;
        },
      }),
  },
};

const kills: Fault[] = PARTS.flatMap((part) =>
  Object.entries(MOMENTS).map(
    ([moment, { what, write }]): Fault => ({
      id: `kill-${part}-${moment}`,
      what: `SIGKILL of the ${part} ${what}`,
      at: "write",
      // An engine goes on without whoever started it.
      ends: "red",
      write: write(part),
    }),
  ),
);

const servers: Fault[] = [
  {
    id: "apiserver-restart",
    what: "SIGKILL of the API server, which is started again",
    at: "write",
    ends: "red",
    write:
      ({ cluster }) =>
      (_url, _request, response) => {
        cluster.kill("kube-apiserver");
        response.destroy();
        return undefined;
      },
    heal: ({ cluster }) => cluster.start("kube-apiserver"),
  },
  {
    id: "etcd-full",
    what: "etcd is out of space and takes no writes",
    at: "write",
    ends: "red",
    write:
      ({ cluster }) =>
      async (url) => {
        await cluster.setSpaceAlarm("ACTIVATE");
        return url;
      },
    heal: ({ cluster }) => cluster.setSpaceAlarm("DEACTIVATE"),
  },
];

const disk: Fault = {
  id: "disk-full",
  what: "the disk of the state backend is full",
  at: "write",
  ends: "red",
  smallDisk: true,
  write:
    ({ disk: backend }) =>
    async (url) => {
      await backend?.fill();
      return url;
    },
  heal: async ({ disk: backend }) => await backend?.free(),
};

const once: Fault[] = [
  {
    id: "state-truncated",
    what: "the state file was cut off",
    at: "once",
    ends: "red",
    before: async (scene) => {
      const { code, stderr } = await scene.cli(["apply", "--yes"]);
      if (code !== 0) throw new Error(`the run before the fault failed: ${stderr}`);
      await truncate(scene.stateFile, 2000);
    },
  },
  {
    id: "two-at-once",
    what: "a second apply begins while the first writes",
    at: "once",
    ends: "green",
    write: (scene) => async (url) => {
      const { code, stderr } = await scene.cli(["apply", "--yes"]);
      if (code !== 1 || !stderr.includes("is locked by")) throw new Error(`the second apply: exit ${code}: ${stderr}`);
      return url;
    },
  },
  {
    id: "node-lost",
    what: "a node dies between the review and the apply",
    at: "once",
    ends: "red",
    target: 2,
    before: async ({ cluster }) => removeNode(cluster, "worker-3"),
    commands: [
      ["plan", "--no-preview", "--out", "plan.json"],
      ["apply", "--plan", "plan.json", "--yes"],
    ],
  },
];

export const FAULTS: Fault[] = [...onTheWay, ...kills, ...servers, disk, ...once];
