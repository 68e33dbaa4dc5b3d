import { InvalidArgumentError } from "commander";
import type { Cluster } from "../cluster/cluster.ts";
import type { Taint } from "../cluster/nodes.ts";
import { clustersRoot, listRecords } from "../cluster/registry.ts";
import { openCluster } from "../cluster/start.ts";

/** The cluster of that name; without a name the only one that there is. */
export function chooseCluster(name?: string): Cluster {
  const names = listRecords(clustersRoot()).map((record) => record.name);
  if (names.length === 0) throw new Error("no cluster is there; start one: npm run bench:up");
  if (name === undefined && names.length > 1) {
    throw new Error(`there are several clusters (${names.join(", ")}); say which one: -- --name <cluster>`);
  }
  const cluster = openCluster(name ?? names[0] ?? "");
  if (!cluster) throw new Error(`there is no cluster "${name}"; there is: ${names.join(", ")}`);
  return cluster;
}

/** A whole number from 0 to 5000. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count > 5000) throw new InvalidArgumentError("A whole number from 0 to 5000.");
  return count;
}

/** `key=value` pairs, one more with each use of the option. */
export function collectLabel(text: string, labels: Record<string, string> = {}): Record<string, string> {
  const [key = "", value, ...rest] = text.split("=");
  if (key === "" || value === undefined || rest.length > 0) throw new InvalidArgumentError("Write key=value.");
  return { ...labels, [key]: value };
}

/** A taint as kubectl writes it: `key=value:NoSchedule` or `key:NoSchedule`. */
export function parseTaint(text: string): Taint {
  const [, key = "", value, effect] =
    /^([^=:]+)(?:=([^:]*))?:(NoSchedule|PreferNoSchedule|NoExecute)$/.exec(text) ?? [];
  if (effect === undefined) {
    throw new InvalidArgumentError(
      "Write key=value:effect or key:effect; effects: NoSchedule, PreferNoSchedule, NoExecute.",
    );
  }
  return { key, effect: effect as Taint["effect"], ...(value === undefined ? {} : { value }) };
}

/** Taints, one more with each use of the option. */
export function collectTaint(text: string, taints: Taint[] = []): Taint[] {
  return [...taints, parseTaint(text)];
}

/** A number of seconds, not negative. */
export function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() === "" || !(seconds >= 0)) throw new InvalidArgumentError("A number of seconds.");
  return seconds;
}
