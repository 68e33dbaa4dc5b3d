import { chmod, cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { downloadModule } from "./go.ts";

/** A Go module that is built from a copy with a few changes in it. */
export interface PatchedModule {
  module: string;
  version: string;
  /** Its checksum: go.sum does not cover a module that a folder replaces. */
  sum: string;
  /** Where the set's go.mod expects the changed copy. */
  folder: string;
  patches: Patch[];
  /** Files of the module that become part of a binary, and where the set's own Go code expects them. */
  embedded: { from: string; to: string; replace?: Replacement }[];
}

export interface Replacement {
  text: string;
  by: string;
}

export interface Patch extends Replacement {
  file: string;
  why: string;
}

/** Downloads the module, checks it, and puts its changed copy and the embedded files into the build folder. */
export async function placePatchedModule(patched: PatchedModule, buildFolder: string): Promise<void> {
  const { module, version, sum } = patched;
  const source = await downloadModule(`${module}@${version}`);
  if (source.sum !== sum) throw new Error(`${module}@${version} has the checksum ${source.sum}, not ${sum}: not built`);
  await copyPatched(source.dir, patched, buildFolder);
}

/** Copies a module with its changes; throws where one has nothing to change. */
export async function copyPatched(
  source: string,
  { folder, patches, embedded }: Pick<PatchedModule, "folder" | "patches" | "embedded">,
  buildFolder: string,
): Promise<void> {
  const copy = path.join(buildFolder, folder);
  await cp(source, copy, { recursive: true, filter: (file) => !file.endsWith("_test.go") });
  await makeWritable(copy);
  for (const patch of patches) await replaceIn(path.join(copy, patch.file), path.join(copy, patch.file), patch);
  for (const { from, to, replace } of embedded) {
    await replaceIn(path.join(source, from), path.join(buildFolder, to), replace);
  }
}

/** What the module cache holds is read-only, and so is a copy; nobody but root could change or remove it. */
async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) await makeWritable(file);
    else await chmod(file, 0o644);
  }
}

async function replaceIn(from: string, to: string, replacement?: Replacement): Promise<void> {
  let content = await readFile(from, "utf8");
  if (replacement) {
    if (!content.includes(replacement.text)) throw new Error(`${from} has no "${replacement.text}" to change`);
    content = content.replace(replacement.text, () => replacement.by);
  }
  await mkdir(path.dirname(to), { recursive: true });
  await writeFile(to, content);
}
