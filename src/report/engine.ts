import { listed } from "../plan/words.ts";

/** What Pulumi's engine does, or would do, to the resources of a stack. */
export interface EngineChanges {
  /** How many resources each operation takes: `{ update: 3, same: 4 }`. */
  changes: Record<string, number>;
  /** The operation on the patch of each workload, by `namespace/name`. */
  steps: Record<string, string>;
}

/** True where the engine would leave every resource as it is. */
export function changesNothing({ changes }: EngineChanges): boolean {
  return Object.entries(changes).every(([operation, count]) => operation === "same" || count === 0);
}

/** `Pulumi: 1 create, 3 update, 4 same (create: dev/a; update: dev/b, dev/c, dev/d).` */
export function engineLine({ changes, steps }: EngineChanges): string {
  const counts = Object.entries(changes)
    .filter(([, count]) => count > 0)
    .map(([operation, count]) => `${count} ${operation}`);
  const names = Map.groupBy(
    Object.entries(steps).filter(([, operation]) => operation !== "same"),
    ([, operation]) => operation,
  );
  const patches = [...names].map(
    ([operation, of]) => `${operation}: ${listed(of.map(([workload]) => workload).sort())}`,
  );
  const what = counts.length === 0 ? "nothing to do" : counts.sort().join(", ");
  return `Pulumi: ${what}${patches.length === 0 ? "" : ` (${patches.sort().join("; ")})`}.`;
}
