import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { execa } from "execa";
import { describe, expect, test, vi } from "vitest";
import type { ToolSet } from "../../bench/tools/catalog.ts";
import { ensureTools } from "../../bench/tools/ensure.ts";
import { temporaryFolder } from "./temporary.ts";

const BUILD_MS = 120_000;

describe("ensureTools", () => {
  test("builds once for two who ask at the same time, and not again", { timeout: BUILD_MS }, async () => {
    const { options, output } = project('func main() { println("version one") }');

    const [one, two] = await Promise.all([ensureTools(options), ensureTools(options)]);

    expect(one.binary("kwok")).toBe(two.binary("kwok"));
    expect((await execa(one.binary("kwok"))).stderr).toBe("version one");
    expect(output.text.match(/^built kwok/gm)).toHaveLength(1);
    expect(output.text).toContain(`Process ${process.pid} is building the same tools; waiting for it…`);
    const before = output.text;
    await ensureTools(options);
    expect(output.text).toBe(before);
    expect(leftovers(options.cache)).toEqual([]);
  });

  test("builds anew when the source has changed, beside what was there", { timeout: BUILD_MS }, async () => {
    const { options, write } = project('func main() { println("version one") }');
    const before = await ensureTools(options);
    write('func main() { println("version two") }');
    const after = await ensureTools(options);
    expect((await execa(before.binary("kwok"))).stderr).toBe("version one");
    expect((await execa(after.binary("kwok"))).stderr).toBe("version two");
  });

  test("builds nothing anew for a second checkout of the same source", { timeout: BUILD_MS }, async () => {
    const one = project("func main() {}");
    const other = project("func main() {}");
    const built = await ensureTools(one.options);
    const found = await ensureTools({ ...other.options, cache: one.options.cache });
    expect(found.binary("kwok")).toBe(built.binary("kwok"));
    expect(other.output.text).toBe("");
  });

  test("leaves nothing behind when the build fails, and says why", { timeout: BUILD_MS }, async () => {
    const { options, write } = project("func main() { undefined() }");
    await expect(ensureTools(options)).rejects.toThrow("undefined: undefined");
    expect(leftovers(options.cache)).toEqual([]);
    write("func main() {}");
    const tools = await ensureTools(options);
    expect(existsSync(tools.binary("kwok"))).toBe(true);
  });

  test("never uses what a killed build left, and removes it", { timeout: BUILD_MS }, async () => {
    const { options } = project("func main() {}");
    const abandoned = path.join(options.cache, ".build-fake-a1b2c3", "output");
    mkdirSync(abandoned, { recursive: true });
    writeFileSync(path.join(abandoned, "kwok"), "half a binary", { mode: 0o755 });
    writeFileSync(path.join(options.cache, "fake.lock"), JSON.stringify({ pid: process.pid, start: "long ago" }));
    const tools = await ensureTools(options);
    expect((await execa(tools.binary("kwok"))).exitCode).toBe(0);
    expect(leftovers(options.cache)).toEqual([]);
  });

  test("says in one sentence what to install where there is no Go", async () => {
    const { options } = project("func main() {}");
    vi.stubEnv("PATH", "/nowhere");
    await expect(ensureTools(options)).rejects.toThrow(
      "There is no Go on PATH. Install Go 1.26.6 or newer (https://go.dev/dl/): the bench builds its tools with it, once.",
    );
    vi.unstubAllEnvs();
  });
});

/** A module of a few bytes under a name of the catalog, a cache folder, and what the user is told. */
function project(body: string) {
  const folder = temporaryFolder();
  const source = path.join(folder, "source");
  mkdirSync(source);
  writeFileSync(path.join(source, "go.mod"), "module fake\n\ngo 1.26\n");
  const write = (code: string) => writeFileSync(path.join(source, "main.go"), `package main\n\n${code}\n`);
  write(body);
  const set: ToolSet = {
    name: "fake",
    folder: source,
    tools: [{ name: "kwok", version: "1.0.0", package: ".", built: "fake" }],
    variables: {},
  };
  const output = {
    text: "",
    write(text: string) {
      output.text += text;
    },
  };
  return { options: { sets: [set], cache: path.join(folder, "cache"), output }, output, write };
}

/** What is in the cache beside the folders of finished tools. */
function leftovers(cache: string): string[] {
  return readdirSync(cache).filter((name) => !name.startsWith("kwok-1.0.0-"));
}
