/** Fills a snapshot, object by object; what the live reader and the reader of dumps share. */
import type { Kind, Lists } from "./kinds.ts";
import { Field } from "./project/field.ts";
import { Pool } from "./project/pool.ts";
import type { Snapshot } from "./snapshot.ts";

export class SnapshotBuilder {
  private readonly pool = new Pool();
  private readonly lists: Lists = {
    nodes: [],
    deployments: [],
    otherWorkloads: [],
    pods: [],
    horizontalPodAutoscalers: [],
    scaledObjects: [],
    rollouts: [],
    applications: [],
    namespaces: [],
    limitRanges: [],
    resourceQuotas: [],
    podDisruptionBudgets: [],
    runtimeClasses: [],
    persistentVolumeClaims: [],
    persistentVolumes: [],
    clickHouseClusters: [],
    keeperClusters: [],
  };
  private readonly unread: Snapshot["unread"] = {};
  private clusterId: string | null = null;

  /**
   * An object of the API as the snapshot has it; undefined for one that says nothing for planning.
   *
   * @param place how an error names the object: `Deployment shop/web`, or where it stands in a dump.
   * @throws ReadError where a field that matters is missing or of a wrong type.
   */
  project(kind: Kind, raw: unknown, place: string): unknown {
    const object = Field.root(raw, place);
    if (kind.list === "namespaces") {
      const metadata = object.get("metadata");
      if (metadata.get("name").value === "kube-system") this.clusterId = metadata.get("uid").text("") || null;
    }
    return kind.project(object, this.pool);
  }

  /** @param projected what `project` gave for objects of the kind. */
  add(kind: Kind, projected: unknown[]): void {
    const list: unknown[] = this.lists[kind.list];
    for (const object of projected) if (object !== undefined) list.push(object);
  }

  /** @param clause why the kind could not be read and what would help. */
  markUnread(kind: Kind, clause: string): void {
    if (kind.need === "optional") this.unread[kind.resource] = clause;
  }

  snapshot(observedAt: string): Snapshot {
    return { observedAt, clusterId: this.clusterId, unread: this.unread, ...this.lists };
  }
}
