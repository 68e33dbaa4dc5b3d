import { randomBytes } from "node:crypto";
import { identify, type ProcessId } from "../process-id.ts";
import { ensureTools, type Tools } from "../tools/ensure.ts";
import { Cluster } from "./cluster.ts";
import { writeClusterFiles } from "./files.ts";
import { freePorts } from "./ports.ts";
import { assertRunning, ComponentExited, startComponent } from "./processes.ts";
import { writeProxyCertificate } from "./proxy-certificate.ts";
import {
  type ClusterRecord,
  type ComponentName,
  clusterDir,
  clustersRoot,
  componentNames,
  readRecord,
  removeCluster,
  reserveCluster,
} from "./registry.ts";
import { isDead, sweepClusters, takeDown } from "./sweep.ts";
import { waitFor } from "./wait.ts";

export interface ClusterOptions {
  /** Also the name of its folder; one of its own if not said. */
  name?: string;
  /** Outlives this process. By default a cluster belongs to its starter, and is swept once that has died. */
  keep?: boolean;
  /** Writes an audit log. */
  audit?: boolean;
  /** Lets the API server ask aggregated APIs (APIServices) on this machine. */
  aggregation?: boolean;
  /** More arguments of the API server, and of the controllers. */
  apiServerArgs?: string[];
  controllerManagerArgs?: string[];
  /** The folder of all clusters, where it is not the user's own. */
  root?: string;
}

/** How often new ports are tried when others were faster. */
const ATTEMPTS = 3;

/** Starts a control plane with free ports and a folder of its own, and waits until it is ready for pods. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { root = clustersRoot() } = options;
  const tools = await ensureTools({ tools: componentNames });
  await sweepClusters(root);
  for (let attempt = 1; ; attempt += 1) {
    const record = await newRecord(root, options, tools);
    const old = readRecord(root, record.name);
    if (old && isDead(old)) removeCluster(old);
    reserveCluster(record);
    try {
      return await bringUp(record);
    } catch (error) {
      await takeDown(record);
      if (attempt === ATTEMPTS || !(error instanceof ComponentExited && error.portTaken)) throw error;
    }
  }
}

/** The cluster of that name, whoever started it; undefined where there is none. */
export function openCluster(name: string, root = clustersRoot()): Cluster | undefined {
  const record = readRecord(root, name);
  return record && new Cluster(record);
}

/** A new record: a name, ports that are free now, tokens that nobody knows. */
async function newRecord(root: string, options: ClusterOptions, tools: Tools): Promise<ClusterRecord> {
  const name = options.name ?? `run-${process.pid}-${randomBytes(3).toString("hex")}`;
  const [etcdClient = 0, etcdPeer = 0, apiServer = 0] = await freePorts(3);
  const token = () => randomBytes(24).toString("base64url");
  return {
    name,
    dir: clusterDir(root, name),
    startedBy: identify(process.pid) as ProcessId,
    keep: options.keep ?? false,
    ports: { etcdClient, etcdPeer, apiServer },
    binaries: Object.fromEntries(componentNames.map((tool) => [tool, tools.binary(tool)])) as Record<
      ComponentName,
      string
    >,
    audit: options.audit ?? false,
    aggregation: options.aggregation ?? false,
    apiServerArgs: options.apiServerArgs ?? [],
    controllerManagerArgs: options.controllerManagerArgs ?? [],
    tokens: { admin: token(), "kube-controller-manager": token(), "kube-scheduler": token(), kwok: token() },
    running: {},
  };
}

async function bringUp(record: ClusterRecord): Promise<Cluster> {
  const cluster = new Cluster(record);
  writeClusterFiles(record);
  if (record.aggregation) await writeProxyCertificate(record.dir);
  startComponent(record, "etcd");
  startComponent(record, "kube-apiserver");
  await cluster.waitReady();
  cluster.writeKubeconfig("admin", record.tokens.admin);
  for (const component of ["kube-controller-manager", "kube-scheduler", "kwok"] as const) {
    cluster.writeKubeconfig(component, record.tokens[component]);
    startComponent(record, component);
  }
  // Pods need their namespace's ServiceAccount, and the first thing the controllers make is that of `default`.
  await waitFor(() => cluster.api.find("/api/v1/namespaces/default/serviceaccounts/default"), {
    what: `the controllers of the cluster "${record.name}"`,
    unless: () => assertRunning(record, componentNames),
  });
  return cluster;
}
