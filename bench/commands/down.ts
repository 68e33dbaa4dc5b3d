import type { Command } from "commander";
import { clustersRoot, listRecords } from "../cluster/registry.ts";
import { takeDown } from "../cluster/sweep.ts";
import { chooseCluster } from "./options.ts";

/** `bench down`: stops clusters and removes their folders, whoever started them. */
export function addDownCommand(program: Command): void {
  program
    .command("down")
    .description("stop a cluster and remove what it kept")
    .option("--name <cluster>", "which one, where there are several")
    .option("--all", "all of them, those of tests that run included")
    .action(async ({ name, all }: { name?: string; all?: boolean }) => {
      const records = listRecords(clustersRoot());
      if (records.length === 0) {
        process.stdout.write("No cluster is there.\n");
        return;
      }
      const chosen = all ? records : records.filter((record) => record.name === chooseCluster(name).name);
      await Promise.all(chosen.map(takeDown));
      for (const record of chosen) process.stdout.write(`The cluster "${record.name}" is down.\n`);
    });
}
