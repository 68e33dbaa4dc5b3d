import { expect, test } from "vitest";
import type { RolloutProblem } from "../../src/cluster/rollout.ts";
import { problemText } from "../../src/report/rollout.ts";

test.each<[RolloutProblem, string]>([
  [
    { source: "admission", pods: 0, text: "FailedCreate: exceeded quota" },
    "Pods can't be created: FailedCreate: exceeded quota. Raise the quota, or satisfy the policy that refuses the pods.",
  ],
  [
    { source: "image", pods: 1, text: "ErrImagePull: not found" },
    "1 pod can't get an image: ErrImagePull: not found. Check the image's name, its registry and the pull secret.",
  ],
  [
    { source: "container", pods: 2, text: "CrashLoopBackOff: back-off" },
    "2 pods can't run a container: CrashLoopBackOff: back-off. Read the logs of the pods (kubectl logs) and mend what they need.",
  ],
  [
    { source: "volume", pods: 1, text: "FailedMount: timed out" },
    "1 pod can't get a volume or a sandbox: FailedMount: timed out. Check the volumes that the pods mount.",
  ],
])("%o", (problem, text) => {
  expect(problemText(problem)).toBe(text);
});
