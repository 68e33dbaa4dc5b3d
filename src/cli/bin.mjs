#!/usr/bin/env node
// The command's entry: plain JavaScript, so that a Node.js that can't run TypeScript by itself hands over to the one
// that `npm install` brought, or says what is missing.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const OLDEST = [22, 18];
const [major, minor] = process.versions.node.split(".").map(Number);
const main = fileURLToPath(new URL("main.ts", import.meta.url));
const installed = fileURLToPath(new URL("../../node_modules/.bin/node", import.meta.url));

if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) {
  await import("./main.ts");
} else if (existsSync(installed)) {
  const { status } = spawnSync(installed, [main, ...process.argv.slice(2)], { stdio: "inherit" });
  process.exitCode = status ?? 1;
} else {
  process.stderr.write(
    `cluster-scale needs Node.js ${OLDEST.join(".")} or newer, which runs TypeScript by itself; this is ${process.versions.node}. ` +
      "Install a newer one, or run `npm start` or `npm test` of this project once: they bring their own.\n",
  );
  process.exitCode = 1;
}
