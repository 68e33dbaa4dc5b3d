/**
 * Keeps what Node makes of the program's files between two runs: their types stripped, their code compiled. Without it most of the
 * time from the start of a preview to its first request goes into that (docs/decisions/0002). Plain JavaScript, since loading the
 * first TypeScript file costs the most.
 *
 * Beside the packages and not in Node's default folder below /tmp, which others could write to. A folder that can't be
 * written is no error: then nothing is kept.
 */
import module from "node:module";
import { fileURLToPath } from "node:url";

// Older versions of Node have none, and come this far before they are told so.
module.enableCompileCache?.(fileURLToPath(new URL("../node_modules/.cache/cluster-scale", import.meta.url)));
