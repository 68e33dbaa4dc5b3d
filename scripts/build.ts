/** `npm run build`: the program as a bundle, which starts sooner than its sources. */
import path from "node:path";
import { bundleProgram } from "./bundle.ts";

const root = path.join(import.meta.dirname, "..");
const folder = await bundleProgram(root);
console.log(
  `The program is bundled in ${path.relative(root, folder)}; it runs from there until one of its sources changes.`,
);
