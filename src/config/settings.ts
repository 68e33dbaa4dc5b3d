/**
 * A stack's settings: the policy, and how long the stack waits for the cluster.
 */
import { keys, seconds } from "./fields.ts";
import { merged, mergeProblems } from "./merge.ts";
import type { Policy } from "./policy.ts";
import { mustBe } from "./problems.ts";
import { policyShape, validate } from "./schema.ts";

export interface Settings extends Policy {
  /** For the whole read of the cluster. */
  readTimeoutSeconds: number;
  /** How long the cluster may leave one request of it without a byte. */
  requestTimeoutSeconds: number;
  /** For the new pods of one workload to run. */
  rolloutTimeoutSeconds: number;
}

const DEFAULT_READ_TIMEOUT = 15;
/** A third of the default read, so that one request that hangs leaves time to say which. */
const DEFAULT_REQUEST_TIMEOUT = 5;
const DEFAULT_ROLLOUT_TIMEOUT = 600;

const settings = keys({
  ...policyShape,
  readTimeoutSeconds: seconds().default(DEFAULT_READ_TIMEOUT),
  requestTimeoutSeconds: seconds().optional(),
  rolloutTimeoutSeconds: seconds().default(DEFAULT_ROLLOUT_TIMEOUT),
});

/**
 * Settings as one map, as a policy file has them.
 *
 * @param where the heading of an error.
 * @throws ConfigError with every problem.
 */
export function parseSettings(value: unknown, where = "The settings"): Settings {
  const written = validate(settings, value, where, [...mergeProblems(value), ...timeoutProblems(value)]);
  const { readTimeoutSeconds, rolloutTimeoutSeconds } = written;
  const requestTimeoutSeconds = written.requestTimeoutSeconds ?? Math.min(DEFAULT_REQUEST_TIMEOUT, readTimeoutSeconds);
  return { ...merged(written), readTimeoutSeconds, requestTimeoutSeconds, rolloutTimeoutSeconds };
}

/**
 * Settings from a configuration that gives one key at a time, such as Pulumi's.
 *
 * @param get the value of a key as an object, undefined where there is none: `config.getObject(key)`.
 * @param written all the keys that the configuration has, so that a misspelt one is an error.
 * @throws ConfigError with every problem.
 */
export function settingsFromKeys(
  get: (key: string) => unknown,
  written: readonly string[],
  where = "Configuration cluster-scale",
): Settings {
  return parseSettings(Object.fromEntries(written.map((key) => [key, get(key)])), where);
}

function timeoutProblems(value: unknown): string[] {
  const { readTimeoutSeconds: read = DEFAULT_READ_TIMEOUT, requestTimeoutSeconds: request } = (value ?? {}) as Record<
    string,
    unknown
  >;
  if (typeof read !== "number" || typeof request !== "number" || read <= 0 || request <= read) return [];
  return [`requestTimeoutSeconds: ${mustBe(`at most readTimeoutSeconds, which is ${read}`, request)}`];
}
