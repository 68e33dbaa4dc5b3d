/**
 * Where Pulumi enters: turns Node's compile cache on, then loads the program, which is index.ts or its bundle. A static import would
 * come first.
 */
import "./src/compile-cache.mjs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { programFile } from "./src/bundle.mjs";

const program = programFile(fileURLToPath(new URL(".", import.meta.url)));

export default (await import(pathToFileURL(program).href)).default;
