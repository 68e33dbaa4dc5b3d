/** Everything that one workload's decision, warnings and sentences rest on. */
import type { Pod } from "../cluster/snapshot.ts";
import type { WorkloadPolicy } from "../config/policy.ts";
import type { AdmittedPod } from "./admitted-pod.ts";
import type { NodeSets } from "./node-sets.ts";
import type { Numbers } from "./numbers.ts";
import type { Unowned } from "./ownership.ts";
import type { Hazard } from "./safety.ts";
import type { ClusterView } from "./view.ts";

export interface Facts {
  view: ClusterView;
  policy: WorkloadPolicy;
  subject: Unowned;
  pod: AdmittedPod;
  /** Its own pods; none where pods are unknown. */
  own: readonly Pod[];
  sets: NodeSets;
  numbers: Numbers;
  /** What makes it unsafe to multiply, whether or not the target does. */
  hazards: Hazard[];
}
