/** Queues as a policy writes them. docs/queues.md. */
import * as z from "zod";
import { UNSAFE_REASONS } from "./policy.ts";
import { dnsLabel, formula, keys, listOf, oneOf, seconds, text, whole } from "./primitives.ts";
import { orList } from "./problems.ts";
import type { QueuePolicy } from "./queue.ts";
import { queueWorkload } from "./queue-workload-schema.ts";
import { isDnsSubdomain } from "./selector.ts";

/** Scaling down is dear: jobs that are taken down have to begin anew elsewhere. */
const SCALE_DOWN_SECONDS = 600;
/** Eight scrapes of Prometheus' usual 15 s. */
const MAX_AGE_SECONDS = 120;
const DEFAULT_METRIC = "oban_queue_depth";
/** Jobs that may be run now; those that are scheduled for later call for no pod yet. */
const DEFAULT_SELECTOR = { state: "available" };

function within(least: number, most: number, what = "a whole number") {
  const error = `${what} from ${least} to ${most}`;
  return z.int({ error }).min(least, { error }).max(most, { error });
}

const metricName = text("the name of a metric", (written) => /^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(written));

/** Kubernetes takes the labels of a metric as labels of its own: values of up to 63 characters. */
const isLabelValue = (written: string) => /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/.test(written);
const labelValue = (what: string) => text(`${what} (letters, digits, - _ . and at most 63 of them)`, isLabelValue);
const seriesSelector = z.record(z.string().regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/), labelValue("the value of a label"), {
  error: "a map from names of a metric's labels to their values",
});

// The bounds of the API (autoscaling/v2, ValidateHorizontalPodAutoscaler).
const scalingStep = keys({
  type: oneOf(["Pods", "Percent"]),
  value: whole(1),
  periodSeconds: within(1, 1800, "a number of seconds"),
});
const scalingRules = {
  stabilizationWindowSeconds: within(0, 3600, "a number of seconds"),
  selectPolicy: oneOf(["Max", "Min", "Disabled"]).exactOptional(),
  policies: listOf(scalingStep, "a list of { type, value, periodSeconds }")
    .min(1, { error: "a list of at least one { type, value, periodSeconds }" })
    .exactOptional(),
};

const age = keys({ metric: metricName.exactOptional(), maxSeconds: seconds().default(MAX_AGE_SECONDS) });

const queue = keys({
  namespace: text("the name of a namespace", dnsLabel),
  name: text("the name of a Deployment", isDnsSubdomain),
  queue: labelValue("the name of a queue").exactOptional(),
  metric: metricName.default(DEFAULT_METRIC),
  selector: seriesSelector.default(DEFAULT_SELECTOR),
  target: whole(1),
  min: whole(1).default(1),
  max: whole(1),
  formula: formula.default("linear"),
  spare: whole(0).default(0),
  capacity: oneOf(["enforce", "warn", "off"]).default("enforce"),
  os: oneOf(["linux", "windows"]).default("linux"),
  allowUnsafe: listOf(oneOf(UNSAFE_REASONS), `a list of ${orList(UNSAFE_REASONS)}`).default([]),
  scaleUp: keys({
    ...scalingRules,
    stabilizationWindowSeconds: scalingRules.stabilizationWindowSeconds.exactOptional(),
  }).exactOptional(),
  scaleDown: keys({
    ...scalingRules,
    stabilizationWindowSeconds: scalingRules.stabilizationWindowSeconds.default(SCALE_DOWN_SECONDS),
  }).prefault({}),
  preflight: oneOf(["enforce", "warn"]).default("enforce"),
  age: age.prefault({}),
  deleteHpaOnRemoval: z.boolean({ error: "true or false" }).default(false),
  workload: queueWorkload.exactOptional(),
});

/** The key `queues` of a policy. */
export const queues = listOf(queue, "a list of { namespace, name, target, max, … }").default([]);

type WrittenQueue = z.infer<typeof queue>;

/** Queues as they were written, with the name of the queue among the labels of its metric. */
export function queuePolicies(written: WrittenQueue[]): QueuePolicy[] {
  return written.map(({ queue: name, selector, age, ...rest }) => ({
    ...rest,
    selector: name === undefined ? selector : { ...selector, queue: name },
    age: { metric: `${rest.metric}_age_seconds`, ...age },
  }));
}
