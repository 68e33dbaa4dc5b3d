/** A state file of a backend that is a folder: whether it is whole, and the copies of it that Pulumi keeps. */
import { copyFile, mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";

export interface DamagedState {
  file: string;
  problem: string;
  /** What is to stand in its place: the newest whole copy, or itself where only its attributes are damaged; null where there is none. */
  backup: string | null;
}

/** Undefined where the state is whole, or where there is none yet. */
export async function damagedState(folder: string, project: string, stack: string): Promise<DamagedState | undefined> {
  const file = path.join(folder, ".pulumi", "stacks", project, `${stack}.json`);
  const problem = await problemOf(file);
  if (problem !== undefined) {
    return { file, problem, backup: await newestWhole(await copiesOf(folder, project, stack)) };
  }
  const attributes = await problemOfAttributes(file);
  return attributes === undefined ? undefined : { file, problem: attributes, backup: file };
}

/**
 * Moves a damaged state away, puts its copy in its place where there is one, and gives the file into which it was moved. Its attributes
 * go: they are those of what was to be written, and nobody needs them.
 *
 * @param into a folder, which need not exist.
 */
export async function replaceState({ file, backup }: DamagedState, into: string): Promise<string> {
  await mkdir(into, { recursive: true, mode: 0o700 });
  const time = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const kept = path.resolve(into, `${path.basename(file, ".json")}-damaged-${time}.json`);
  await copyFile(file, kept);
  await rm(attributesOf(file), { force: true });
  if (backup === null) {
    await rm(file);
  } else {
    await copyFile(backup, `${file}.new`);
    await rename(`${file}.new`, file);
  }
  return kept;
}

/** Of before the last save, and of the end of each update: pulumi/pkg/backend/diy (backupTarget, backupStack, addToHistory). */
async function copiesOf(folder: string, project: string, stack: string): Promise<string[]> {
  const root = path.join(folder, ".pulumi");
  const of = async (name: string, pattern: RegExp) => {
    const place = path.join(root, name, project, stack);
    const files = await readdir(place).catch(() => []);
    return files.filter((file) => pattern.test(file)).map((file) => path.join(place, file));
  };
  return [
    path.join(root, "stacks", project, `${stack}.json.bak`),
    ...(await of("backups", /\.json$/)),
    ...(await of("history", /\.checkpoint\.json$/)),
  ];
}

async function newestWhole(files: string[]): Promise<string | null> {
  const whole = await Promise.all(
    files.map(async (file) => {
      if ((await problemOf(file, "required")) !== undefined) return [];
      return [{ file, time: (await stat(file)).mtimeMs }];
    }),
  );
  return whole.flat().toSorted((a, b) => b.time - a.time)[0]?.file ?? null;
}

/** A file of them is beside each object of the backend, written first (gocloud.dev/blob/fileblob): cut off, it hides an object that is whole. */
const attributesOf = (file: string) => `${file}.attrs`;

async function problemOfAttributes(file: string): Promise<string | undefined> {
  const text = await readFile(attributesOf(file), "utf8").catch(() => "{}");
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `its attributes, ${path.basename(attributesOf(file))}: ${text === "" ? "empty" : (error as Error).message}`;
  }
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
