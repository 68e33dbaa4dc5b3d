import { describe, expect, it } from "vitest";
import { policyFromYaml } from "../../src/config/policy-file.ts";
import { ConfigError } from "../../src/config/problems.ts";
import { parseSettings } from "../../src/config/settings.ts";

const workloads = [{ namespace: "shop", name: "web", max: 3 }];

describe("a policy file", () => {
  it("has a policy's keys at its top", () => {
    const text = "workloads:\n  - { namespace: shop, name: web, max: 3 }\nreadTimeoutSeconds: 20\n";
    expect(policyFromYaml(text, "policy.yaml")).toEqual(parseSettings({ workloads, readTimeoutSeconds: 20 }));
  });

  it("may be a stack's, whose other keys are left out", () => {
    const text = [
      "secretsprovider: passphrase",
      "config:",
      "  kubernetes:context: dev",
      "  other-project:workloads: []",
      "  cluster-scale:workloads:",
      "    - { namespace: shop, name: web, max: 3 }",
      '  cluster-scale:readTimeoutSeconds: "20"',
      "  cluster-scale:workers: '{\"strict\": true}'",
    ].join("\n");
    expect(policyFromYaml(text, "Pulumi.dev.yaml")).toEqual(
      parseSettings({ workloads, readTimeoutSeconds: 20, workers: { strict: true } }),
    );
  });
});

describe("a file that can't be used", () => {
  it.each([
    ["empty", "# nothing\n", ["is empty; must be a policy with a list of workloads"]],
    [
      "wrong YAML: all its lines",
      "workloads: []\nworkloads: []\nowners: [",
      [
        "line 2: Map keys must be unique",
        "line 3: Flow sequence in block collection must be sufficiently indented and end with a ]",
      ],
    ],
    ["two documents", "workloads: []\n---\nworkloads: []", ["line 2: a second document begins; must be one policy"]],
    [
      "a wrong policy",
      "workloads: [{namespace: shop, name: web, max: 0}]",
      ["workloads[0].max: must be a whole number of at least 1, not 0"],
    ],
    [
      "a stack without ours",
      "config:\n  kubernetes:context: dev",
      ["workloads: is missing; must be the allowlist, a list of { namespace, name, max, … }"],
    ],
    [
      "an empty text in a stack",
      'config:\n  cluster-scale:workloads: ""',
      ['workloads: must be the allowlist, a list of { namespace, name, max, … }, not ""'],
    ],
  ])("%s", (_, text, problems) => {
    expect(() => policyFromYaml(text, "file.yaml")).toThrow(new ConfigError("file.yaml", problems));
  });
});
