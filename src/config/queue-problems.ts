/**
 * What a schema can't see of queues, or must not quote: what several keys say together, and secrets. Reads the raw value,
 * so that these are told beside the schema's mistakes; what the schema refuses is left to it.
 */
import { isDeepStrictEqual } from "node:util";
import { asList, asMap } from "./raw.ts";
import { isSecretName, looksSecret } from "./secret-values.ts";

/** A line for each mistake. */
export function queueProblems(value: unknown): string[] {
  const policy = asMap(value);
  const listed = new Set(asList(policy.workloads).map(deploymentOf));
  const seen = new Map<string, string>();
  return asList(policy.queues).flatMap((item, index) => {
    const path = `queues[${index}]`;
    const queue = asMap(item);
    const deployment = deploymentOf(queue);
    const first = seen.get(deployment);
    if (first === undefined) seen.set(deployment, path);
    return [
      ...(first === undefined ? [] : [`${path}: ${deployment} has a queue already, ${first}; one autoscaler sizes it`]),
      ...(listed.has(deployment)
        ? [`${path}: ${deployment} is in workloads too, and its count can have one owner; take it out of one of them`]
        : []),
      ...boundsProblems(path, queue),
      ...labelProblems(path, queue),
      ...workloadProblems(`${path}.workload`, asMap(queue.workload)),
    ];
  });
}

/** As a sentence names it; unique for what is no Deployment or has no name, which others see to. */
function deploymentOf(item: unknown): string {
  const { kind = "Deployment", namespace, name } = asMap(item);
  const named = typeof namespace === "string" && typeof name === "string";
  return `${named ? kind : Symbol("nameless").toString()} ${String(namespace)}/${String(name)}`;
}

function boundsProblems(path: string, { min = 1, max, queue, selector }: Record<string, unknown>): string[] {
  const named = asMap(selector).queue;
  return [
    ...(typeof min === "number" && typeof max === "number" && max >= 1 && min > max
      ? [`${path}: min must be at most max, which is ${max}, not ${min}`]
      : []),
    ...(queue !== undefined && named !== undefined && named !== queue
      ? [`${path}.selector.queue: names another queue than ${path}.queue; leave one of them out`]
      : []),
  ];
}

/** The name of a declared workload is a label of its pods too. */
function labelProblems(path: string, { name, workload }: Record<string, unknown>): string[] {
  if (workload === undefined || typeof name !== "string" || name.length <= 63) return [];
  return [`${path}.name: must be of at most 63 characters where the workload is declared, not ${name.length}`];
}

function workloadProblems(path: string, workload: Record<string, unknown>): string[] {
  return [
    ...sameProbeProblems(path, asMap(workload.probes)),
    ...preStopProblems(path, workload),
    ...volumeProblems(`${path}.volume`, workload.volume),
    ...secretProblems(path, workload),
  ];
}

/** A dependency that is down must take a pod out of service, not kill it: so the two have to ask different things. */
function sameProbeProblems(path: string, { liveness, readiness, allowSameProbe }: Record<string, unknown>): string[] {
  if (
    allowSameProbe === true ||
    liveness === undefined ||
    !isDeepStrictEqual(question(liveness), question(readiness))
  ) {
    return [];
  }
  return [
    `${path}.probes: liveness and readiness ask the same, so that a dependency that is down restarts every pod; ` +
      "let liveness ask whether the process works and readiness whether it can, or say allowSameProbe: true",
  ];
}

function question(probe: unknown) {
  const { path, port, exec, tcpPort } = asMap(probe);
  return { path, port: path === undefined ? port : undefined, exec, tcpPort };
}

function preStopProblems(path: string, { preStop, terminationGracePeriodSeconds }: Record<string, unknown>): string[] {
  const { sleepSeconds } = asMap(preStop);
  const grace = terminationGracePeriodSeconds ?? 60;
  if (typeof sleepSeconds !== "number" || typeof grace !== "number" || sleepSeconds < grace) return [];
  return [
    `${path}.preStop.sleepSeconds: must be less than terminationGracePeriodSeconds, which is ${grace}, not ${sleepSeconds}: ` +
      "the pod is killed before it can drain",
  ];
}

function volumeProblems(path: string, volume: unknown): string[] {
  const { existingClaim, size, storageClass } = asMap(volume);
  if (volume === undefined || volume === null) return [];
  if (existingClaim === undefined) {
    return size === undefined ? [`${path}.size: is missing; must be a quantity, or existingClaim names a claim`] : [];
  }
  const further = Object.entries({ size, storageClass }).filter(([, value]) => value !== undefined);
  return further.map(([key]) => `${path}.${key}: must be left out, since existingClaim is there already`);
}

function secretProblems(path: string, { env, command, args, secrets }: Record<string, unknown>): string[] {
  const referred = new Set(asList(secrets).map((item) => asMap(item).env));
  return [
    ...storeProblems(path, asList(secrets)),
    ...Object.entries(asMap(env)).flatMap(([name, value]) => {
      if (referred.has(name)) return [`${path}.env.${name}: is among the secrets too; take it out of one of them`];
      const secret = typeof value === "string" && value !== "" && (isSecretName(name) || looksSecret(value));
      return secret
        ? [`${path}.env.${name}: ${LITERAL} Put it into a Secret, and { env: ${name}, secret, key } into secrets`]
        : [];
    }),
    ...Object.entries({ command, args }).flatMap(([key, list]) =>
      asList(list).some((item) => typeof item === "string" && looksSecret(item))
        ? [`${path}.${key}: ${LITERAL} Let the process read it from a variable that is among the secrets`]
        : [],
    ),
  ];
}

/** A Secret that External Secrets makes is made whole, of one store. */
function storeProblems(path: string, secrets: unknown[]): string[] {
  const stores = new Map<unknown, string>();
  return secrets.flatMap((item, index) => {
    const { secret, external } = asMap(item);
    const { store, storeKind } = asMap(external);
    const from = external === undefined ? "no store" : `${String(storeKind ?? "ClusterSecretStore")} ${String(store)}`;
    const first = stores.get(secret) ?? from;
    stores.set(secret, first);
    return typeof secret !== "string" || first === from
      ? []
      : [
          `${path}.secrets[${index}]: takes Secret ${secret} from ${from}, and another takes it from ${first}; name another Secret`,
        ];
  });
}

const LITERAL = "holds a literal secret (which is not shown here), and would be in manifests and in the state.";
