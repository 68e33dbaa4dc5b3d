/**
 * Where Pulumi enters: turns Node's compile cache on, then loads the program, which is index.ts or its bundle. A static import would
 * come first.
 */
import "./src/compile-cache.mjs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { programFile } from "./src/bundle.mjs";
import { isRecent, NEEDED } from "./src/node-version.mjs";

if (!isRecent()) {
  const { RunError } = await import("@pulumi/pulumi");
  throw new RunError(
    `cluster-scale needs Node.js ${NEEDED}; Pulumi ran it on ${process.versions.node}, the first on your PATH. Put a newer one there: ` +
      "`npm rebuild node --ignore-scripts=false` brings one, in node_modules/.bin",
  );
}

const program = programFile(fileURLToPath(new URL(".", import.meta.url)));

export default (await import(pathToFileURL(program).href)).default;
