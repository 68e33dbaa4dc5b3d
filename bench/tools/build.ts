import { existsSync } from "node:fs";
import { cp, mkdir } from "node:fs/promises";
import path from "node:path";
import type { Tool, ToolSet } from "./catalog.ts";
import { runGo } from "./go.ts";
import { placePatchedModule } from "./patched-module.ts";
import { publish } from "./publish.ts";

/**
 * Quicker to compile and to link, and smaller: no debug information, no paths of this machine, and no second compilation
 * of half the dependencies for a profile of somebody's production.
 */
const FLAGS = ["-trimpath", "-buildvcs=false", "-pgo=off", "-gcflags=all=-dwarf=false"];

/** The flags of `go build` for a set. */
export function buildFlags({ variables, tags }: ToolSet): string[] {
  const settings = Object.entries(variables).map(([name, value]) => `-X ${name}=${value}`);
  return [...FLAGS, ...(tags ? [`-tags=${tags.join(",")}`] : []), `-ldflags=-s -w ${settings.join(" ")}`];
}

/** How far a build is. */
export interface BuildState {
  /** Tools of this build whose binary is linked. */
  linked: Tool[];
  downloaded: number;
  compiled: number;
}

/**
 * Builds tools of one set, and publishes each to its place. One `go build` for all: it compiles what they share once, and
 * links one while it compiles for the next.
 *
 * @param scratch a folder of its own for the source and the unfinished binaries, on the file system of the places.
 * @param started is given a function that tells how far the build is, while it runs.
 */
export async function buildTools(
  set: ToolSet,
  tools: Tool[],
  place: (tool: Tool) => string,
  scratch: string,
  started: (state: () => BuildState) => void = () => undefined,
): Promise<void> {
  const source = path.join(scratch, "source");
  const output = path.join(scratch, "output");
  const binary = (tool: Tool) => path.join(output, tool.built ?? tool.name);
  await mkdir(output, { recursive: true });
  let downloaded = 0;
  let compiled = 0;
  started(() => ({ linked: tools.filter((tool) => existsSync(binary(tool))), downloaded, compiled }));
  await cp(set.folder, source, { recursive: true });
  if (set.patched) await placePatchedModule(set.patched, source);
  const args = ["build", "-v", ...buildFlags(set), "-o", `${output}${path.sep}`, ...tools.map((tool) => tool.package)];
  await runGo(args, {
    cwd: source,
    onLine: (line) => {
      if (line.startsWith("go: downloading")) downloaded += 1;
      else compiled += 1;
    },
  });
  for (const tool of tools) await publish(binary(tool), place(tool));
}
