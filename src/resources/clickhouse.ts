/** One patch resource a ClickHouse or Keeper cluster: docs/semantics.md, "ClickHouse and Keeper". */
import { CustomResourcePatch } from "@pulumi/kubernetes/apiextensions/customResourcePatch.js";
import type { CustomResource, CustomResourceOptions } from "@pulumi/pulumi";
import type { ClickHouseAction, ClickHouseEntry, Size } from "../plan/clickhouse-plan.ts";
import { patchAnnotations, patchOptions } from "./patches.ts";

/** What a stack says of its ClickHouse and Keeper clusters: silent while sizes and steps stay what they are. */
export interface ClusterOutput {
  /** The size that this run sets, or keeps. */
  now: Size;
  /** The steps that follow it, one a run. */
  next: Size[];
}

/** By kind and name, since a ClickHouseCluster and its Keeper may have one name. */
export function clusterName({ kind, workload }: Pick<ClickHouseEntry, "kind" | "workload">): string {
  return `${kind} ${workload}`;
}

/**
 * Declares the patch of a cluster's own resource, never of the StatefulSets below it.
 *
 * With the UID of the object that was planned for: the API server then refuses to make a new object of the patch, should that
 * one be gone by now, and to patch another one of its name.
 */
export function declareClusterPatch(
  entry: ClickHouseEntry,
  action: ClickHouseAction,
  options: CustomResourceOptions,
): CustomResource {
  const { apiVersion, kind, namespace, name, uid, spec } = action;
  const metadata = { namespace, name, ...(uid === undefined ? {} : { uid }), annotations: patchAnnotations() };
  return new CustomResourcePatch(clusterName(entry), { apiVersion, kind, metadata, spec }, patchOptions(options));
}

/** Undefined where the policy lists none, so that the outputs of other stacks are what they were. */
export function clusterOutputs(
  entries: readonly ClickHouseEntry[] | undefined,
): Record<string, ClusterOutput> | undefined {
  if (entries === undefined) return undefined;
  const patched = entries.flatMap((entry) =>
    entry.action === null || entry.target === null
      ? []
      : [[clusterName(entry), { now: entry.target, next: entry.next }] as const],
  );
  return Object.fromEntries(patched);
}
