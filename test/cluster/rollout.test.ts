import { describe, expect, test } from "vitest";
import { type Rollout, type RolloutObjects, readRollouts, rolloutProblems } from "../../src/cluster/rollout.ts";

const NO_ROOM = "0/3 nodes are available: 3 Insufficient cpu.";

type Pod = RolloutObjects["pods"][number];

const pod = (name: string, status: Pod["status"], nodeName = ""): Pod => ({
  metadata: { name },
  spec: nodeName === "" ? {} : { nodeName },
  status: { phase: "Pending", ...status },
});
const unscheduled = (name: string) =>
  pod(name, { conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message: NO_ROOM }] });
const waiting = (name: string, reason: string, message?: string) =>
  pod(
    name,
    { containerStatuses: [{ state: { waiting: { reason, ...(message === undefined ? {} : { message }) } } }] },
    "worker-1",
  );

const problems = (objects: Partial<RolloutObjects>) =>
  rolloutProblems({ deployment: {}, pods: [], events: [], ...objects });

describe("rolloutProblems", () => {
  test("a message of the scheduler is told once, with the number of pods", () => {
    expect(problems({ pods: [unscheduled("a"), unscheduled("b")] })).toEqual([
      { source: "scheduler", pods: 2, text: NO_ROOM },
    ]);
  });

  test("refused pods are known from the Deployment alone", () => {
    const message = 'pods "gitea-5d8-x7k2p" is forbidden: exceeded quota: compute';
    const deployment = {
      status: { conditions: [{ type: "ReplicaFailure", status: "True", reason: "FailedCreate", message }] },
    };
    expect(problems({ deployment })).toEqual([{ source: "admission", pods: 0, text: `FailedCreate: ${message}` }]);
  });

  test.each([
    ["ErrImagePull", "image"],
    ["ImagePullBackOff", "image"],
    ["InvalidImageName", "image"],
    ["RegistryUnavailable", "image"],
    ["CreateContainerConfigError", "container"],
    ["CrashLoopBackOff", "container"],
  ])("a container that waits for %s is a problem of the %s", (reason, source) => {
    expect(problems({ pods: [waiting("a", reason, "more words")] })).toEqual([
      { source, pods: 1, text: `${reason}: more words` },
    ]);
  });

  test("starting in the ordinary way is no problem", () => {
    const pods = [
      waiting("a", "ContainerCreating"),
      waiting("b", "PodInitializing"),
      pod("c", { conditions: [{ type: "PodScheduled", status: "True" }] }, "worker-1"),
      pod("d", {}),
    ];
    expect(problems({ pods })).toEqual([]);
  });

  test("pods that end or have ended are nobody's problem", () => {
    const leaving = { ...unscheduled("a"), metadata: { name: "a", deletionTimestamp: "2026-01-15T12:00:00Z" } };
    const failed = pod("b", { ...unscheduled("b").status, phase: "Failed" });
    expect(problems({ pods: [leaving, failed] })).toEqual([]);
  });

  test("a pod stuck on its node is explained by its last event", () => {
    const event = (name: string, reason: string, message: string) => ({ reason, message, involvedObject: { name } });
    expect(
      problems({
        pods: [waiting("a", "ContainerCreating")],
        events: [
          event("a", "FailedMount", "first"),
          event("b", "FailedMount", "of another pod"),
          event("a", "FailedAttachVolume", "Multi-Attach error"),
          event("a", "Unhealthy", "a probe"),
        ],
      }),
    ).toEqual([{ source: "volume", pods: 1, text: "FailedAttachVolume: Multi-Attach error" }]);
  });
});

describe("readRollouts", () => {
  const selector = {
    matchLabels: { app: "gitea" },
    matchExpressions: [
      { key: "tier", operator: "In", values: ["a", "b"] },
      { key: "old", operator: "DoesNotExist" },
      { key: "set", operator: "Exists" },
      { key: "zone", operator: "NotIn", values: ["z"] },
    ],
  };
  const DEPLOYMENT = "/apis/apps/v1/namespaces/dev/deployments/gitea";
  const PODS = "/api/v1/namespaces/dev/pods?labelSelector=app=gitea,tier in (a,b),!old,set,zone notin (z)";
  const EVENTS = "/api/v1/namespaces/dev/events?fieldSelector=involvedObject.kind=Pod,type=Warning";

  /** Reads from an API that has this Deployment and these pods; gives what was read, and which paths were asked for. */
  async function read(status: object, pods: Pod[] = [], spec: object = { replicas: 3 }) {
    const asked: string[] = [];
    const get = async (path: string) => {
      asked.push(decodeURIComponent(path));
      if (path === DEPLOYMENT) return { metadata: { generation: 2 }, spec: { ...spec, selector }, status };
      return path.includes("/pods") ? { items: pods } : {};
    };
    const [rollout] = await readRollouts(get, [{ namespace: "dev", name: "gitea" }]);
    return { rollout, asked };
  }

  test("is complete when as many pods are available as are asked for, and nothing else is read then", async () => {
    expect(await read({ observedGeneration: 2, availableReplicas: 3 })).toEqual({
      rollout: { complete: true, wanted: 3, available: 3, problems: [] },
      asked: [DEPLOYMENT],
    });
  });

  test.each([
    ["fewer pods are available", { observedGeneration: 2, availableReplicas: 2 }, 2],
    ["none is", { observedGeneration: 2 }, 0],
    ["the controller has not seen the count yet", { observedGeneration: 1, availableReplicas: 3 }, 3],
  ])("is not complete when %s", async (_when, status, available) => {
    const { rollout } = await read(status);
    expect(rollout).toEqual({ complete: false, wanted: 3, available, problems: [] });
  });

  test("a count that is not stated is 1, and 0 is 0", async () => {
    expect((await read({ observedGeneration: 2 }, [], {})).rollout).toMatchObject({ complete: false, wanted: 1 });
    expect((await read({ observedGeneration: 2 }, [], { replicas: 0 })).rollout).toMatchObject({
      complete: true,
      wanted: 0,
    });
  });

  test("asks for the pods, and for events only where these are needed", async () => {
    const unplaced = await read({}, [unscheduled("a")]);
    expect(unplaced.rollout).toMatchObject({ problems: [{ source: "scheduler", pods: 1, text: NO_ROOM }] });
    expect(unplaced.asked).toEqual([DEPLOYMENT, PODS]);
    expect((await read({}, [waiting("a", "ContainerCreating")])).asked).toEqual([DEPLOYMENT, PODS, EVENTS]);
  });

  test("asks for no pods where their problems are not wanted", async () => {
    const asked: string[] = [];
    const get = async (path: string) => {
      asked.push(path);
      return { spec: { replicas: 3, selector } };
    };
    const [rollout] = await readRollouts(get, [{ namespace: "dev", name: "gitea" }], { problems: false });
    expect({ rollout, asked }).toEqual({
      rollout: { complete: false, wanted: 3, available: 0, problems: [] },
      asked: [DEPLOYMENT],
    });
  });

  test("ten of one namespace come with one list, in the order of the question, and an error for each that is gone", async () => {
    const names = Array.from({ length: 10 }, (_, index) => ({ namespace: "dev", name: `app-${index}` }));
    const asked: string[] = [];
    const get = async (path: string) => {
      asked.push(path);
      const there = (name: string, availableReplicas: number) => ({
        metadata: { name },
        spec: { replicas: availableReplicas },
        status: { availableReplicas },
      });
      if (path.endsWith("/deployments/web")) return there("web", 7);
      return {
        items: [
          there("other", 1),
          ...names
            .slice(1)
            .map(({ name }, index) => there(name, index))
            .reverse(),
        ],
      };
    };
    const [gone, ...others] = await readRollouts(get, [...names, { namespace: "prod", name: "web" }]);
    expect(gone).toEqual(new Error("Deployment dev/app-0 is not there any more"));
    expect(others.map((rollout) => (rollout as Rollout).available)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 7]);
    expect(asked).toEqual([
      "/apis/apps/v1/namespaces/dev/deployments",
      "/apis/apps/v1/namespaces/prod/deployments/web",
    ]);
  });
});
