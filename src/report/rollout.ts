import type { ProblemSource, RolloutProblem } from "../cluster/rollout.ts";

const WHAT_HAPPENS: Record<Exclude<ProblemSource, "admission">, string> = {
  scheduler: "can't be scheduled",
  image: "can't get an image",
  container: "can't run a container",
  volume: "can't get a volume or a sandbox",
};

const WHAT_TO_DO: Record<ProblemSource, string> = {
  admission: "Raise the quota, or satisfy the policy that refuses the pods.",
  scheduler: "Free or add room for them, or lower this workload's max.",
  image: "Check the image's name, its registry and the pull secret.",
  container: "Read the logs of the pods (kubectl logs) and mend what they need.",
  volume: "Check the volumes that the pods mount.",
};

/** What happens, why in the cluster's words, what to do. */
export function problemText({ source, pods, text }: RolloutProblem): string {
  const what =
    source === "admission" ? "Pods can't be created" : `${pods} ${pods === 1 ? "pod" : "pods"} ${WHAT_HAPPENS[source]}`;
  return `${what}: ${text.trim().replace(/\.$/, "")}. ${WHAT_TO_DO[source]}`;
}
