import type { Command } from "commander";
import type { Cluster } from "../cluster/cluster.ts";
import { cordon, removeNode, setNotReady, setReady, type Taint, taint, uncordon, untaint } from "../cluster/nodes.ts";
import { addAddCommand } from "./add-nodes.ts";
import { printNodes } from "./node-table.ts";
import { chooseCluster, parseSeconds, parseTaint } from "./options.ts";

/** `bench nodes`: changes the nodes of a cluster, and shows them all after each change. */
export function addNodesCommand(program: Command): void {
  const nodes = program.command("nodes").description("list and change the nodes of a cluster");
  const command = (usage: string, description: string) =>
    nodes.command(usage).description(description).option("--name <cluster>", "which one, where there are several");

  command("list", "the nodes, and what runs on them").action(({ name }: Named) => change(name, async () => undefined));
  addAddCommand(command("add [nodes...]", "add nodes; without names, worker-<next number>"), change);
  const each = (usage: string, description: string, action: (cluster: Cluster, node: string) => Promise<void>) =>
    command(`${usage} <nodes...>`, description).action((names: string[], { name }: Named) =>
      change(name, async (cluster) => {
        for (const node of names) await action(cluster, node);
      }),
    );
  each("remove", "delete nodes, with what runs on them", removeNode);
  each("cordon", "take no new pods", cordon);
  each("uncordon", "take new pods again", uncordon);

  command("taint", "add a taint")
    .argument("<node>")
    .argument("<taint>", "key=value:effect or key:effect", parseTaint)
    .action((node: string, added: Taint, { name }: Named) => change(name, (cluster) => taint(cluster, node, added)));
  command("untaint <node> <key>", "remove the taints with that key").action(
    (node: string, key: string, { name }: Named) => change(name, (cluster) => untaint(cluster, node, key)),
  );
  const since = "--since <seconds>";
  command("not-ready <nodes...>", "as after the death of the kubelet, until `ready`")
    .option(since, "for how long it has been so", parseSeconds, 0)
    .option("--unknown", "silent (Ready=Unknown), not failing (Ready=False)")
    .action((names: string[], { name, since, unknown }: Named & { since: number; unknown?: boolean }) =>
      change(name, async (cluster) => {
        const status = unknown ? "Unknown" : "False";
        for (const node of names) await setNotReady(cluster, node, { since: ago(since), status });
      }),
    );
  command("ready <nodes...>", "healthy again")
    .option(since, "for how long it has been so", parseSeconds, 0)
    .action((names: string[], { name, since }: Named & { since: number }) =>
      change(name, async (cluster) => {
        for (const node of names) await setReady(cluster, node, { since: ago(since) });
      }),
    );
}

interface Named {
  name?: string;
}

async function change(name: string | undefined, work: (cluster: Cluster) => Promise<void>): Promise<void> {
  const cluster = chooseCluster(name);
  try {
    await work(cluster);
    await printNodes(cluster);
  } finally {
    cluster.close();
  }
}

function ago(seconds: number): Date {
  return new Date(Date.now() - seconds * 1000);
}
