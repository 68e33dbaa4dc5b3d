/**
 * Runs a script of this project on a machine that may have nothing but Node 20 and npm: installs what the lockfile
 * says when it has changed, then runs the script on the Node 24 that comes with it.
 *
 *   node scripts/with-setup.mjs <script> [arguments…]
 *
 * Plain JavaScript without dependencies, because it runs before there are any.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const modules = path.join(root, "node_modules");
const bin = path.join(modules, ".bin");
const marker = path.join(modules, ".cluster-scale-setup");

/** The state of node_modules that this checkout wants; the marker holds it once an install has ended well. */
const wanted = createHash("sha256")
  .update(readFileSync(path.join(root, "package-lock.json")))
  .update(`${process.platform} ${process.arch}`)
  .digest("hex");

function npm(...args) {
  const { status, error } = spawnSync("npm", args, { cwd: root, stdio: ["ignore", 2, 2] });
  if (error) fail(`npm could not be started (${error.message}). Install Node.js 20 or newer, with npm.`);
  if (status !== 0) fail(`\`npm ${args.join(" ")}\` failed; its output above says why. Nothing else was done.`);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

if (!existsSync(marker) || readFileSync(marker, "utf8") !== wanted) {
  process.stderr.write("Installing the packages of package-lock.json (about a minute, once)…\n");
  npm("ci", "--loglevel=error");
  // The only install script that is needed: it fetches Node 24 from the registry. .npmrc keeps all others off.
  npm("rebuild", "node", "--ignore-scripts=false", "--loglevel=error");
  writeFileSync(`${marker}.new`, wanted);
  renameSync(`${marker}.new`, marker);
}

const child = spawn(path.join(bin, "node"), process.argv.slice(2), {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ""}` },
});
// A terminal's Ctrl-C reaches the child by itself; this process only has to outlive it, so that its end is seen.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    if (signal !== "SIGINT") child.kill(signal);
  });
}
child.on("error", (error) => fail(`${path.join(bin, "node")} could not be started: ${error.message}`));
child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
