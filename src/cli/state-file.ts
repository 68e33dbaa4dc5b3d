/** A state file of a backend that is a folder: whether it is whole, and the copy that Pulumi keeps beside it. */
import { copyFile, mkdir, readFile, rename } from "node:fs/promises";
import path from "node:path";

export interface DamagedState {
  file: string;
  problem: string;
  /** Pulumi's copy of the state before its last save (`.bak`), where that is whole. */
  backup: string | null;
}

/** Undefined where the state is whole, or where there is none yet. */
export async function damagedState(folder: string, project: string, stack: string): Promise<DamagedState | undefined> {
  const file = path.join(folder, ".pulumi", "stacks", project, `${stack}.json`);
  const problem = await problemOf(file);
  if (problem === undefined) return undefined;
  const backup = `${file}.bak`;
  return { file, problem, backup: (await problemOf(backup, "required")) === undefined ? backup : null };
}

/** Puts Pulumi's copy in the place of a damaged state, and gives the file into which that was moved. */
export async function restoreState({ file, backup }: DamagedState, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const time = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const kept = path.resolve(folder, `${path.basename(file, ".json")}-damaged-${time}.json`);
  await copyFile(file, kept);
  if (backup === null) return kept;
  await copyFile(backup, `${file}.new`);
  await rename(`${file}.new`, file);
  return kept;
}

async function problemOf(file: string, needed?: "required"): Promise<string | undefined> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    return needed === undefined ? undefined : (error as Error).message;
  }
  try {
    const state = JSON.parse(text) as { checkpoint?: unknown } | null;
    return typeof state?.checkpoint === "object" ? undefined : "it is no checkpoint of Pulumi";
  } catch (error) {
    return text === "" ? "it is empty" : (error as Error).message;
  }
}
