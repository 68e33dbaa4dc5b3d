import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ProcessId } from "../process-id.ts";
import { stateHome } from "../tools/paths.ts";

export type ComponentName = "etcd" | "kube-apiserver" | "kube-controller-manager" | "kube-scheduler" | "kwok";

/** In the order of their start. */
export const componentNames: ComponentName[] = [
  "etcd",
  "kube-apiserver",
  "kube-controller-manager",
  "kube-scheduler",
  "kwok",
];

/** Who may log in from the start; everyone else gets a ServiceAccount. */
export type ClusterUser = "admin" | "kube-controller-manager" | "kube-scheduler" | "kwok";

/** A process beside the control plane, as the record has it. */
export interface CompanionRecord {
  id: ProcessId;
  /** What makes it end in order, and its folder outside the cluster's, where it has one. */
  stopSignal: NodeJS.Signals;
  folder?: string | undefined;
}

/**
 * What is on disk about a cluster: enough to find, stop, restart and sweep it from any process, whatever has become of
 * the one that started it.
 */
export interface ClusterRecord {
  name: string;
  dir: string;
  startedBy: ProcessId;
  /** Stays until it is taken down. Any other cluster belongs to the process that started it, and is swept after that. */
  keep: boolean;
  ports: { etcdClient: number; etcdPeer: number; apiServer: number };
  binaries: Record<ComponentName, string>;
  audit: boolean;
  /** Whether the API server can ask aggregated APIs, with a client certificate of its own. */
  aggregation: boolean;
  apiServerArgs: string[];
  controllerManagerArgs: string[];
  /** Static bearer tokens, by user. */
  tokens: Record<ClusterUser, string>;
  running: Partial<Record<ComponentName, ProcessId>>;
  /** Processes that are taken down with the cluster, by name. A record of an older checkout has none. */
  companions?: Record<string, CompanionRecord>;
}

const RECORD = "cluster.json";
const NAME = /^[a-z0-9][a-z0-9-]{0,40}$/;

/** The folder of all clusters of this user. */
export function clustersRoot(): string {
  return path.join(stateHome(), "clusters");
}

/** The folder of one cluster. */
export function clusterDir(root: string, name: string): string {
  // The name becomes a folder name and is typed by people: nothing that could lead out of the folder.
  if (!NAME.test(name)) {
    throw new Error(`the cluster name "${name}" is not allowed: lower-case letters, digits and hyphens, at most 41`);
  }
  return path.join(root, name);
}

/** Writes the record so that a reader sees the old one or the new one, whole. */
export function writeRecord(record: ClusterRecord, dir = record.dir): void {
  const file = path.join(dir, RECORD);
  // It holds the tokens.
  writeFileSync(`${file}.new`, JSON.stringify(record, null, 2), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** The record of one cluster, or undefined where there is none. */
export function readRecord(root: string, name: string): ClusterRecord | undefined {
  try {
    return JSON.parse(readFileSync(path.join(clusterDir(root, name), RECORD), "utf8")) as ClusterRecord;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** The records of all clusters, by name. */
export function listRecords(root: string): ClusterRecord[] {
  let names: string[];
  try {
    names = readdirSync(root).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  return names
    .filter((name) => NAME.test(name))
    .map((name) => readRecord(root, name))
    .filter((record) => record !== undefined);
}

/** Makes the cluster's folder with its record in it, in one step: of two that want the same name, one gets it. */
export function reserveCluster(record: ClusterRecord): void {
  const root = path.dirname(record.dir);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const draft = mkdtempSync(path.join(root, ".new-"));
  try {
    writeRecord(record, draft);
    renameSync(draft, record.dir);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    throw new Error(
      `a cluster "${record.name}" is there already; take it down first: npm run bench:down -- --name ${record.name}`,
    );
  }
}

/** Removes a cluster's folder with everything in it. Its processes have to be stopped before. */
export function removeCluster(record: ClusterRecord): void {
  rmSync(record.dir, { recursive: true, force: true, maxRetries: 3 });
}
