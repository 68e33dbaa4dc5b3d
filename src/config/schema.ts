/**
 * The policy as it is written in a stack's configuration or a policy file, and what it means: docs/semantics.md,
 * "Words". Every mistake is found in one pass; each message completes the sentence "must be …".
 */
import * as z from "zod";
import { merged, mergeProblems } from "./merge.ts";
import { type Formula, type LabelSelector, type Policy, UNSAFE_REASONS } from "./policy.ts";
import { ConfigError, describeIssues, isPlaceholder, orList } from "./problems.ts";
import { isDnsSubdomain, isLabelKey, parseSelector } from "./selector.ts";

/** A map of exactly these keys. */
export function keys<Shape extends z.core.$ZodShape>(shape: Shape) {
  const allowed = Object.keys(shape).join(", ");
  return z.strictObject(shape, {
    error: (issue) => (issue.code === "unrecognized_keys" ? allowed : `a map with keys of: ${allowed}`),
  });
}

function whole(least: number) {
  const error = `a whole number of at least ${least}`;
  return z.int({ error }).min(least, { error });
}

function positive() {
  const error = "a number above 0";
  return z.number({ error }).gt(0, { error });
}

/** A timeout. A day at most: timers of more than 24 days fire at once. */
export function seconds() {
  const error = "a number of seconds above 0 and at most 86400";
  return z.number({ error }).gt(0, { error }).max(86_400, { error });
}

function oneOf<const Choices extends readonly string[]>(choices: Choices) {
  return z.enum(choices, { error: orList(choices) });
}

function text(error: string, isRight: (text: string) => boolean = (written) => written.trim() !== "") {
  return z.string({ error }).refine((written) => !isPlaceholder(written) && isRight(written), { error });
}

function listOf<Item extends z.ZodType>(item: Item, error: string) {
  return z.array(item, { error });
}

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

const step = z.tuple([whole(1), whole(1)], { error: "a pair [nodes, replicas]" });
const ladder = listOf(step, "a list of steps [nodes, replicas]").superRefine((steps, context) => {
  const ascends = steps.every(([nodes, replicas], index) => {
    const before = steps[index - 1];
    return before === undefined || (nodes > before[0] && replicas >= before[1]);
  });
  if (steps.length > 0 && ascends) return;
  const message = "a list of at least one step [nodes, replicas], nodes ascending and replicas never descending";
  context.addIssue({ code: "custom", message, input: steps });
});

const FORMULAS = "linear, ha, { nodesPerReplica }, { coresPerReplica }, both of these, or { ladder }";
const namedFormula = z.enum(["linear", "ha"], { error: FORMULAS });
const ladderFormula = keys({ ladder });
const perReplica = keys({ nodesPerReplica: positive().optional(), coresPerReplica: positive().optional() });

/** The form is chosen by what stands there, so that a mistake is told in its terms and not once for each form. */
const formula = z.unknown().transform((written, context) => {
  const isForm = typeof written === "object" && written !== null && Object.keys(written).length > 0;
  const form = !isForm ? namedFormula : "ladder" in written ? ladderFormula : perReplica;
  const result = form.safeParse(written, { reportInput: true });
  if (result.success) return result.data as Formula;
  context.issues.push(...(result.error.issues as z.core.$ZodRawIssue[]));
  return z.NEVER;
});

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

const dnsLabel = (written: string) => /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(written);
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
  return merged(validate(keys(policyShape), value, where, mergeProblems(value)));
}
