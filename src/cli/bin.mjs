#!/usr/bin/env node
// The command's entry: plain JavaScript, so that a Node.js that is too old for the rest hands over to the one
// that `npm install` brought, or says what is missing.
import "../compile-cache.mjs";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isRecent, NEEDED } from "../node-version.mjs";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const modules = fileURLToPath(new URL("../../node_modules", import.meta.url));
const installed = `${modules}/.bin/node`;

if (!existsSync(modules)) {
  process.stderr.write("cluster-scale is not installed yet: run `npm ci` in its folder, once.\n");
  process.exitCode = 1;
} else if (isRecent()) {
  await import("./main.ts");
} else if (existsSync(installed)) {
  const { status } = spawnSync(installed, [main, ...process.argv.slice(2)], { stdio: "inherit" });
  process.exitCode = status ?? 1;
} else {
  process.stderr.write(
    `cluster-scale needs Node.js ${NEEDED}; this is ${process.versions.node}. ` +
      "Install a newer one, or run `npm start` or `npm test` of this project once: they bring their own.\n",
  );
  process.exitCode = 1;
}
