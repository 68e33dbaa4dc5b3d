/**
 * The program as a few files in place of some two hundred, which import in half the time (docs/performance.md). `npm run build` makes it,
 * and nobody has to: it only runs where it was made of exactly the files that are here now. A stale bundle would be worse than a slow
 * start. Plain JavaScript, like main.mjs, which asks.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";

/** Where the bundle is, below the project's folder. */
export const BUNDLE = path.join("dist", "program");

/** Says what the bundle was made of: `{ entry, files, digest }`, paths below the project's folder. */
export const MANIFEST = "manifest.json";

/**
 * The file that is the whole program: the bundle's entry where the bundle is current and whole, and index.ts where it isn't.
 *
 * @param {string} root The project's folder.
 * @returns {string} A path.
 */
export function programFile(root) {
  try {
    const { entry, files, digest } = JSON.parse(readFileSync(path.join(root, BUNDLE, MANIFEST), "utf8"));
    if (digestOf(root, files) === digest) return path.join(root, entry);
  } catch {
    // There is none, or one of its files is gone.
  }
  return path.join(root, "index.ts");
}

/**
 * What tells these contents of these files from all others.
 *
 * @param {string} root The folder that the paths start from.
 * @param {string[]} files
 * @returns {string}
 * @throws Where one can't be read.
 */
export function digestOf(root, files) {
  const hash = createHash("sha256");
  for (const file of files) {
    const content = readFileSync(path.join(root, file));
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}
