import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { bundleProgram } from "../../scripts/bundle.ts";
import { programFile } from "../../src/bundle.mjs";
import { temporaryFolder } from "../bench/temporary.ts";

const project = path.join(import.meta.dirname, "..", "..");

describe("a bundle", () => {
  let root: string;
  const at = (...parts: string[]) => path.join(root, ...parts);
  beforeEach(async () => {
    root = temporaryFolder();
    mkdirSync(at("src"));
    mkdirSync(at("node_modules", "kept"), { recursive: true });
    writeFileSync(at("node_modules", ".package-lock.json"), "{}");
    writeFileSync(at("node_modules", "kept", "package.json"), '{ "type": "module", "main": "index.js" }');
    writeFileSync(at("node_modules", "kept", "index.js"), "export const kept = 1;");
    writeFileSync(at("index.ts"), 'import { two } from "./src/two.ts"; export default (): number => two;');
    writeFileSync(at("src", "two.ts"), 'import { kept } from "kept"; export const two: number = kept + 1;');
    await bundleProgram(root);
  });

  const bundle = () => at("dist", "program", "program.mjs");

  test("is the whole program", async () => {
    expect(programFile(root)).toBe(bundle());
    rmSync(at("src"), { recursive: true });
    const { default: program } = await import(pathToFileURL(bundle()).href);
    expect(program()).toBe(2);
  });

  test.for<[string, () => void]>([
    ["a source changed", () => writeFileSync(at("src", "two.ts"), "export const two: number = 3;")],
    ["a source is gone", () => rmSync(at("src", "two.ts"))],
    ["other packages are installed", () => writeFileSync(at("node_modules", ".package-lock.json"), "{ }")],
    ["npm did not install the packages", () => rmSync(at("node_modules", ".package-lock.json"))],
    ["it was cut off", () => truncateSync(bundle(), 10)],
    ["its manifest was cut off", () => truncateSync(at("dist", "program", "manifest.json"), 10)],
    ["there is none", () => rmSync(at("dist"), { recursive: true })],
  ])("does not run where %s: the sources do", ([, change]) => {
    change();
    expect(programFile(root)).toBe(at("index.ts"));
  });

  test("takes the place of an earlier one, and leaves nothing beside it", async () => {
    writeFileSync(at("src", "two.ts"), "export const two: number = 3;");
    await bundleProgram(root);
    expect(programFile(root)).toBe(bundle());
    expect(readdirSync(at("dist"))).toEqual(["program"]);
  });

  test("that can't be made leaves the earlier one, which does not run", async () => {
    writeFileSync(at("src", "two.ts"), "export const two: number = ;");
    await expect(bundleProgram(root)).rejects.toThrow("two.ts");
    expect(readdirSync(at("dist"))).toEqual(["program"]);
    expect(programFile(root)).toBe(at("index.ts"));
  });
});

describe("the program", () => {
  test("is bundled, and the bundle current", () => {
    expect(programFile(project), "npm run build").toBe(path.join(project, "dist", "program", "program.mjs"));
  });

  test("is the same function where it runs from its sources", async () => {
    const root = temporaryFolder();
    for (const part of ["src", "index.ts", "main.mjs", "package.json"]) {
      cpSync(path.join(project, part), path.join(root, part), { recursive: true });
    }
    symlinkSync(path.join(project, "node_modules"), path.join(root, "node_modules"));
    expect(programFile(root)).toBe(path.join(root, "index.ts"));
    const { default: program } = await import(pathToFileURL(path.join(root, "main.mjs")).href);
    expect(program).toBeTypeOf("function");
  });
});
