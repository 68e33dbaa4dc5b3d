import type { Command } from "commander";
import { Cluster } from "../cluster/cluster.ts";
import { type ClusterRecord, clustersRoot, componentNames, listRecords } from "../cluster/registry.ts";
import { printTable } from "./table.ts";

/** `bench status`: the clusters of this user, and what of them runs. */
export function addStatusCommand(program: Command): void {
  program
    .command("status")
    .description("the clusters of this machine's user")
    .action(async () => {
      const records = listRecords(clustersRoot());
      if (records.length === 0) process.stdout.write("No cluster is there. Start one: npm run bench:up\n");
      else printTable(["cluster", "state", "nodes", "kept", "kubeconfig"], await Promise.all(records.map(row)));
    });
}

async function row(record: ClusterRecord): Promise<string[]> {
  const cluster = new Cluster(record);
  const { pids } = cluster;
  const dead = componentNames.filter((component) => pids[component] === undefined);
  const state = dead.length === 0 ? "up" : `not running: ${dead.join(", ")}`;
  const kept = record.keep ? "until bench:down" : `by process ${record.startedBy.pid}`;
  return [record.name, state, await nodeCount(cluster), kept, cluster.kubeconfig];
}

async function nodeCount(cluster: Cluster): Promise<string> {
  try {
    return String((await cluster.api.list("/api/v1/nodes")).length);
  } catch {
    return "?";
  } finally {
    cluster.close();
  }
}
