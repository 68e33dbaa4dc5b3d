/** A stack's state, as Pulumi exports it: with its secrets encrypted. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { nameOf } from "./engine.ts";
import { readText } from "./policy.ts";
import { pulumi } from "./pulumi.ts";

/** A step that was under way when its run ended, and of which the state doesn't know the end. */
export interface PendingOperation {
  /** `updating`, `creating`, … */
  type: string;
  /** The name of the resource: a workload's `namespace/name` for a patch. */
  resource: string;
  /** The resource's type. */
  resourceType: string;
}

export interface State {
  pending: PendingOperation[];
}

/** What a queue declares is applied whole each time, so that creating it again changes nothing. */
const OF_QUEUES =
  /^(cluster-scale:queue:QueueScaledWorkload|kubernetes:.*:(HorizontalPodAutoscaler|Deployment|PersistentVolumeClaim|NetworkPolicy|ExternalSecret))$/;

/** A step on what this program declares, each of which a run repeats without harm: docs/decisions/0005-recovery.md. */
export function isOurs({ resourceType }: PendingOperation): boolean {
  return (
    /^kubernetes:.*:(Deployment|HorizontalPodAutoscaler|ClickHouseCluster|KeeperCluster)Patch$/.test(resourceType) ||
    OF_QUEUES.test(resourceType) ||
    ["pulumi:providers:kubernetes", "pulumi:pulumi:Stack", "cluster-scale:index:Replicas"].includes(resourceType)
  );
}

/** @throws EngineError where there is no such stack, or its state can't be read. */
export async function readState(stack: string, cwd: string): Promise<State> {
  const exported = JSON.parse(await pulumi(["stack", "export", "--stack", stack], cwd)) as {
    deployment?: { pending_operations?: { type: string; resource: { urn: string; type: string } }[] };
  };
  const pending = exported.deployment?.pending_operations ?? [];
  return {
    pending: pending.map(({ type, resource }) => ({
      type,
      resource: nameOf(resource.urn),
      resourceType: resource.type,
    })),
  };
}

/** Creates a stack whose configuration is there, with the secrets provider that this names. */
export async function beginAnew(stack: string, cwd: string): Promise<void> {
  const config = parse(await readText(path.join(cwd, `Pulumi.${stack}.yaml`))) as { secretsprovider?: string };
  const provider = config.secretsprovider === undefined ? [] : ["--secrets-provider", config.secretsprovider];
  await pulumi(["stack", "init", stack, "--no-select", ...provider], cwd);
}

/** Exports the state into a new file of a folder, and gives its path. */
export async function backUpState(stack: string, cwd: string, folder: string): Promise<string> {
  // State holds no secret in the clear, but the names of everything that the stack manages.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const time = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const file = path.resolve(folder, `${stack}-${time}.json`);
  await pulumi(["stack", "export", "--stack", stack, "--file", file], cwd);
  return file;
}

/**
 * Imports a state as it was exported. Pulumi drops pending operations on the way (pulumi/pkg/cmd/pulumi/stack/io.go) and
 * changes nothing else.
 */
export async function importState(stack: string, cwd: string, file: string): Promise<void> {
  await pulumi(["stack", "import", "--stack", stack, "--file", file], cwd);
}
