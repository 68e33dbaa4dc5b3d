import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import { pulumiVersion } from "../../bench/tools/catalog.ts";
import { isRecentGo } from "../../bench/tools/go.ts";
import { isAtLeast } from "../../bench/tools/installed-pulumi.ts";
import { kubernetesProviderVersion } from "../../bench/tools/kubernetes-provider.ts";
import { copyPatched } from "../../bench/tools/patched-module.ts";
import { startProgress } from "../../bench/tools/progress.ts";
import packageJson from "../../package.json" with { type: "json" };
import { temporaryFolder } from "./temporary.ts";

test("the engine that is built is the one that the packages are for", () => {
  expect(isAtLeast(pulumiVersion, packageJson.dependencies["@pulumi/pulumi"])).toBe(true);
  expect(kubernetesProviderVersion).toBe(packageJson.dependencies["@pulumi/kubernetes"]);
});

test.for([
  ["go1.26.6", true],
  ["go1.26.8", true],
  ["go1.27rc1", true],
  ["go2.0.1", true],
  ["go1.26.5", false],
  ["go1.26", false],
  ["go1.9.7", false],
  ["devel", false],
] as const)("Go %s is recent enough: %s", ([version, expected]) => {
  expect(isRecentGo(version)).toBe(expected);
});

test.for([
  ["v3.276.0", true],
  ["v3.276.9\n", true],
  ["3.300.1", true],
  ["v3.275.4", false],
  ["v4.0.0", false],
  ["", false],
] as const)("an installed pulumi %s will do: %s", ([version, expected]) => {
  expect(isAtLeast(version, "3.276.0")).toBe(expected);
});

describe("copyPatched", () => {
  const patch = { file: "pkg/a.go", why: "a test", text: "v4", by: "v6" };

  test("changes a copy of a read-only module and leaves out its tests", async () => {
    const { source, target } = readOnlyModule();
    const embedded = [{ from: "schema.json", to: "main/schema.json", replace: { text: "{", by: '{"v":1,' } }];
    await copyPatched(source, { folder: "copy", patches: [patch], embedded }, target);
    expect(readFileSync(path.join(target, "copy/pkg/a.go"), "utf8")).toBe("import v6; import v4");
    expect(readFileSync(path.join(source, "pkg/a.go"), "utf8")).toBe("import v4; import v4");
    expect(readFileSync(path.join(target, "main/schema.json"), "utf8")).toBe('{"v":1,}');
    expect(() => readFileSync(path.join(target, "copy/pkg/a_test.go"))).toThrow("ENOENT");
  });

  test("fails where there is nothing to change", async () => {
    const { source, target } = readOnlyModule();
    const patches = [{ ...patch, text: "v5" }];
    const copied = copyPatched(source, { folder: "copy", patches, embedded: [] }, target);
    await expect(copied).rejects.toThrow('pkg/a.go has no "v5" to change');
  });

  function readOnlyModule() {
    const folder = temporaryFolder();
    const source = path.join(folder, "module");
    mkdirSync(path.join(source, "pkg"), { recursive: true });
    writeFileSync(path.join(source, "pkg/a.go"), "import v4; import v4", { mode: 0o444 });
    writeFileSync(path.join(source, "pkg/a_test.go"), "", { mode: 0o444 });
    writeFileSync(path.join(source, "schema.json"), "{}", { mode: 0o444 });
    chmodSync(path.join(source, "pkg"), 0o555);
    return { source, target: path.join(folder, "target") };
  }
});

describe("startProgress", () => {
  test.for([
    [
      "on a terminal rewrites one line",
      true,
      "\r\x1b[Kbuilding, 0 s so far\r\x1b[Kbuilding, 1 s so far\r\x1b[Kbuilt (1 s)\n",
    ],
    ["elsewhere writes a line now and then", false, "building, 0 s so far\nbuilt (1 s)\n"],
  ] as const)("%s", ([, isTTY, expected]) => {
    vi.useFakeTimers();
    let text = "";
    const stop = startProgress(() => "building", { isTTY, columns: 40, write: (part) => (text += part) });
    vi.advanceTimersByTime(isTTY ? 999 : 1000);
    stop("built");
    vi.useRealTimers();
    expect(text).toBe(expected);
  });
});
