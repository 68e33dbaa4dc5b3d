/** A snapshot from a live cluster: whole, or an error. */
import type { Settings } from "../config/settings.ts";
import { SnapshotBuilder } from "./builder.ts";
import { type Client, connect } from "./client.ts";
import { Deadline } from "./deadline.ts";
import { servedVersion } from "./discovery.ts";
import { ReadError } from "./errors.ts";
import { nameOf } from "./http-errors.ts";
import { fullResource } from "./kinds.ts";
import type { ClusterConfig } from "./kubeconfig.ts";
import { readList, TooMany } from "./list.ts";
import { type Need, needsEverywhere, needsOf } from "./needs.ts";
import type { Snapshot } from "./snapshot.ts";

export interface ReadOptions {
  /** The time of the snapshot, where it isn't the present by the server's clock. */
  now?: Date;
  /** All namespaces, and not only those that the policy names. */
  everywhere?: boolean;
}

/**
 * Reads what planning needs, all lists at once. The number of requests does not grow with the number of workloads in a
 * namespace.
 *
 * @throws ReadError within `readTimeoutSeconds`, whatever the server does.
 */
export async function readSnapshot(
  config: ClusterConfig,
  settings: Settings,
  { now, everywhere = false }: ReadOptions = {},
): Promise<Snapshot> {
  const { requestTimeoutSeconds, readTimeoutSeconds, capacityPodLimit } = settings;
  const reading: Reading = { builder: new SnapshotBuilder(), podLimit: capacityPodLimit, open: new Set() };
  const deadline = new Deadline(readTimeoutSeconds, () => lateError(reading, readTimeoutSeconds));
  try {
    reading.client = await connect(config, { requestTimeoutSeconds, deadline });
    await readAll(reading.client, reading, everywhere ? needsEverywhere() : needsOf(settings));
    return reading.builder.snapshot((now ?? reading.client.time).toISOString());
  } finally {
    // After a failure this ends all the other requests.
    deadline.end(new Error("the read is over"));
    reading.client?.close();
  }
}

interface Reading {
  builder: SnapshotBuilder;
  podLimit: number;
  client?: Client;
  /** Needs that are not met yet. */
  open: Set<Need>;
}

function lateError({ client, open }: Reading, seconds: number): ReadError {
  const what = client === undefined ? "Logging in to the cluster" : `Reading ${nameOf(client.endpoint)}`;
  const missing = [...new Set([...open].map(({ kind }) => kind.resource))].join(", ");
  return new ReadError(
    "timeout",
    `${what} took longer than ${seconds} s (readTimeoutSeconds)${missing === "" ? "" : `; still missing: ${missing}`}. ` +
      "Raise the timeout, or look at why it is slow",
  );
}

async function readAll(client: Client, reading: Reading, needs: Need[]): Promise<void> {
  const { builder, open } = reading;
  const lists = await Promise.all(
    needs.map(async (need) => {
      open.add(need);
      const list = await readNeed(client, reading, need);
      open.delete(need);
      return list;
    }),
  );
  // Not before all are there, so that the snapshot has the same order whatever came first.
  for (const [index, { kind }] of needs.entries()) builder.add(kind, lists[index] ?? []);
}

/** The objects of a list, projected; none where the kind may be left out and was. */
async function readNeed(client: Client, { builder, podLimit }: Reading, need: Need): Promise<unknown[]> {
  const { kind, namespace } = need;
  const options = { namespace, atMost: kind.list === "pods" ? podLimit : undefined };
  try {
    return await readList(client, builder, kind, options);
  } catch (error) {
    if (error instanceof TooMany) {
      builder.markUnread(kind, `there are more than ${podLimit} of them, the capacityPodLimit`);
      return [];
    }
    if (!(error instanceof ReadError) || (error.code !== "forbidden" && error.code !== "not-found")) throw error;
    if (kind.custom) return readOtherVersion(client, builder, need, error);
    if (kind.need === "safety") throw refusal(need, error);
    builder.markUnread(kind, clauseOf(need, error));
    return [];
  }
}

/**
 * A custom resource that was not found or forbidden: authorization comes before the question whether a resource exists
 * at all, and a newer operator may serve another version only.
 */
async function readOtherVersion(
  client: Client,
  builder: SnapshotBuilder,
  need: Need,
  error: ReadError,
): Promise<unknown[]> {
  const { kind, namespace } = need;
  const version = await servedVersion(client, kind);
  if (version === undefined) return [];
  if (version === kind.version) throw refusal(need, error);
  return readList(client, builder, kind, { namespace, version });
}

/** Why there is no plan without a kind, and what to grant. */
function refusal(need: Need, error: ReadError): ReadError {
  const { kind } = need;
  if (error.code !== "forbidden") return error;
  return new ReadError(
    "forbidden",
    `${error.message}. Without it no plan is safe (${kind.why}): ${grant(need)}, as in the role of the README`,
  );
}

function clauseOf(need: Need, error: ReadError): string {
  return error.code === "forbidden"
    ? `forbidden: ${grant(need)}`
    : `the API server does not serve ${need.kind.version}`;
}

function grant({ kind, namespace }: Need): string {
  return `grant list on ${fullResource(kind)}${namespace === undefined ? "" : ` in namespace ${namespace}`}`;
}
