import path from "node:path";
import { execa } from "execa";
import type { Cluster } from "../cluster/cluster.ts";
import { startCluster } from "../cluster/start.ts";
import { createMany, createNamespaces } from "../load/create.ts";
import { largeNode, largePod } from "../load/objects.ts";
import { chart } from "./chart.ts";
import { interleaved, median } from "./measure.ts";
import { type Result, table } from "./results.ts";

const SIZES = [100, 1000, 5000];
const PODS = 50_000;
const NAMESPACES = 20;
const ROUNDS = 5;

interface Read {
  list: string;
  objects: number;
  megabytes: number;
  curl: number[];
  ours: number[];
  /** Megabytes that our process held at most. */
  peak: number;
}

/** Reading large lists, against `curl` of the same: time, and memory at the peak. */
export async function readBenchmark(): Promise<Result> {
  const cluster = await startCluster();
  try {
    await createNamespaces(cluster, NAMESPACES);
    // Nobody plays with what is only to be read.
    for (const component of ["kwok", "kube-scheduler", "kube-controller-manager"] as const) {
      cluster.kill(component, "SIGTERM");
    }
    const reads: Read[] = [];
    let there = 0;
    const start = performance.now();
    for (const size of SIZES) {
      const first = there;
      await createMany(cluster, size - first, (index) => largeNode(first + index));
      there = size;
      reads.push(await readTimes(cluster, "nodes", "/api/v1/nodes"));
    }
    const created = (performance.now() - start) / 1000;
    console.error(
      `${there} nodes created and read at ${SIZES.length} sizes in ${created.toFixed(0)} s; now ${PODS} pods`,
    );
    const owner = { namespaces: NAMESPACES, nodes: there };
    await createMany(
      cluster,
      PODS,
      (index) => largePod(index, owner),
      (done) => console.error(`${done} pods`),
    );
    reads.push(await readTimes(cluster, "pods", "/api/v1/pods"));
    return resultOf(reads);
  } finally {
    await cluster.stop();
  }
}

async function readTimes(cluster: Cluster, list: string, url: string): Promise<Read> {
  const curl: number[] = [];
  const ours: number[] = [];
  let [objects, bytes, peak] = [0, 0, 0];
  await interleaved(ROUNDS, {
    curl: async () => {
      const [seconds = 0, size = 0] = await timeOfCurl(cluster, url);
      curl.push(seconds);
      bytes = size;
    },
    ours: async () => {
      const read = await timeOfOurs(cluster, list);
      ours.push(read.seconds);
      objects = read.objects;
      peak = Math.max(peak, read.peakMegabytes);
    },
  });
  // The first round warmed up.
  return { list, objects, megabytes: bytes / 1e6, curl: curl.slice(1), ours: ours.slice(1), peak };
}

/** Seconds and bytes. */
async function timeOfCurl({ server, adminToken }: Cluster, url: string): Promise<number[]> {
  // To curl the API server prints for people: half as much again.
  const args = ["--silent", "--show-error", "--fail", "--insecure", "--user-agent", "bench", "--output", "/dev/null"];
  const { stdout } = await execa(
    "curl",
    [...args, "--config", "-", "--write-out", "%{time_total} %{size_download}", `${server}${url}`],
    // Not on the command line, where everybody on the machine can read it.
    { input: `header = "Authorization: Bearer ${adminToken}"` },
  ).catch((error) => {
    throw error.code === "ENOENT"
      ? new Error("there is no curl on the PATH. Install it (Debian: apt-get install curl)")
      : error;
  });
  return stdout.split(" ").map(Number);
}

interface OurRead {
  seconds: number;
  objects: number;
  peakMegabytes: number;
}

/** In a process of its own, whose memory at the peak is that of one read. */
export async function timeOfOurs({ kubeconfig }: Cluster, list: string): Promise<OurRead> {
  const { stdout } = await execa(process.execPath, [path.join(import.meta.dirname, "read-one.ts"), kubeconfig, list]);
  return JSON.parse(stdout) as OurRead;
}

function resultOf(reads: Read[]): Result {
  const rows = reads.map(({ list, objects, megabytes, curl, ours, peak }) => [
    `${objects} ${list}`,
    megabytes.toFixed(1),
    median(curl).toFixed(2),
    median(ours).toFixed(2),
    (median(ours) / median(curl)).toFixed(2),
    peak.toFixed(0),
  ]);
  const nodes = reads.filter(({ list }) => list === "nodes");
  const sizes = nodes.map(({ objects }) => `${objects}`);
  const charts = [
    chart({
      title: "Reading nodes: seconds",
      x: sizes,
      bars: nodes.map(({ ours }) => Number(median(ours).toFixed(2))),
    }),
    chart({ title: "Reading nodes: megabytes at the peak", x: sizes, bars: nodes.map(({ peak }) => Math.round(peak)) }),
  ];
  return {
    title: "Reading large lists",
    command: "npm run benchmark -- read",
    body:
      `Seconds, medians of ${ROUNDS} interleaved rounds; ours in a process of its own, from the connection to the last object, whose memory at the ` +
      `peak is that of the whole process.\n\n${table(["list", "MB of JSON", "curl", "cluster-scale", "ratio", "peak MB"], rows)}\n\n${charts.join("\n\n")}`,
    checks: reads.flatMap((read) => checksOf(read)),
  };
}

function checksOf({ list, objects, curl, ours, peak }: Read) {
  if (list === "nodes" && objects < 5000) return [];
  const [ratio, megabytes] = list === "nodes" ? [1.5, 200] : [2, 300];
  return [
    {
      what: `reading ${objects} ${list}, against curl`,
      value: Number((median(ours) / median(curl)).toFixed(2)),
      atMost: ratio,
    },
    { what: `reading ${objects} ${list}, MB at the peak`, value: Math.round(peak), atMost: megabytes },
  ];
}
