/** docs/queue-metric.md shows the very files that the bench runs on. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { adapterConfig } from "../../bench/queue/adapter.ts";

const root = path.join(import.meta.dirname, "..", "..");
const page = readFileSync(path.join(root, "docs", "queue-metric.md"), "utf8");

test.for([
  ["sql", "queue-depth.sql"],
  ["yaml", "adapter-rules.yaml"],
] as const)("the page's %s is the bench's %s", ([language, file]) => {
  const blocks = [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))].map(([, text]) => text);
  expect(blocks).toEqual([readFileSync(path.join(root, "bench", "queue", file), "utf8")]);
});

test("the adapter's configurations: as the page has it, under the chart's key, and without", () => {
  const { externalRules } = parse(adapterConfig("external"));
  expect(externalRules).toHaveLength(2);
  expect(parse(adapterConfig("chart"))).toEqual({ rules: { external: externalRules } });
  expect(parse(adapterConfig("none"))).toEqual({ rules: [] });
});
