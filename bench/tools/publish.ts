import { chmod, mkdir, open, readdir, rename } from "node:fs/promises";
import path from "node:path";

/**
 * Moves a finished file to where others look for it, so that they find nothing or all of it: it first goes beside its
 * place under another name, its content is forced to the disk, and then it gets its name in one step.
 */
export async function publish(from: string, to: string): Promise<void> {
  const folder = path.dirname(to);
  const draft = path.join(folder, `.${path.basename(to)}.${process.pid}`);
  await mkdir(folder, { recursive: true });
  await rename(from, draft);
  await chmod(draft, 0o755);
  await sync(draft);
  await rename(draft, to);
  await sync(folder);
}

/** The same for a folder with everything in it. */
export async function publishFolder(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await sync(path.join(entry.parentPath, entry.name));
  }
  await rename(from, to);
  await sync(path.dirname(to));
}

async function sync(file: string): Promise<void> {
  const handle = await open(file, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
