/**
 * How a ClickHouse or Keeper cluster is now, looked at while a step of it is under way; and, where that takes too long, what the
 * cluster says of it: its pods and its events, in their own words.
 */
import { connected, type Limits } from "./client.ts";
import { ReadError } from "./errors.ts";
import type { ClusterConfig } from "./kubeconfig.ts";
import { clickHouseCluster, keeperCluster } from "./project/clickhouse.ts";
import { Field } from "./project/field.ts";
import { type GetJson, list, type RolloutObjects, type RolloutProblem, rolloutProblems } from "./rollout.ts";
import type { ClickHouseCluster, KeeperCluster } from "./snapshot.ts";

/** Which cluster is meant. */
export interface ClusterKey {
  kind: "KeeperCluster" | "ClickHouseCluster";
  apiVersion: string;
  namespace: string;
  name: string;
}

export interface ClusterPod {
  name: string;
  phase: string;
  ready: boolean;
  /** Empty while it has none. */
  node: string;
}

export interface ClusterEvent {
  type: string;
  reason: string;
  message: string;
}

/** What there is to know of a cluster that does not come further. */
export interface ClusterDetails {
  pods: ClusterPod[];
  problems: RolloutProblem[];
  /** The latest last. */
  events: ClusterEvent[];
  /** What of it could not be read, each with why. */
  unread: string[];
}

export interface ClusterLook {
  /** Null: it is gone. */
  read(key: ClusterKey): Promise<KeeperCluster | ClickHouseCluster | null>;
  details(key: ClusterKey): Promise<ClusterDetails>;
  /** Names of the StatefulSets that stayed on an earlier spec although the cluster is finished; none where that can't be read. */
  stale(key: ClusterKey): Promise<string[]>;
}

/** Events to show; older ones tell of what is over. */
const LATEST_EVENTS = 8;

/** Opens a connection to the cluster for as long as `use` runs. */
export function lookingAtClusters<Result>(
  config: ClusterConfig,
  limits: Limits,
  use: (look: ClusterLook) => Promise<Result>,
): Promise<Result> {
  return connected(config, limits, "the clusters were looked at", (client) => {
    const get: GetJson = (path) => client.getJson(path);
    return use({
      read: (key) => readCluster(get, key),
      details: (key) => readDetails(get, key),
      stale: (key) => readStale(get, key).catch(() => []),
    });
  });
}

async function readCluster(get: GetJson, key: ClusterKey): Promise<KeeperCluster | ClickHouseCluster | null> {
  const { kind, namespace, name } = key;
  const project = kind === "KeeperCluster" ? keeperCluster : clickHouseCluster;
  try {
    return project(Field.root(await get(pathOf(key)), `${kind} ${namespace}/${name}`));
  } catch (error) {
    if (error instanceof ReadError && error.code === "not-found") return null;
    throw error;
  }
}

async function readDetails(get: GetJson, key: ClusterKey): Promise<ClusterDetails> {
  const unread: string[] = [];
  const orNone = async <Item>(what: string, reading: Promise<Item[]>): Promise<Item[]> =>
    reading.catch((error: Error) => {
      unread.push(`${what}: ${error.message}`);
      return [];
    });
  const root = `/api/v1/namespaces/${key.namespace}`;
  const [pods, events] = await Promise.all([
    orNone("pods", list<RolloutObjects["pods"][number]>(get, `${root}/pods?labelSelector=${selectorOf(key)}`)),
    orNone("events", list<EventObject>(get, `${root}/events`)),
  ]);
  const names = new Set([key.name, ...pods.map(({ metadata }) => metadata?.name)]);
  return {
    pods: pods.map(podOf).sort((a, b) => (a.name < b.name ? -1 : 1)),
    problems: rolloutProblems({ deployment: {}, pods, events: [] }),
    events: events
      .filter(({ involvedObject }) => names.has(involvedObject?.name ?? ""))
      .sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1))
      .slice(-LATEST_EVENTS)
      .map(({ type = "", reason = "", message = "" }) => ({ type, reason, message })),
    unread,
  };
}

interface EventObject {
  type?: string;
  reason?: string;
  message?: string;
  involvedObject?: { name?: string };
  lastTimestamp?: string | null;
  eventTime?: string | null;
  metadata?: { creationTimestamp?: string };
}

function timeOf({ lastTimestamp, eventTime, metadata }: EventObject): string {
  return lastTimestamp ?? eventTime ?? metadata?.creationTimestamp ?? "";
}

function podOf({ metadata, spec, status }: RolloutObjects["pods"][number]): ClusterPod {
  return {
    name: metadata?.name ?? "",
    phase: metadata?.deletionTimestamp === undefined ? (status?.phase ?? "Unknown") : "Terminating",
    ready: (status?.conditions ?? []).some(({ type, status: is }) => type === "Ready" && is === "True"),
    node: spec?.nodeName ?? "",
  };
}

/** Where the operator notes which spec and configuration a StatefulSet has; its status names those of the cluster. */
const REVISIONS = [
  ["checksum/spec", "statefulSetRevision"],
  ["checksum/configuration", "configurationRevision"],
] as const;

async function readStale(get: GetJson, key: ClusterKey): Promise<string[]> {
  const { status = {} } = (await get(pathOf(key))) as { status?: Record<string, unknown> };
  const sets = await list<{ metadata: { name: string; annotations?: Record<string, string> } }>(
    get,
    `/apis/apps/v1/namespaces/${key.namespace}/statefulsets?labelSelector=${selectorOf(key)}`,
  );
  const isStale = (annotations: Record<string, string> = {}) =>
    REVISIONS.some(([noted, wanted]) => annotations[noted] !== undefined && annotations[noted] !== status[wanted]);
  return sets.filter(({ metadata }) => isStale(metadata.annotations)).map(({ metadata }) => metadata.name);
}

function pathOf({ kind, apiVersion, namespace, name }: ClusterKey): string {
  return `/apis/${apiVersion}/namespaces/${namespace}/${kind.toLowerCase()}s/${name}`;
}

/** The label that the operator gives everything of a cluster. */
function selectorOf({ kind, name }: ClusterKey): string {
  return encodeURIComponent(`app=${name}-${kind === "KeeperCluster" ? "keeper" : "clickhouse"}`);
}
