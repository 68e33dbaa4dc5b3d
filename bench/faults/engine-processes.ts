/** The processes of one run, from outside: whom a fault ends. */
import path from "node:path";
import { type Process, processes } from "../../src/cli/processes.ts";
import { waitFor } from "../cluster/wait.ts";

/** Parts of a run: our own command, the Pulumi CLI with its engine, its language host with the program, and the provider. */
export const PARTS = ["driver", "engine", "host", "program", "provider"] as const;
export type Part = (typeof PARTS)[number];

const KINDS: Record<Part, (command: string[]) => boolean> = {
  driver: ([, script = ""]) => script.endsWith("src/cli/bin.mjs"),
  engine: ([program = "", operation]) => path.basename(program) === "pulumi" && operation === "up",
  host: ([program = ""]) => path.basename(program) === "pulumi-language-nodejs",
  program: (command) => command.some((part) => /@pulumi\/pulumi\/cmd\/run(\/|$)/.test(part)),
  provider: ([program = ""]) => path.basename(program) === "pulumi-resource-kubernetes",
};

/** The parts of runs that work in a folder. */
export function partsIn(folder: string): { part: Part; process: Process }[] {
  return processes()
    .filter(({ cwd }) => cwd === folder)
    .flatMap((process) => {
      const part = PARTS.find((name) => KINDS[name](process.command));
      return part === undefined ? [] : [{ part, process }];
    });
}

/** Sends a signal to a part of the run in a folder. */
export function signalPart(folder: string, part: Part, signal: NodeJS.Signals): void {
  const found = partsIn(folder).filter((each) => each.part === part);
  if (found.length === 0) throw new Error(`there is no ${part} to send ${signal} to`);
  for (const {
    process: { pid },
  } of found)
    process.kill(pid, signal);
}

/** Waits until no engine works in a folder. */
export async function engineEnded(folder: string): Promise<void> {
  await waitFor(() => !partsIn(folder).some(({ part }) => part === "engine"), {
    what: "the engine to end by itself",
    timeout: 120_000,
  });
}
