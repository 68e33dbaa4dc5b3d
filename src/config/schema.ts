/**
 * The policy as it is written in a stack's configuration or a policy file, and what it means: docs/semantics.md,
 * "Words". Every mistake is found in one pass; each message completes the sentence "must be …".
 */
import * as z from "zod";
import { clickHouseEntries, clickHouseProblems } from "./clickhouse.ts";
import { merged, mergeProblems } from "./merge.ts";
import { type LabelSelector, type Policy, UNSAFE_REASONS } from "./policy.ts";
import { dnsLabel, formula, keys, listOf, oneOf, text, whole } from "./primitives.ts";
import { ConfigError, describeIssues, orList } from "./problems.ts";
import { queues } from "./queue-schema.ts";
import { isDnsSubdomain, isLabelKey, parseSelector } from "./selector.ts";

const selector = z.unknown().transform((written, context): LabelSelector => {
  const allowed = "a label selector as kubectl takes it, such as pool=app,tier!=edge";
  try {
    if (typeof written === "string") return parseSelector(written);
    context.addIssue({ code: "custom", message: allowed, input: written });
  } catch (error) {
    context.addIssue({ code: "custom", message: `${allowed} (${(error as Error).message})`, input: written });
  }
  return z.NEVER;
});

const labelKeys = listOf(text("a label key", isLabelKey), "a list of label keys");

/** What a workload, a layer and the defaults may all say. */
const settings = {
  max: whole(1).optional(),
  min: whole(1).optional(),
  formula: formula.optional(),
  spare: whole(0).optional(),
  capacity: oneOf(["enforce", "warn", "off"]).optional(),
  gitops: oneOf(["defer", "override", "write"]).optional(),
  hpa: oneOf(["defer", "bounds"]).optional(),
  os: oneOf(["linux", "windows"]).optional(),
  allowUnsafe: listOf(oneOf(UNSAFE_REASONS), `a list of ${orList(UNSAFE_REASONS)}`).optional(),
};

const workload = keys({
  namespace: text("the name of a namespace", dnsLabel),
  name: text("the name of a workload", isDnsSubdomain),
  kind: text("a kind such as Deployment", (written) => /^[A-Z][A-Za-z0-9]*$/.test(written)).default("Deployment"),
  layer: text("the name of a layer").optional(),
  ...settings,
});

const workers = keys({
  selector: selector.default([]),
  exclude: listOf(selector, "a list of label selectors").default([]),
  controlPlane: oneOf(["auto", "never", "always"]).default("auto"),
  controlPlaneLabels: labelKeys.default([
    "node-role.kubernetes.io/control-plane",
    "node-role.kubernetes.io/master",
    "node-role.kubernetes.io/controlplane",
    "node-role.kubernetes.io/etcd",
    "node.kubernetes.io/microk8s-controlplane",
  ]),
  startupTaints: labelKeys.default([]),
  minReadySeconds: whole(0).default(30),
  unreadyGraceSeconds: whole(0).default(300),
  maxUnreadyPercentage: z
    .number({ error: "a number from 0 to 100" })
    .min(0, { error: "a number from 0 to 100" })
    .max(100, { error: "a number from 0 to 100" })
    .default(45),
  okUnreadyCount: whole(0).default(3),
  strict: z.boolean({ error: "true or false" }).default(false),
});

const owners = keys({
  takeOver: listOf(text("the name of a field manager"), "a list of names of field managers").default([]),
});

/** The keys of a policy. */
export const policyShape = {
  workers: workers.prefault({}),
  owners: owners.prefault({}),
  capacityPodLimit: whole(1).default(20_000),
  defaults: keys(settings).default({}),
  layers: z.record(z.string(), keys(settings), { error: "a map from names of layers to their settings" }).default({}),
  workloads: listOf(workload, "the allowlist, a list of { namespace, name, max, … }"),
  clickhouse: clickHouseEntries,
  queues,
};

/** Settings as one of the three levels states them: any of them may be absent. */
export type WrittenSettings = z.infer<ReturnType<typeof keys<typeof settings>>>;
export type WrittenPolicy = z.infer<ReturnType<typeof keys<typeof policyShape>>>;

/**
 * Validates a value by a schema that has the keys of a policy, and more where a caller adds some.
 *
 * @param further problems that a schema can't see, told beside its own.
 * @throws ConfigError with every problem of the value.
 */
export function validate<Schema extends z.ZodType<WrittenPolicy>>(
  schema: Schema,
  value: unknown,
  where: string,
  further: string[],
): z.infer<Schema> {
  const result = schema.safeParse(value, { reportInput: true });
  const problems = [...(result.success ? [] : describeIssues(result.error.issues)), ...further];
  if (!result.success || problems.length > 0) throw new ConfigError(where, problems);
  return result.data;
}

/**
 * The policy as written, validated, with defaults filled in and layers merged into each workload.
 *
 * @param where the heading of an error: the name of the file, say.
 * @throws ConfigError with every problem of the policy.
 */
export function parsePolicy(value: unknown, where = "The policy"): Policy {
  return merged(validate(keys(policyShape), value, where, [...mergeProblems(value), ...clickHouseProblems(value)]));
}
