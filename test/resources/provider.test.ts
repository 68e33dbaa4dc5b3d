import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ClusterConfig, chooseCluster } from "../../src/cluster/kubeconfig.ts";
import { clusterProvider } from "../../src/resources/provider.ts";
import { ofType, previewed } from "./mocked-pulumi.ts";

const PROVIDER = "pulumi:providers:kubernetes";

const kubeconfig = (current: string, port = 6443) =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: ["one", "two"].map((name) => ({ name, cluster: { server: `https://${name}.example.org:${port}` } })),
    users: [{ name: "me", user: { token: "a-secret" } }],
    contexts: ["one", "two"].map((name) => ({ name, context: { cluster: name, user: "me" } })),
    "current-context": current,
  });

describe("clusterProvider", () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "provider-"));
    file = path.join(folder, "config");
    writeFileSync(file, kubeconfig("one"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function declare(config: ClusterConfig, clusterId: string | null = "uid-1", meanwhile: () => void = () => {}) {
    return previewed(
      async () => {
        const chosen = await chooseCluster(config);
        return { id: (await clusterProvider({ config, chosen, clusterId, timeoutSeconds: 10 })).id };
      },
      (type) => {
        if (type === PROVIDER) meanwhile();
      },
    );
  }

  test("is that of the configuration, bounded, and never forgets or skips an unreachable cluster", async () => {
    const declared = await declare({ kubeconfig: file, context: "two", cluster: "one" });
    expect(ofType(declared, PROVIDER).map(({ inputs }) => inputs)).toEqual([
      {
        kubeconfig: file,
        context: "two",
        cluster: "one",
        clusterIdentifier: "uid-1",
        kubeClientSettings: '{"timeout":10,"qps":200,"burst":400}',
        enableServerSideApply: "true",
        deleteUnreachable: "false",
        skipUpdateUnreachable: "false",
      },
    ]);
  });

  test("states only what it knows", async () => {
    const [provider] = ofType(await declare({ kubeconfig: file, context: "", cluster: "" }, null), PROVIDER);
    expect(Object.keys(provider?.inputs)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(context|cluster|clusterIdentifier)$/)]),
    );
  });

  test("keeps the content of a kubeconfig secret, and a path readable", async () => {
    const isSecret = async (config: ClusterConfig) =>
      pulumi.isSecret(pulumi.output((await declare(config)).args.get(PROVIDER)?.props.kubeconfig));
    expect(await isSecret({ kubeconfig: kubeconfig("one") })).toBe(true);
    expect(await isSecret({ kubeconfig: file })).toBe(false);
  });

  test.each([
    ["another context is current", kubeconfig("two"), "now two (https://two.example.org:6443)"],
    ["the context means another server", kubeconfig("one", 443), "now one (https://one.example.org:443)"],
  ])("patches nothing where %s by the time the provider has read it", async (_case, content, now) => {
    const declaring = declare({ kubeconfig: file }, "uid-1", () => writeFileSync(file, content));
    await expect(declaring).rejects.toThrow(
      `The kubeconfig changed while the cluster was read: it meant context one (https://one.example.org:6443), ${now}. ` +
        "Nothing was planned or changed. Run it again; kubernetes:context in the stack names one for good",
    );
  });

  test("new credentials for the same cluster are no change", async () => {
    const renewed = kubeconfig("one").replace("a-secret", "another");
    await declare({ kubeconfig: file }, "uid-1", () => writeFileSync(file, renewed));
  });
});
