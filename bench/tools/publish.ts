import { chmod, mkdir, open, rename } from "node:fs/promises";
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

async function sync(file: string): Promise<void> {
  const handle = await open(file, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
