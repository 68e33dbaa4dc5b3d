// Writes the address of each module that a process loads into the file LOADED_MODULES.
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    appendFileSync(process.env.LOADED_MODULES, `${resolved.url}\n`);
    return resolved;
  },
});
