import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { type BuildState, buildFlags, buildTools } from "./build.ts";
import { type Tool, type ToolName, type ToolSet, toolSets } from "./catalog.ts";
import { requireGo } from "./go.ts";
import { findInstalledPulumi } from "./installed-pulumi.ts";
import { withLock } from "./lock.ts";
import { cacheHome } from "./paths.ts";
import { type ProgressOutput, startProgress } from "./progress.ts";

/** Tools that are there and can be run. */
export interface Tools {
  /** The path of a binary. */
  binary(name: ToolName): string;
  /** The folders of the binaries, for a PATH. */
  folders: string[];
}

export interface EnsureOptions {
  /** The tools that are needed; all of the catalog if not said. */
  tools?: readonly ToolName[];
  output?: ProgressOutput;
  /** Other sets and another folder, for tests. */
  sets?: ToolSet[];
  cache?: string;
}

/** Makes sure that tools are there: what the machine has is used, what was built before too, the rest is built now. */
export async function ensureTools(options: EnsureOptions = {}): Promise<Tools> {
  const { sets = toolSets, cache = cacheHome(), output = process.stderr } = options;
  const wanted = options.tools ?? sets.flatMap((set) => set.tools.map(({ name }) => name));
  const binaries = (wanted.includes("pulumi") && (await findInstalledPulumi())) || new Map<ToolName, string>();
  for (const set of sets) {
    const place = placeIn(cache, set);
    const tools = set.tools.filter(({ name }) => wanted.includes(name) && !binaries.has(name));
    for (const tool of tools) binaries.set(tool.name, place(tool));
    if (tools.some((tool) => !existsSync(place(tool)))) await ensureSet(set, tools, place, cache, output);
  }
  return {
    binary: (name) => {
      const file = binaries.get(name);
      if (file === undefined) throw new Error(`${name} was not asked for`);
      return file;
    },
    folders: [...new Set([...binaries.values()].map((file) => path.dirname(file)))],
  };
}

type Place = (tool: Tool) => string;

/**
 * Where the tools of a set go: a folder for each, whose name changes with whatever its binary is made from; not with the folder of the
 * checkout, of which a machine may have several.
 */
function placeIn(cache: string, set: ToolSet): Place {
  const { folder, ...made } = set;
  const hash = createHash("sha256").update(JSON.stringify([made, buildFlags(set), process.platform, process.arch]));
  for (const entry of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    const file = path.join(folder, entry);
    if (statSync(file).isFile()) hash.update(entry).update(readFileSync(file));
  }
  const key = hash.digest("hex").slice(0, 8);
  return ({ name, version }) => path.join(cache, `${name}-${version}-${key}`, name);
}

async function ensureSet(
  set: ToolSet,
  tools: Tool[],
  place: Place,
  cache: string,
  output: ProgressOutput,
): Promise<void> {
  await requireGo();
  const work = async () => {
    // Whoever was waited for may have built them.
    const missing = tools.filter((tool) => !existsSync(place(tool)));
    if (missing.length === 0) return;
    // This process holds the lock: scratch folders that are here are those of builds that were killed.
    for (const name of readdirSync(cache)) {
      if (name.startsWith(`.build-${set.name}-`)) await rm(path.join(cache, name), { recursive: true, force: true });
    }
    const scratch = await mkdtemp(path.join(cache, `.build-${set.name}-`));
    try {
      await buildWithProgress(set, missing, place, scratch, output);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  };
  const onWait = (pid: number) => output.write(`Process ${pid} is building the same tools; waiting for it…\n`);
  await withLock(path.join(cache, `${set.name}.lock`), work, onWait);
}

async function buildWithProgress(
  set: ToolSet,
  tools: Tool[],
  place: Place,
  scratch: string,
  output: ProgressOutput,
): Promise<void> {
  let look = (): BuildState => ({ linked: [], downloaded: 0, compiled: 0 });
  const stop = startProgress(() => {
    const { linked, downloaded, compiled } = look();
    const current = tools.find((tool) => !linked.includes(tool));
    if (!current) return `built ${tools.length} of ${tools.length}`;
    const detail = compiled > 0 ? `${compiled} packages compiled` : `${downloaded} modules downloaded`;
    return `building ${linked.length + 1} of ${tools.length}: ${current.name} (${detail})`;
  }, output);
  try {
    await buildTools(set, tools, place, scratch, (state) => {
      look = state;
    });
    stop(`built ${tools.map(({ name }) => name).join(", ")}`);
  } catch (error) {
    stop(`the build of ${tools.map(({ name }) => name).join(", ")} failed`);
    throw error;
  }
}
