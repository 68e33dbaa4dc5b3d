import { type Command, Option } from "commander";
import type { Cluster } from "../cluster/cluster.ts";
import { controlPlaneTaint } from "../cluster/node-object.ts";
import { addNodes, freeNodeNames, type NodeOptions, type Taint } from "../cluster/nodes.ts";
import { collectLabel, collectTaint, parseCount } from "./options.ts";

interface AddOptions {
  name?: string;
  count: number;
  role: "worker" | "control-plane";
  taint?: Taint[];
  untainted?: boolean;
  zone?: string;
  label?: Record<string, string>;
  cpu?: string;
  memory?: string;
  pods?: string;
}

/** The options and the work of `bench nodes add`. */
export function addAddCommand(
  command: Command,
  change: (name: string | undefined, work: (cluster: Cluster) => Promise<void>) => Promise<void>,
): void {
  command
    .option("--count <count>", "how many, where no names are given", parseCount, 1)
    .addOption(new Option("--role <role>", "what they are").choices(["worker", "control-plane"]).default("worker"))
    .option("--taint <taint>", "key=value:effect or key:effect; can be given several times", collectTaint)
    .option("--untainted", "without the taint of a control-plane node: it takes ordinary pods")
    .option("--zone <zone>", "topology.kubernetes.io/zone")
    .option("--label <key=value>", "can be given several times", collectLabel)
    .option("--cpu <quantity>", "allocatable CPU")
    .option("--memory <quantity>", "allocatable memory")
    .option("--pods <count>", "allocatable pods")
    .action((names: string[], options: AddOptions) =>
      change(options.name, async (cluster) => {
        const added = names.length > 0 ? names : await freeNodeNames(cluster, options.count, options.role);
        await addNodes(
          cluster,
          added.map((name) => ({ ...nodeOptions(options), name })),
        );
      }),
    );
}

function nodeOptions({
  role,
  taint = [],
  untainted,
  zone,
  label = {},
  cpu,
  memory,
  pods,
}: AddOptions): Omit<NodeOptions, "name"> {
  const own = role === "control-plane" && !untainted ? [controlPlaneTaint] : [];
  const sizes = Object.entries({ cpu, memory, pods }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return {
    role,
    labels: label,
    taints: [...own, ...taint],
    allocatable: Object.fromEntries(sizes),
    ...(zone === undefined ? {} : { zone }),
  };
}
