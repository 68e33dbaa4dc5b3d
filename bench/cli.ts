/**
 * The embedded cluster by hand: `npm run bench:up`, `bench:down`, `bench:status`, `bench:nodes`.
 */
import { Command, CommanderError } from "commander";
import { addDownCommand } from "./commands/down.ts";
import { addNodesCommand } from "./commands/nodes.ts";
import { addStatusCommand } from "./commands/status.ts";
import { addToolsCommand } from "./commands/tools.ts";
import { addUpCommand } from "./commands/up.ts";

const program = new Command("bench")
  .description("Control planes on this machine, to try plans on. They listen on loopback alone.")
  .exitOverride()
  .showHelpAfterError();
for (const add of [addUpCommand, addDownCommand, addStatusCommand, addNodesCommand, addToolsCommand]) add(program);

try {
  await program.parseAsync();
} catch (error) {
  // Commander has said what is wrong with the arguments itself.
  if (!(error instanceof CommanderError)) process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = error instanceof CommanderError ? error.exitCode : 1;
}
