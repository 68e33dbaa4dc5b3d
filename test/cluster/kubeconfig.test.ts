import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { chooseCluster } from "../../src/cluster/kubeconfig.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "kubeconfig-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

/** A kubeconfig with a cluster, a user and a context of each name. */
function config(names: string[], more: object = {}): string {
  return JSON.stringify({
    clusters: names.map((name) => ({ name, cluster: { server: `https://${name}.example:6443` } })),
    users: names.map((name) => ({ name, user: { token: `token-of-${name}` } })),
    contexts: names.map((name) => ({ name, context: { cluster: name, user: name } })),
    ...more,
  });
}

function file(name: string, text: string): string {
  const full = path.join(folder, name);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

describe("where the kubeconfig comes from", () => {
  it("is the file that is named", () => {
    const kubeconfig = file("a", config(["dev"], { "current-context": "dev" }));
    expect(chooseCluster({ kubeconfig }, {})).toMatchObject({
      context: "dev",
      cluster: { server: "https://dev.example:6443" },
      user: { token: "token-of-dev" },
    });
  });

  it("is the content that is given", () => {
    const kubeconfig = config(["dev"], { "current-context": "dev" });
    expect(chooseCluster({ kubeconfig }, {})).toMatchObject({ context: "dev" });
  });

  it("is the file in the home folder, without $KUBECONFIG", () => {
    file(".kube/config", config(["home"], { "current-context": "home" }));
    expect(chooseCluster({ kubeconfig: "" }, { HOME: folder })).toMatchObject({ context: "home" });
    expect(chooseCluster({ kubeconfig: "~/.kube/config" }, { HOME: folder })).toMatchObject({ context: "home" });
  });

  it("is all files of $KUBECONFIG: of the same name the first, the first current-context, none of those missing", () => {
    const files = [
      file("a", config(["shared"])),
      path.join(folder, "missing"),
      file("b", config(["shared", "b"], { "current-context": "b" }).replaceAll("shared.example", "other.example")),
      file("c", config(["c"], { "current-context": "c" })),
    ];
    const env = { KUBECONFIG: files.join(path.delimiter), HOME: folder };
    expect(chooseCluster({}, env)).toMatchObject({ context: "b" });
    expect(chooseCluster({ context: "shared" }, env)).toMatchObject({
      cluster: { server: "https://shared.example:6443" },
    });
    expect(chooseCluster({ context: "c" }, env)).toMatchObject({ context: "c" });
    expect(() => chooseCluster({ context: "d" }, env)).toThrow("it has: shared, b, c");
  });

  it("may be YAML", () => {
    const kubeconfig =
      "clusters:\n- name: c\n  cluster: {server: https://c.example}\ncontexts:\n- name: x\n  context: {cluster: c}\ncurrent-context: x\n";
    expect(chooseCluster({ kubeconfig }, {})).toMatchObject({ context: "x", user: null });
  });

  it("takes the cluster that is named instead of the context's", () => {
    const kubeconfig = config(["a", "b"], { "current-context": "a" });
    expect(chooseCluster({ kubeconfig, cluster: "b" }, {})).toMatchObject({
      context: "a",
      cluster: { name: "b" },
      user: { name: "a" },
    });
  });
});

describe("paths in a kubeconfig are taken from its folder", () => {
  it("of certificates, tokens and plugins with a folder", () => {
    const kubeconfig = file(
      "a",
      JSON.stringify({
        clusters: [{ name: "c", cluster: { server: "https://c.example", "certificate-authority": "ca.crt" } }],
        users: [
          { name: "files", user: { "client-certificate": "c.crt", "client-key": "/k.key" } },
          { name: "token", user: { tokenFile: "token" } },
          { name: "near", user: { exec: { command: "./login", args: ["x"] } } },
          { name: "on-path", user: { exec: { command: "login" } } },
        ],
        contexts: ["files", "token", "near", "on-path"].map((name) => ({
          name,
          context: { cluster: "c", user: name },
        })),
      }),
    );
    const chosen = (context: string) => chooseCluster({ kubeconfig, context }, {});
    expect(chosen("files")).toMatchObject({
      cluster: { caFile: path.join(folder, "ca.crt") },
      user: { certFile: path.join(folder, "c.crt"), keyFile: "/k.key" },
    });
    expect(chosen("token").user?.authProvider.config).toEqual({ tokenFile: path.join(folder, "token") });
    expect(chosen("near").user?.exec).toEqual({ command: path.join(folder, "login"), args: ["x"] });
    expect(chosen("on-path").user?.exec).toEqual({ command: "login" });
  });
});

describe("errors", () => {
  const error = (...given: Parameters<typeof chooseCluster>) => {
    try {
      return chooseCluster(...given);
    } catch (thrown) {
      return String(thrown).replaceAll(folder, "/home/me");
    }
  };

  it("no kubeconfig at all: says where it looked, and never falls back to localhost", () => {
    expect(error({}, { HOME: folder })).toBe(
      "ReadError: No kubeconfig: there is no /home/me/.kube/config, $KUBECONFIG is not set, and this is no pod of a " +
        "cluster. Set KUBECONFIG to the file of your cluster, or kubernetes:kubeconfig in the stack",
    );
    expect(error({}, { KUBECONFIG: [path.join(folder, "a"), path.join(folder, "b")].join(path.delimiter) })).toBe(
      "ReadError: No kubeconfig: there is no /home/me/a and no /home/me/b ($KUBECONFIG), and this is no pod of a " +
        "cluster. Set KUBECONFIG to the file of your cluster, or kubernetes:kubeconfig in the stack",
    );
    expect(error({}, { KUBECONFIG: file("empty", "") })).toBe(
      "ReadError: No kubeconfig: /home/me/empty is empty ($KUBECONFIG), and this is no pod of a cluster. Set KUBECONFIG " +
        "to the file of your cluster, or kubernetes:kubeconfig in the stack",
    );
  });

  it("an unknown context: names those that there are", () => {
    const kubeconfig = file("a", config(["dev", "test"]));
    expect(error({ kubeconfig, context: "prod" }, {})).toBe(
      'ReadError: context "prod" is not in /home/me/a; it has: dev, test',
    );
  });

  it("no current-context: names the contexts", () => {
    expect(error({ kubeconfig: file("a", config(["dev", "test"])) }, {})).toBe(
      "ReadError: /home/me/a has no current-context. Choose one of: dev, test (kubectl config use-context, or " +
        "kubernetes:context in the stack)",
    );
  });

  it("a context whose cluster or user is missing", () => {
    const contexts = [{ name: "x", context: { cluster: "gone", user: "gone" } }];
    const kubeconfig = config(["dev"], { contexts, "current-context": "x" });
    expect(error({ kubeconfig }, {})).toBe(
      'ReadError: cluster "gone" is not in the kubeconfig given as text; it has: dev',
    );
    expect(error({ kubeconfig, cluster: "dev" }, {})).toBe(
      'ReadError: user "gone" is not in the kubeconfig given as text; it has: dev',
    );
  });

  it("a file that is missing, or a folder", () => {
    expect(error({ kubeconfig: path.join(folder, "a") }, {})).toBe(
      "ReadError: The kubeconfig /home/me/a can't be read: ENOENT: no such file or directory, open '/home/me/a'",
    );
    expect(error({ kubeconfig: folder }, {})).toBe(
      "ReadError: The kubeconfig /home/me can't be read: EISDIR: illegal operation on a directory, read",
    );
  });

  it("a text that is no kubeconfig, without showing what is in it", () => {
    expect(error({ kubeconfig: file("a", "token: {secret") }, {})).toBe(
      "ReadError: /home/me/a is no YAML: line 1 is wrong",
    );
    expect(error({ kubeconfig: file("b", "- a") }, {})).toBe(
      "ReadError: /home/me/b is no kubeconfig: must be a map with clusters, users and contexts",
    );
    const nameless = config(["dev"], { clusters: [{ name: "dev", cluster: {} }] });
    expect(error({ kubeconfig: file("c", nameless) }, {})).toBe(
      "ReadError: /home/me/c is no kubeconfig: clusters[0].cluster.server is missing",
    );
  });
});
