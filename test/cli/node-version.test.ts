import { expect, test } from "vitest";
import { isRecent } from "../../src/node-version.mjs";

test.each([
  ["20.19.5", false],
  ["22.18.0", false],
  ["22.20.0", false],
  ["22.21.0", true],
  ["23.11.1", false],
  ["24.4.1", false],
  ["24.5.0", true],
  ["24.21.0", true],
  ["26.0.0", true],
])("Node.js %s: %s", (version, recent) => {
  expect(isRecent(version)).toBe(recent);
});
