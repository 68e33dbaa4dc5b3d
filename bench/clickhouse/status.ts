import { isDeepStrictEqual } from "node:util";
import type { KubeApi } from "../cluster/api.ts";
import { objectPath } from "../cluster/objects.ts";
import type { ClusterObject, ClusterStatus, Condition } from "./types.ts";

/** Who writes, in the managed fields of everything that the simulator makes. */
export const FIELD_MANAGER = "clickhouse-operator";

/** The status of a cluster as it is being worked out: it starts as the one that is there. */
export class StatusDraft {
  readonly status: ClusterStatus;
  readonly #cluster: ClusterObject;

  constructor(cluster: ClusterObject) {
    this.#cluster = cluster;
    this.status = structuredClone(cluster.status) ?? { conditions: [], readyReplicas: 0 };
    this.status.conditions ??= [];
  }

  reason(type: string): string | undefined {
    return this.status.conditions.find((condition) => condition.type === type)?.reason;
  }

  /**
   * Sets a condition for the present generation. Other than elsewhere in Kubernetes, the time of its transition changes with
   * its reason too. Source: internal/controller/status.go.
   */
  set(type: string, holds: boolean | "Unknown", reason: string, message = ""): void {
    const status = holds === "Unknown" ? holds : holds ? "True" : "False";
    const old = this.status.conditions.find((condition) => condition.type === type);
    const now = new Date().toISOString().replace(/\.\d+/, "");
    const condition: Condition = {
      type,
      status,
      reason,
      message,
      observedGeneration: this.#cluster.metadata.generation,
      lastTransitionTime: old?.status === status && old.reason === reason ? old.lastTransitionTime : now,
    };
    this.status.conditions = [...this.status.conditions.filter((each) => each !== old), condition].sort((one, other) =>
      one.type < other.type ? -1 : 1,
    );
  }

  /** Writes the status, if it is another one than is there. */
  async write(api: KubeApi): Promise<void> {
    if (isDeepStrictEqual(this.status, this.#cluster.status)) return;
    await api.patch(`${objectPath(this.#cluster)}/status?fieldManager=${FIELD_MANAGER}`, { status: this.status });
    this.#cluster.status = structuredClone(this.status);
  }
}
