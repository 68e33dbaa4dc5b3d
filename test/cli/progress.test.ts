import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { expect, test } from "vitest";
import { Progress } from "../../src/cli/progress.ts";

const TYPE = "kubernetes:apps/v1:DeploymentPatch";
const urn = (name: string) => `urn:pulumi:dev::cluster-scale::cluster-scale:index:Replicas$${TYPE}::${name}`;
const metadata = (op: string, name = "dev/gitea") => ({ op, urn: urn(name), type: TYPE });
const message = (text: string, severity = "info") => ({
  diagnosticEvent: { urn: urn("dev/gitea"), message: `<{%reset%}>${text}<{%reset%}>\n`, severity, color: "never" },
});

/** What is said of events a second apart. */
function said(...events: object[]): string[] {
  const lines: string[] = [];
  let seconds = 0;
  const progress = new Progress(
    (line) => lines.push(line),
    () => seconds++ * 1000,
  );
  for (const event of events) progress.onEvent(event as EngineEvent);
  return lines;
}

test("a workload from its patch to its last pod, nothing twice", () => {
  expect(
    said(
      { resourcePreEvent: { metadata: metadata("update") } },
      { resOutputsEvent: { metadata: metadata("update") } },
      message("1 of 3 pods available"),
      message("1 of 3 pods available"),
      message("1 pod can't be scheduled: no room.", "warning"),
      message("3 of 3 pods available"),
    ),
  ).toEqual([
    "dev/gitea: patching (1 s)",
    "dev/gitea: patched (2 s)",
    "dev/gitea: 1 of 3 pods available (3 s)",
    "dev/gitea: 1 pod can't be scheduled: no room. (4 s)",
    "dev/gitea: 3 of 3 pods available (5 s)",
  ]);
});

test("a patch that fails; its error is told in the end", () => {
  expect(
    said({ resourcePreEvent: { metadata: metadata("create") } }, message("forbidden", "error"), {
      resOpFailedEvent: { metadata: metadata("create") },
    }),
  ).toEqual(["dev/gitea: patching (1 s)", "dev/gitea: failed (2 s)"]);
});

test.each(["same", "refresh", "delete"])("nothing of a step that sends no patch: %s", (op) => {
  expect(said({ resourcePreEvent: { metadata: metadata(op) } }, message("5 of 5 pods available"))).toEqual([]);
});

test("nothing of resources that are no patch", () => {
  const provider = {
    op: "update",
    urn: "urn:pulumi:dev::p::pulumi:providers:kubernetes::cluster",
    type: "pulumi:providers:kubernetes",
  };
  expect(said({ resourcePreEvent: { metadata: provider } })).toEqual([]);
});
