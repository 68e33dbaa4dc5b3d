import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { execa } from "execa";
import { vi } from "vitest";

// Each run is a process of its own, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const main = path.join(import.meta.dirname, "..", "..", "src", "cli", "bin.mjs");

export interface Run {
  code: number | undefined;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  cwd?: string;
  input?: string;
  env?: Record<string, string>;
}

/** Runs the command as a shell would, with its output in pipes. */
export async function run(args: string[], { cwd = tmpdir(), input = "", env = {} }: RunOptions = {}): Promise<Run> {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [main, ...args], {
    cwd,
    input,
    // Not that of whoever runs the tests: a colour or a cluster of theirs is nothing that a test should see.
    extendEnv: false,
    env: { KUBECONFIG: "/nowhere", ...env },
    reject: false,
  });
  return { code: exitCode, stdout, stderr };
}

/** A folder with these files, removed by `using`. */
export function folderWith(files: Record<string, string>): Disposable & { path: string } {
  const folder = mkdtempSync(path.join(tmpdir(), "cluster-scale-cli-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return { path: folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

const node = (name: string, unschedulable = false) => `
- apiVersion: v1
  kind: Node
  metadata: { name: ${name}, labels: { kubernetes.io/os: linux } }
  spec: { unschedulable: ${unschedulable} }
  status:
    allocatable: { cpu: "4", memory: 16Gi, pods: "110" }
    conditions: [{ type: Ready, status: "True", lastTransitionTime: "2026-01-15T10:00:00Z" }]`;

const deployment = (name: string, more = "") => `
- apiVersion: apps/v1
  kind: Deployment
  metadata: { namespace: dev, name: ${name} }
  spec:
    replicas: 1
    selector: { matchLabels: { app: ${name} } }
    ${more}
    template:
      metadata: { labels: { app: ${name} } }
      spec: { containers: [{ name: app, image: app }] }`;

/** Two ready workers and one that is cordoned; dev/gitea may follow them, dev/single may not. */
export const DUMP = `apiVersion: v1\nkind: List\nitems:${node("worker-1")}${node("worker-2")}${node("worker-3", true)}${deployment("gitea")}${deployment("single", "strategy: { type: Recreate }")}\n`;

export const POLICY = "workloads:\n  - { namespace: dev, name: gitea, max: 3 }\n";

export const AT = "2026-01-15T12:00:00Z";
