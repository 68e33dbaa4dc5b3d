import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { type DamagedState, damagedState, replaceState } from "../../src/cli/state-file.ts";
import { folderWith } from "./run.ts";

const WHOLE = '{"version":3,"checkpoint":{"stack":"dev"}}';

function backend(files: Record<string, string>) {
  const folder = folderWith({});
  const stacks = path.join(folder.path, ".pulumi", "stacks", "p");
  mkdirSync(stacks, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(stacks, name), text);
  return { folder, stacks, look: () => damagedState(folder.path, "p", "dev") };
}

test.each([{ "dev.json": WHOLE }, {}])(
  "a state that is whole, or not there yet, is not damaged (%o)",
  async (files) => {
    const { folder, look } = backend(files);
    using _ = folder;
    expect(await look()).toBeUndefined();
  },
);

test.each([
  [{ "dev.json": WHOLE.slice(0, 9), "dev.json.bak": WHOLE }, /JSON/, true],
  [{ "dev.json": "", "dev.json.bak": WHOLE }, /^it is empty$/, true],
  [{ "dev.json": "null", "dev.json.bak": WHOLE }, /^it is no checkpoint of Pulumi$/, true],
  [{ "dev.json": "", "dev.json.bak": "" }, /^it is empty$/, false],
  [{ "dev.json": "" }, /^it is empty$/, false],
])("%o is damaged", async (files, problem, hasBackup) => {
  const { folder, stacks, look } = backend(files);
  using _ = folder;
  expect(await look()).toEqual({
    file: path.join(stacks, "dev.json"),
    problem: expect.stringMatching(problem),
    backup: hasBackup ? path.join(stacks, "dev.json.bak") : null,
  });
});

test("the copy is put in its place, and the damaged file kept", async () => {
  const { folder, stacks, look } = backend({ "dev.json": "{", "dev.json.bak": WHOLE });
  using _ = folder;
  const kept = await replaceState((await look()) as DamagedState, path.join(folder.path, "kept"));
  expect(readFileSync(path.join(stacks, "dev.json"), "utf8")).toBe(WHOLE);
  expect(readFileSync(kept, "utf8")).toBe("{");
  expect(await look()).toBeUndefined();
});

test("of several copies the newest whole one is taken", async () => {
  const { folder, look } = backend({ "dev.json": "{", "dev.json.bak": "" });
  using _ = folder;
  const copies = [
    ["backups", "dev.1.json", WHOLE, 1],
    ["history", "dev-2.checkpoint.json", WHOLE, 2],
    ["history", "dev-2.history.json", WHOLE, 3],
    ["backups", "dev.4.json", "{", 4],
  ] as const;
  for (const [kind, name, text, time] of copies) {
    const file = path.join(folder.path, ".pulumi", kind, "p", "dev", name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    utimesSync(file, time, time);
  }
  expect((await look())?.backup).toBe(
    path.join(folder.path, ".pulumi", "history", "p", "dev", "dev-2.checkpoint.json"),
  );
});

test("without any copy the damaged file is moved away", async () => {
  const { folder, stacks, look } = backend({ "dev.json": "{" });
  using _ = folder;
  const kept = await replaceState((await look()) as DamagedState, path.join(folder.path, "kept"));
  expect(existsSync(path.join(stacks, "dev.json"))).toBe(false);
  expect(readFileSync(kept, "utf8")).toBe("{");
});

test.each([
  ["", "empty"],
  ['{"user.cache_control":', "Unexpected end of JSON input"],
])("a state that is whole is hidden by attributes that are cut off (%j), and they go", async (attributes, problem) => {
  const { folder, stacks, look } = backend({ "dev.json": WHOLE, "dev.json.attrs": attributes });
  using _ = folder;
  const file = path.join(stacks, "dev.json");
  const damaged = await look();
  expect(damaged).toEqual({ file, problem: `its attributes, dev.json.attrs: ${problem}`, backup: file });
  await replaceState(damaged as DamagedState, path.join(folder.path, "kept"));
  expect(readFileSync(file, "utf8")).toBe(WHOLE);
  expect(existsSync(`${file}.attrs`)).toBe(false);
  expect(await look()).toBeUndefined();
});
