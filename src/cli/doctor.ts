import { createRequire } from "node:module";
import { withoutCredentials } from "../cluster/kubeconfig.ts";
import type { Settings } from "../config/settings.ts";
import { cell, columns } from "../report/columns.ts";
import type { Paint, Style } from "../report/paint.ts";
import { backendOf, projectName } from "./backend.ts";
import { type Check, check, type Finding, skipped } from "./checks.ts";
import { ERROR } from "./exit.ts";
import { backendFolder, holderText, type Lock, locksIn } from "./locks.ts";
import { jsonText, type Streams, styleOf } from "./output.ts";
import { readStackPolicy, stackName } from "./policy.ts";
import { pulumi } from "./pulumi.ts";
import { spinning } from "./spinner.ts";
import { readState, type State } from "./state.ts";

export interface DoctorOptions {
  stack?: string;
  cwd: string;
  output: "table" | "json";
}

/**
 * Looks at everything that plan and apply need. Writes nothing.
 *
 * @returns the exit code: an error where something has to be done.
 */
export async function doctorCommand(options: DoctorOptions, { out }: Streams): Promise<number> {
  const stack = await stackName(options);
  const checks = await spinning("Checking", {}, async () => [
    ...(await engineChecks(stack, options.cwd)),
    ...(await policyChecks(stack, options.cwd)),
  ]);
  const { paint, width } = styleOf(out);
  out.write(options.output === "json" ? jsonText({ checks }) : `${checksTable(checks, paint, width)}\n`);
  return checks.some(({ result }) => result === "failed") ? ERROR : 0;
}

function clustersText({ clickhouse }: Settings): string {
  return clickhouse.length === 0 ? "" : ` and ${clickhouse.length} entries for ClickHouse and Keeper`;
}

async function policyChecks(stack: string, cwd: string): Promise<Check[]> {
  const policy = await check(
    "policy",
    async () => {
      const { settings, cluster } = await readStackPolicy(stack, cwd);
      return { settings, cluster: await cluster() };
    },
    ({ settings }) => `Pulumi.${stack}.yaml lists ${settings.workloads.length} workloads${clustersText(settings)}`,
  );
  if (policy.value === undefined) return [policy.check, skipped("cluster", "the policy")];
  const { clusterChecks } = await import("./doctor-cluster.ts");
  return [policy.check, ...(await clusterChecks(policy.value.cluster, policy.value.settings))];
}

async function engineChecks(stack: string, cwd: string): Promise<Check[]> {
  const node: Check = { name: "Node.js", result: "ok", text: process.versions.node };
  const version = await check(
    "Pulumi",
    () => pulumi(["version"], cwd),
    (text) => text.trim(),
  );
  if (version.value === undefined) {
    return [node, version.check, ...["plugin", "backend", "state", "lock"].map((name) => skipped(name, "Pulumi"))];
  }
  const plugin = await check("plugin", () => kubernetesPlugins(cwd), pluginFinding);
  const backend = await check("backend", () => backendOf(cwd), withoutCredentials);
  if (backend.value === undefined) {
    const others = ["state", "lock"].map((name) => skipped(name, "the backend"));
    return [node, version.check, plugin.check, backend.check, ...others];
  }
  const folder = backendFolder(backend.value);
  const state = await check("state", () => readableState(stack, cwd), stateFinding);
  const lock = await check(
    "lock",
    async () => (folder === undefined ? undefined : locksIn(folder, await projectName(cwd), stack)),
    lockFinding,
  );
  return [node, version.check, plugin.check, backend.check, state.check, lock.check];
}

/** The state, its secrets decrypted once, and thrown away, to see that the passphrase or key is there. */
async function readableState(stack: string, cwd: string): Promise<State> {
  await pulumi(["stack", "export", "--show-secrets", "--stack", stack], cwd);
  return readState(stack, cwd);
}

function stateFinding({ pending }: State): Finding {
  if (pending.length === 0) return "readable, nothing pending";
  const steps = pending.map(({ type, resource }) => `${type} ${resource}`).join(", ");
  return { result: "failed", text: `a run ended within these steps: ${steps}. Run cluster-scale recover` };
}

function lockFinding(locks: Lock[] | undefined): Finding {
  if (locks === undefined) return { result: "note", text: "of this backend they can't be looked at from here" };
  const [lock] = locks.toSorted((a, b) => Number(b.state === "dead") - Number(a.state === "dead"));
  if (lock === undefined) return "none";
  if (lock.state === "alive") return { result: "note", text: `held by ${holderText(lock)}, which runs` };
  if (lock.state === "dead") {
    return { result: "failed", text: `left behind by ${holderText(lock)}, which is gone. Run cluster-scale recover` };
  }
  return { result: "note", text: `held by ${holderText(lock)}. Whether it still runs only that host knows` };
}

interface Plugins {
  wanted: string;
  installed: string[];
}

/** The provider must be of the SDK's version, or every run warns. */
async function kubernetesPlugins(cwd: string): Promise<Plugins> {
  const { version } = createRequire(import.meta.url)("@pulumi/kubernetes/package.json") as { version: string };
  const plugins = JSON.parse(await pulumi(["plugin", "ls", "--json"], cwd)) as { name: string; version?: string }[];
  return {
    wanted: version.replace(/^v/, ""),
    installed: plugins.filter(({ name }) => name === "kubernetes").map((plugin) => plugin.version ?? ""),
  };
}

function pluginFinding({ wanted, installed }: Plugins): Finding {
  if (installed.includes(wanted)) return `kubernetes ${wanted}`;
  return {
    result: "note",
    text: `kubernetes ${wanted} is not installed (${installed.join(", ") || "no other is"}); the first preview fetches it, or pulumi plugin install resource kubernetes ${wanted}`,
  };
}

const STYLES: Record<Check["result"], Style> = { ok: "green", note: "yellow", failed: "red", skipped: "dim" };

function checksTable(checks: Check[], paint: Paint, width: number): string {
  return columns(
    checks.map(({ name, result, text }) => [cell(result, paint(STYLES[result], result)), cell(name), cell(text)]),
    width,
  );
}
