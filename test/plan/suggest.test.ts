import { expect, it } from "vitest";
import { suggest } from "../../src/plan/suggest.ts";
import { autoscaler, deployment, nodes, policy, snapshot } from "./builders.ts";

it("suggests what may follow the workers and says why each other may not, by namespace and name", () => {
  const cluster = snapshot({
    nodes: nodes(2),
    deployments: [
      deployment("web", { replicas: 7 }),
      deployment("api", { namespace: "a" }),
      deployment("coredns", { namespace: "kube-system" }),
      deployment("off", { replicas: 0 }),
      deployment("scaled"),
      deployment("sync", { strategy: { type: "Recreate", maxSurge: 0, maxUnavailable: 0 } }),
      deployment("pinned", { template: { nodeSelector: { disk: "ssd" } } }),
    ],
    horizontalPodAutoscalers: [autoscaler("scaled")],
  });
  expect(
    suggest(cluster, policy([])).map((item) => [`${item.namespace}/${item.name}`, item.suggest, item.why]),
  ).toEqual([
    ["a/api", true, "2 workers can take its pods (w-1, w-2)"],
    ["kube-system/coredns", false, "it is part of the cluster itself (kube-system)"],
    ["shop/off", false, "skipped: someone switched it off; one replica switches it on again"],
    ["shop/pinned", false, "none of 2 workers is one that its pods may use"],
    [
      "shop/scaled",
      false,
      "left alone: the count is up to HorizontalPodAutoscaler scaled; with `hpa: bounds` the maximum of a single one is planned instead",
    ],
    ["shop/sync", false, "its strategy Recreate says that two replicas must not run at a time"],
    ["shop/web", true, "2 workers can take its pods (w-1, w-2)"],
  ]);
});

it("finds what is unsafe on a single worker too, where no plan would multiply it", () => {
  const cluster = snapshot({
    nodes: nodes(1),
    deployments: [deployment("sync", { strategy: { type: "Recreate", maxSurge: 0, maxUnavailable: 0 } })],
  });
  expect(suggest(cluster, policy([]))).toMatchObject([{ name: "sync", suggest: false }]);
});
