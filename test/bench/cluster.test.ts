import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { clusterFiles, hasCertificate } from "../../bench/cluster/files.ts";
import { objectPath, readManifest } from "../../bench/cluster/objects.ts";
import { freePorts } from "../../bench/cluster/ports.ts";
import { clusterDir, listRecords, readRecord, reserveCluster } from "../../bench/cluster/registry.ts";
import { waitFor } from "../../bench/cluster/wait.ts";
import { demoWorkloads } from "../../bench/workloads.ts";
import { record } from "./cluster-record.ts";
import { temporaryFolder } from "./temporary.ts";

const PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";

test.for([
  ["v1", "Node", "", "n1", "/api/v1/nodes/n1"],
  ["v1", "Pod", "dev", "p", "/api/v1/namespaces/dev/pods/p"],
  ["v1", "Endpoints", "dev", "e", "/api/v1/namespaces/dev/endpoints/e"],
  ["apps/v1", "Deployment", "", "d", "/apis/apps/v1/namespaces/default/deployments/d"],
  ["apps/v1", "Deployment", "dev", "", "/apis/apps/v1/namespaces/dev/deployments"],
  ["networking.k8s.io/v1", "NetworkPolicy", "dev", "n", "/apis/networking.k8s.io/v1/namespaces/dev/networkpolicies/n"],
  ["networking.k8s.io/v1", "Ingress", "dev", "i", "/apis/networking.k8s.io/v1/namespaces/dev/ingresses/i"],
  [
    "gateway.networking.k8s.io/v1",
    "Gateway",
    "dev",
    "g",
    "/apis/gateway.networking.k8s.io/v1/namespaces/dev/gateways/g",
  ],
] as const)("%s %s in %s has a path", ([apiVersion, kind, namespace, name, expected]) => {
  const metadata = { name, ...(namespace === "" ? {} : { namespace }) };
  expect(objectPath({ apiVersion, kind, metadata })).toBe(expected);
});

test("the demo workloads are four Deployments of one replica in their namespace", () => {
  const [namespace, ...deployments] = demoWorkloads();
  expect(namespace?.metadata.name).toBe("dev");
  expect(deployments.map(({ metadata }) => metadata.name)).toEqual(["gitea", "registry", "mailpit", "rstudio"]);
  for (const { metadata, spec } of deployments) expect([metadata.namespace, spec.replicas]).toEqual(["dev", 1]);
});

test("a manifest that is no YAML is an error with the name of the file", () => {
  const file = path.join(temporaryFolder(), "broken.yaml");
  writeFileSync(file, "a: [");
  expect(() => readManifest(file)).toThrow(/broken\.yaml: .*at line 1/);
});

test.for([
  ["is not there", undefined, false],
  ["is empty", "", false],
  ["has not got the authority yet", PEM, false],
  ["ends within the authority", PEM + PEM.slice(0, 40), false],
  ["is whole", PEM + PEM, true],
] as const)("the certificate of an API server: its file %s", ([_what, text, whole]) => {
  const dir = temporaryFolder();
  const { certificates, ca } = clusterFiles(dir);
  mkdirSync(certificates);
  if (text !== undefined) writeFileSync(ca, text);
  expect(hasCertificate(dir)).toBe(whole);
});

test("free ports are all different", async () => {
  expect(new Set(await freePorts(10)).size).toBe(10);
});

describe("waitFor", () => {
  test("gives what it waited for", async () => {
    let looks = 0;
    const found = await waitFor(() => (++looks === 3 ? "it" : undefined), { what: "it", interval: 1 });
    expect(found).toBe("it");
  });

  test("says at the deadline what it waited for, and why the last look failed", async () => {
    const look = () => {
      throw new Error("connection refused");
    };
    await expect(waitFor(look, { what: "the server", timeout: 20, interval: 5 })).rejects.toThrow(
      "gave up after 0.02 s waiting for the server; the last look failed: connection refused",
    );
  });

  test("ends at once when it can't come any more", async () => {
    const unless = () => {
      throw new Error("it has died");
    };
    await expect(waitFor(() => false, { what: "it", unless })).rejects.toThrow("it has died");
  });
});

describe("the registry", () => {
  test("gives a name to one of two who want it", () => {
    const root = temporaryFolder();
    reserveCluster(record(root, "dev"));
    expect(() => reserveCluster(record(root, "dev"))).toThrow(
      'a cluster "dev" is there already; take it down first: npm run bench:down -- --name dev',
    );
    expect(readdirSync(root)).toEqual(["dev"]);
    expect(readRecord(root, "dev")?.name).toBe("dev");
  });

  test("lists what is whole", () => {
    const root = temporaryFolder();
    expect(listRecords(path.join(root, "none"))).toEqual([]);
    reserveCluster(record(root, "b"));
    reserveCluster(record(root, "a"));
    mkdirSync(path.join(root, ".new-123456"));
    mkdirSync(path.join(root, "empty"));
    expect(listRecords(root).map(({ name }) => name)).toEqual(["a", "b"]);
  });

  test.for(["", "..", "a/b", "Dev", "-a", "a".repeat(42)])("does not take the name %j", (name) => {
    expect(() => clusterDir("/clusters", name)).toThrow("is not allowed");
  });
});
