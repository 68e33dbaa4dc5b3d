import type { Command } from "commander";
import type { Cluster } from "../cluster/cluster.ts";
import { addNodes, type NodeOptions } from "../cluster/nodes.ts";
import { openCluster, startCluster } from "../cluster/start.ts";
import { createDemoWorkloads } from "../workloads.ts";
import { parseCount } from "./options.ts";

/** `bench up`: a cluster with nodes and the demo workloads, that stays. */
export function addUpCommand(program: Command): void {
  program
    .command("up")
    .description("start a control plane that stays until `down`")
    .option("--name <cluster>", "its name", "dev")
    .option("--workers <count>", "workers, in zones a, b and c by turns", parseCount, 4)
    .option("--control-plane <count>", "dedicated control-plane nodes", parseCount, 1)
    .option("--no-workloads", "without the four Deployments of the namespace dev")
    .action(async (options: { name: string; workers: number; controlPlane: number; workloads: boolean }) => {
      const there = openCluster(options.name);
      if (there && Object.keys(there.pids).length > 0) {
        process.stdout.write(`The cluster "${there.name}" is up already.\n${exportLine(there)}`);
        return;
      }
      const started = Date.now();
      const cluster = await startCluster({ name: options.name, keep: true });
      await addNodes(cluster, plannedNodes(options.workers, options.controlPlane));
      if (options.workloads) await createDemoWorkloads(cluster);
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      process.stdout.write(
        `The cluster "${cluster.name}" is up, at ${cluster.server}, after ${seconds} s: ` +
          `${options.workers} workers, ${options.controlPlane} dedicated control-plane nodes` +
          `${options.workloads ? ", four Deployments in the namespace dev" : ""}.\n${exportLine(cluster)}`,
      );
    });
}

/** The nodes of a new cluster: workers by turns in three zones, and control-plane nodes with their taint. */
export function plannedNodes(workers: number, controlPlanes: number): NodeOptions[] {
  return [
    ...Array.from({ length: workers }, (_, index) => ({ name: `worker-${index + 1}`, zone: zone(index) })),
    ...Array.from({ length: controlPlanes }, (_, index) => ({
      name: `control-plane-${index + 1}`,
      role: "control-plane" as const,
      zone: zone(index),
    })),
  ];
}

function zone(index: number): string {
  return ["a", "b", "c"][index % 3] ?? "a";
}

function exportLine(cluster: Cluster): string {
  return `\n  export KUBECONFIG=${cluster.kubeconfig}\n\n`;
}
