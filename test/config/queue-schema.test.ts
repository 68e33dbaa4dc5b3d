import { describe, expect, test } from "vitest";
import { ConfigError } from "../../src/config/problems.ts";
import { parsePolicy } from "../../src/config/schema.ts";

/** As it is left in a file when nobody filled it in. */
const TAG = ["$", "{TAG}"].join("");
const QUEUE = { namespace: "shop", name: "worker", target: 10, max: 8 };
const PROBES = {
  startup: { path: "/health/started", port: 4000 },
  liveness: { path: "/health/alive", port: 4000 },
  readiness: { path: "/health/ready", port: 4000 },
};
const WORKLOAD = { image: "registry.example/worker:1.4.2", probes: PROBES };

function queueOf(fields: object = {}) {
  const [queue] = parsePolicy({ workloads: [], queues: [{ ...QUEUE, ...fields }] }).queues;
  return queue;
}

function problemsOf(policy: object): string[] {
  try {
    parsePolicy({ workloads: [], ...policy });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const queueProblems = (fields: object) => problemsOf({ queues: [{ ...QUEUE, ...fields }] });
const workloadProblems = (fields: object) => queueProblems({ workload: { ...WORKLOAD, ...fields } });

test("a policy without queues has none", () => {
  expect(parsePolicy({ workloads: [] }).queues).toEqual([]);
});

test("defaults: the metric, jobs that are available, ten minutes before scaling down, nothing deleted", () => {
  expect(queueOf()).toEqual({
    namespace: "shop",
    name: "worker",
    metric: "oban_queue_depth",
    selector: { state: "available" },
    target: 10,
    min: 1,
    max: 8,
    formula: "linear",
    spare: 0,
    capacity: "enforce",
    os: "linux",
    allowUnsafe: [],
    scaleDown: { stabilizationWindowSeconds: 600 },
    preflight: "enforce",
    age: { metric: "oban_queue_depth_age_seconds", maxSeconds: 120 },
    deleteHpaOnRemoval: false,
  });
});

test("the name of the queue is a label of its metric", () => {
  expect(queueOf({ queue: "mails" })?.selector).toEqual({ state: "available", queue: "mails" });
});

test("the metric of its age is named after it, or as it is said", () => {
  expect(queueOf({ metric: "depth" })?.age).toEqual({ metric: "depth_age_seconds", maxSeconds: 120 });
  expect(queueOf({ age: { metric: "age", maxSeconds: 30 } })?.age).toEqual({ metric: "age", maxSeconds: 30 });
});

test("scaling rules are data", () => {
  const scaleUp = { selectPolicy: "Max", policies: [{ type: "Pods", value: 4, periodSeconds: 60 }] };
  const queue = queueOf({ scaleUp, scaleDown: { stabilizationWindowSeconds: 60, selectPolicy: "Min" } });
  expect(queue).toMatchObject({ scaleUp, scaleDown: { stabilizationWindowSeconds: 60, selectPolicy: "Min" } });
});

test("defaults of the workload around it", () => {
  expect(queueOf({ workload: { ...WORKLOAD, volume: { mountPath: "/data", size: "10Gi" } } })?.workload).toEqual({
    image: "registry.example/worker:1.4.2",
    env: {},
    secrets: [],
    resources: { requests: {}, limits: {} },
    probes: {
      startup: { action: { path: "/health/started", port: 4000 }, timing: { failureThreshold: 30 } },
      liveness: { action: { path: "/health/alive", port: 4000 }, timing: {} },
      readiness: { action: { path: "/health/ready", port: 4000 }, timing: {} },
    },
    terminationGracePeriodSeconds: 60,
    volume: { mountPath: "/data", accessMode: "ReadWriteMany", size: "10Gi" },
    network: {
      dns: [{ namespace: "kube-system", podLabels: { "k8s-app": "kube-dns" } }],
      ingress: [],
      egress: [],
    },
  });
});

describe("a queue that can't be used", () => {
  test.each([
    [{ target: undefined }, "queues[0].target: is missing; must be a whole number of at least 1"],
    [{ target: 0 }, "queues[0].target: must be a whole number of at least 1, not 0"],
    [{ min: 0 }, "queues[0].min: must be a whole number of at least 1, not 0"],
    [{ min: 9 }, "queues[0]: min must be at most max, which is 8, not 9"],
    [{ metric: "queue-depth" }, 'queues[0].metric: must be the name of a metric, not "queue-depth"'],
    [
      { scaleDown: { stabilizationWindowSeconds: 3601 } },
      "queues[0].scaleDown.stabilizationWindowSeconds: must be a number of seconds from 0 to 3600, not 3601",
    ],
    [
      { scaleUp: { policies: [] } },
      "queues[0].scaleUp.policies: must be a list of at least one { type, value, periodSeconds }, not []",
    ],
    [
      { queue: "mails", selector: { queue: "bills" } },
      "queues[0].selector.queue: names another queue than queues[0].queue; leave one of them out",
    ],
    [
      { stabilizationWindowSeconds: 60 },
      "queues[0].stabilizationWindowSeconds: unknown key; allowed: namespace, name, queue, metric, selector, target, min, max, formula, spare, capacity, os, allowUnsafe, scaleUp, scaleDown, preflight, age, deleteHpaOnRemoval, workload",
    ],
  ])("%o", (fields, problem) => {
    expect(queueProblems(fields)).toEqual([problem]);
  });

  test("two queues, or a queue and a workload, for one Deployment", () => {
    expect(problemsOf({ workloads: [{ namespace: "shop", name: "worker", max: 3 }], queues: [QUEUE, QUEUE] })).toEqual([
      "queues[0]: Deployment shop/worker is in workloads too, and its count can have one owner; take it out of one of them",
      "queues[1]: Deployment shop/worker has a queue already, queues[0]; one autoscaler sizes it",
      "queues[1]: Deployment shop/worker is in workloads too, and its count can have one owner; take it out of one of them",
    ]);
  });
});

describe("placeholders and empty strings fail with their key", () => {
  test.each([
    [{ namespace: "" }, 'queues[0].namespace: must be the name of a namespace, not ""'],
    [{ name: "<name>" }, 'queues[0].name: is still the placeholder "<name>"; must be the name of a Deployment'],
    [
      { queue: "" },
      'queues[0].queue: must be the name of a queue (letters, digits, - _ . and at most 63 of them), not ""',
    ],
    [
      { selector: { state: "CHANGEME" } },
      'queues[0].selector.state: is still the placeholder "CHANGEME"; must be the value of a label (letters, digits, - _ . and at most 63 of them)',
    ],
  ])("%o", (fields, problem) => {
    expect(queueProblems(fields)).toEqual([problem]);
  });

  test.each([
    [{ image: "" }, 'queues[0].workload.image: must be an image, not ""'],
    [{ image: "TODO" }, 'queues[0].workload.image: is still the placeholder "TODO"; must be an image'],
    [
      { image: `registry.example/app:${TAG}` },
      `queues[0].workload.image: still has the placeholder ${TAG} in it: "registry.example/app:${TAG}"; must be an image`,
    ],
    [
      { env: { POOL_SIZE: "" } },
      'queues[0].workload.env.POOL_SIZE: must be text that is not empty (an empty one counts as absent), not ""',
    ],
    [
      { env: { HOST: "<host>.example" } },
      'queues[0].workload.env.HOST: still has the placeholder <host> in it: "<host>.example"; must be text that is not empty (an empty one counts as absent)',
    ],
    [
      { secrets: [{ env: "DATABASE_URL", secret: "", key: "url" }] },
      'queues[0].workload.secrets[0].secret: must be the name of a Secret, not ""',
    ],
    [
      { volume: { mountPath: "/data", size: "10Gi", storageClass: "" } },
      'queues[0].workload.volume.storageClass: must be the name of a StorageClass, not ""',
    ],
  ])("%o", (fields, problem) => {
    expect(workloadProblems(fields)).toEqual([problem]);
  });

  test("a shell's own variables are none", () => {
    expect(workloadProblems({ command: ["sh", "-c", `exec worker --dir ${TAG} < in`] })).toEqual([]);
  });
});

describe("probes ask three questions", () => {
  const SAME =
    "queues[0].workload.probes: liveness and readiness ask the same, so that a dependency that is down restarts every pod; " +
    "let liveness ask whether the process works and readiness whether it can, or say allowSameProbe: true";

  test.each([
    ["the same path", { liveness: { path: "/ready", port: 4000 }, readiness: { path: "/ready", port: 4000 } }],
    [
      "the same path of another port",
      { liveness: { path: "/ready", port: 1 }, readiness: { path: "/ready", port: 2 } },
    ],
    ["the same command", { liveness: { exec: ["check"] }, readiness: { exec: ["check"], periodSeconds: 5 } }],
    ["the same port", { liveness: { tcpPort: 4000 }, readiness: { tcpPort: 4000 } }],
  ])("%s for liveness and readiness is an error", (_what, probes) => {
    expect(workloadProblems({ probes: { ...PROBES, ...probes } })).toEqual([SAME]);
    expect(workloadProblems({ probes: { ...PROBES, ...probes, allowSameProbe: true } })).toEqual([]);
  });

  test("all three have to be there, and each asks one question", () => {
    const { startup } = PROBES;
    expect(workloadProblems({ probes: { startup, liveness: { path: "/alive", exec: ["check"] } } })).toEqual([
      'queues[0].workload.probes.liveness: must be one question: { path, port }, { exec } or { tcpPort }, not {"path":"/alive","exec":["check"]}',
      "queues[0].workload.probes.readiness: is missing; must be a map with keys of: path, port, exec, tcpPort, initialDelaySeconds, periodSeconds, timeoutSeconds, failureThreshold",
    ]);
  });
});

describe("secrets are referred to and never stand in a policy", () => {
  const LITERAL = "holds a literal secret (which is not shown here), and would be in manifests and in the state.";
  const inEnv = (name: string) =>
    `queues[0].workload.env.${name}: ${LITERAL} Put it into a Secret, and { env: ${name}, secret, key } into secrets`;

  test.each([
    ["by its name", { DB_PASSWORD: "hunter2" }, "DB_PASSWORD"],
    ["by its name", { SECRET_KEY_BASE: "c2VjcmV0" }, "SECRET_KEY_BASE"],
    ["by its name", { DATABASE_URL: "ecto://db/prod" }, "DATABASE_URL"],
    ["a URL with a password", { BROKER: "amqp://jobs:hunter2@mq:5672" }, "BROKER"],
    ["a token", { UPSTREAM: "ghp_0123456789abcdefghij0123456789" }, "UPSTREAM"],
    ["a private key", { SIGNER: "-----BEGIN PRIVATE KEY-----\nMII" }, "SIGNER"],
  ])("%s: %o", (_how, env, name) => {
    expect(workloadProblems({ env })).toEqual([inEnv(name)]);
  });

  test.each([[{ TOKEN_TTL_SECONDS: 60 }], [{ SORT_KEY: "id" }], [{ PASSWORD_FILE: "/run/secrets/db" }]])(
    "%o is none",
    (env) => {
      expect(workloadProblems({ env })).toEqual([]);
    },
  );

  test("among the arguments", () => {
    expect(workloadProblems({ args: ["--db=postgres://app:hunter2@db/prod"] })).toEqual([
      `queues[0].workload.args: ${LITERAL} Let the process read it from a variable that is among the secrets`,
    ]);
  });

  test("a value beside a reference is an unknown key, and a wrong one is not quoted", () => {
    const secret = { env: "DATABASE_URL", secret: "db", key: "postgres://app:hunter2@db/prod", value: "hunter2" };
    const problems = workloadProblems({ secrets: [secret] });
    expect(problems).toEqual([
      "queues[0].workload.secrets[0].key: must be a key of the Secret, not what looks like a secret (not shown)",
      "queues[0].workload.secrets[0].value: unknown key; allowed: env, secret, key, external",
    ]);
    expect(problems.join()).not.toContain("hunter2");
  });

  test("a variable is either plain or a secret", () => {
    const secrets = [{ env: "REGION", secret: "db", key: "region" }];
    expect(workloadProblems({ env: { REGION: "eu" }, secrets })).toEqual([
      "queues[0].workload.env.REGION: is among the secrets too; take it out of one of them",
    ]);
  });
});

describe("volumes, draining, flows", () => {
  test.each([
    [
      { volume: { mountPath: "/data" } },
      "queues[0].workload.volume.size: is missing; must be a quantity, or existingClaim names a claim",
    ],
    [
      { volume: { mountPath: "/data", existingClaim: "files", size: "1Gi" } },
      "queues[0].workload.volume.size: must be left out, since existingClaim is there already",
    ],
    [
      { preStop: { sleepSeconds: 60 } },
      "queues[0].workload.preStop.sleepSeconds: must be less than terminationGracePeriodSeconds, which is 60, not 60: the pod is killed before it can drain",
    ],
    [
      { network: { egress: [{ peer: { cidr: "10.0.0.0/33" }, ports: [5432] }] } },
      'queues[0].workload.network.egress[0].peer.cidr: must be a range of addresses such as 10.0.0.0/8, not "10.0.0.0/33"',
    ],
    [
      { network: { egress: [{ peer: { podLabels: { app: "db" } }, ports: [5432] }] } },
      'queues[0].workload.network.egress[0].peer: must be { namespace, podLabels } or { cidr }, not {"podLabels":{"app":"db"}}',
    ],
    [
      { resources: { requests: { memory: "1GB" } } },
      'queues[0].workload.resources.requests.memory: must be a quantity such as 250m, 2 or 1.5Gi, not "1GB"',
    ],
  ])("%o", (fields, problem) => {
    expect(workloadProblems(fields)).toEqual([problem]);
  });
});

test("every mistake is told at once", () => {
  const queue = { ...QUEUE, target: 0, workload: { ...WORKLOAD, image: "<image>", env: { DB_PASSWORD: "hunter2" } } };
  expect(problemsOf({ queues: [queue] })).toHaveLength(3);
});
