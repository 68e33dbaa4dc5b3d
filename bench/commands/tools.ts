import path from "node:path";
import type { Command } from "commander";
import { ensureTools } from "../tools/ensure.ts";

/** `bench tools`: builds what is missing and says where everything is. */
export function addToolsCommand(program: Command): void {
  program
    .command("tools")
    .description("build the tools that are missing, and print a PATH with all of them")
    .action(async () => {
      const { folders } = await ensureTools();
      process.stdout.write(`\n  export PATH=${folders.join(path.delimiter)}:$PATH\n\n`);
    });
}
