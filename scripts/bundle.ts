/** Makes the bundle of the program that src/bundle.mjs describes. */
import { rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { rolldown } from "rolldown";
import { BUNDLE, digestOf, MANIFEST } from "../src/bundle.mjs";

/** What npm has put into node_modules: it changes with every installed version. */
const PACKAGES = path.join("node_modules", ".package-lock.json");

/**
 * Not in the bundle: Pulumi's SDK, of which there must be one instance in a process, and the whole of client-node, which is only
 * loaded where the login is an unusual one.
 */
const external = [/^@pulumi\//, "@kubernetes/client-node"];

/**
 * Bundles the program of a folder, and puts that in the place of an earlier bundle as a whole: what is cut off half-way leaves none.
 *
 * @returns the bundle's folder.
 */
export async function bundleProgram(root: string): Promise<string> {
  const modules: string[] = [];
  const build = await rolldown({
    cwd: root,
    input: { program: path.join(root, "index.ts") },
    platform: "node",
    external,
    plugins: [{ name: "modules", moduleParsed: ({ id }) => void modules.push(id) }],
  });
  const folder = path.join(root, BUNDLE);
  const made = `${folder}.${process.pid}`;
  try {
    const { output } = await build.write({ dir: made, entryFileNames: "[name].mjs", chunkFileNames: "[name].mjs" });
    await rm(folder, { recursive: true, force: true });
    await rename(made, folder);
    const files = [
      ...ownSources(root, modules),
      PACKAGES,
      ...output.map(({ fileName }) => path.join(BUNDLE, fileName)),
    ];
    const manifest = { entry: path.join(BUNDLE, "program.mjs"), files, digest: digestOf(root, files) };
    await writeFile(path.join(folder, MANIFEST), JSON.stringify(manifest));
  } finally {
    await build.close();
    await rm(made, { recursive: true, force: true });
  }
  return folder;
}

/** Those of the modules that are the project's own; the bundler's helpers and the packages (which may be linked from elsewhere) are not. */
function ownSources(root: string, modules: string[]): string[] {
  const files = modules.filter((id) => path.isAbsolute(id)).map((id) => path.relative(root, id));
  return files.filter((file) => !/^(\.\.|node_modules)[\\/]/.test(file)).sort();
}
