import { isRunning } from "../process-id.ts";
import { companionIds, stopCompanions } from "./companions.ts";
import { stopComponents } from "./processes.ts";
import { type ClusterRecord, clustersRoot, listRecords, removeCluster } from "./registry.ts";

/** Stops a cluster from its record alone, and removes what it left. */
export async function takeDown(record: ClusterRecord): Promise<void> {
  await stopCompanions(record);
  await stopComponents(record);
  removeCluster(record);
}

/** Whether nothing of it runs, and nobody is about to start it: the machine was restarted, or everything has died. */
export function isDead(record: ClusterRecord): boolean {
  return ![record.startedBy, ...Object.values(record.running), ...companionIds(record)].some(isRunning);
}

/** Takes down the clusters whose starter has died without doing it; gives their names. */
export async function sweepClusters(root = clustersRoot()): Promise<string[]> {
  const orphans = listRecords(root).filter(({ keep, startedBy }) => !keep && !isRunning(startedBy));
  await Promise.all(orphans.map(takeDown));
  return orphans.map(({ name }) => name);
}

/** Takes down the clusters that this process has started and does not keep, those that are still coming up too. */
export async function takeDownOwn(root = clustersRoot()): Promise<void> {
  const own = listRecords(root).filter(
    ({ keep, startedBy }) => !keep && startedBy.pid === process.pid && isRunning(startedBy),
  );
  await Promise.all(own.map(takeDown));
}
