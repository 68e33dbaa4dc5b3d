/**
 * The published schema of a plan as JSON. `npm run schema` writes docs/plan.schema.json from it; its types are checked
 * against those of the plan, so that neither can change without the other.
 */
import { z } from "zod";
import { UNSAFE_REASONS } from "../config/policy.ts";
import { CLICKHOUSE_WARNINGS, REFUSAL_REASONS, WAITING_REASONS } from "../plan/clickhouse-plan.ts";
import { HEALTH_STATES, type QueueAction } from "../plan/plan.ts";

const count = z.int().min(0);
/** Of an autoscaler or a Deployment that is written: never 0. */
const written = z.int().min(1);

const decisions = ["scale-up", "scale-down", "keep", "hold", "refuse", "defer", "skip", "missing"] as const;

const decision = z.enum(decisions).describe("What is decided: docs/semantics.md, section 11.");

/** About the nodes as a whole, and the bounds that they set: of workloads and of ClickHouse alike. */
const ofNodes = ["cluster-unhealthy", "no-matching-node", "no-ready-worker", "placement", "capacity", "quota"] as const;

const reasons = [
  ...HEALTH_STATES.filter((state) => state !== "ready" && state !== "lost"),
  ...ofNodes,
  "not-a-deployment",
  "being-deleted",
  "operator-owned",
  "scaled-to-zero",
  "hpa",
  "keda",
  "argo-rollout",
  "argocd",
  "flux",
  "addon-manager",
  "field-owner",
  ...UNSAFE_REASONS,
] as const;

const reason = z.enum(reasons).describe("Why the target differs from the plain formula, or why nothing was planned.");

const warnings = [
  "rollout-deadlock",
  "pdb-blocks-drain",
  "rollout-paused",
  "tolerated-pool",
  "capacity-unknown",
  "capacity",
  "quota",
  "gitops-override",
  "not-modelled",
] as const;

const warning = z.enum(warnings).describe("What a reader should know; it changes nothing.");

const object = { namespace: z.string(), name: z.string() };

const action = z
  .discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("deployment"), ...object, replicas: written }),
    z.strictObject({
      kind: z.literal("hpa"),
      ...object,
      maxReplicas: written,
      minReplicas: count
        .exactOptional()
        .describe("Only where it would exceed maxReplicas otherwise, or is ours already."),
    }),
    z.strictObject({
      kind: z.literal("git"),
      ...object,
      replicas: written,
      hpa: z
        .strictObject({ minReplicas: count.exactOptional() })
        .exactOptional()
        .describe("Present where the count is the maxReplicas of the autoscaler of this name."),
    }),
  ])
  .describe("What carries the target into the world: a patch, or a count for the git repository.");

const entry = z.strictObject({
  workload: z.string().describe("namespace/name"),
  kind: z.string().describe("The kind that the policy names; anything but Deployment is refused."),
  decision,
  current: count.nullable().describe("Replicas now (an autoscaler's maxReplicas); null for what does not exist."),
  target: count.nullable().describe("Replicas to be; null for what does not exist."),
  grow: count.nullable().describe("Replicas that may run with new ones started now; null where never computed."),
  keep: count.nullable().describe("Replicas that may go on running; null where never computed."),
  reasons: z.array(reason),
  warnings: z.array(warning),
  message: z.string().describe("Why, in sentences for people."),
  action: action.nullable().describe("Null where nothing is written."),
});

const size = z.strictObject({
  replicas: count.describe("Members of a Keeper; replicas of each shard."),
  shards: count.exactOptional().describe("Absent for a Keeper."),
});

const cluster = z.strictObject({
  workload: z.string().describe("namespace/name"),
  kind: z.enum(["KeeperCluster", "ClickHouseCluster"]),
  decision,
  current: size.nullable().describe("Null for what does not exist."),
  target: size.nullable().describe("After this step; current where none is taken now."),
  next: z.array(size).describe("The steps that follow, in order; planned anew when this one is done."),
  reasons: z.array(
    z.enum([
      ...WAITING_REASONS,
      ...REFUSAL_REASONS,
      "being-deleted",
      "operator-owned",
      "scaled-to-zero",
      "argocd",
      "flux",
      "addon-manager",
      "field-owner",
      ...HEALTH_STATES.filter((state) => state !== "ready"),
      ...ofNodes,
    ]),
  ),
  warnings: z.array(z.enum(CLICKHOUSE_WARNINGS)),
  message: z.string().describe("Why, in sentences for people."),
  action: z
    .strictObject({
      kind: z.enum(["KeeperCluster", "ClickHouseCluster"]),
      apiVersion: z.string(),
      ...object,
      uid: z.string().exactOptional().describe("Of the object that was planned for, where it is known."),
      spec: z.strictObject({ replicas: written.exactOptional(), shards: written.exactOptional() }),
    })
    .nullable()
    .describe("The patch of the custom resource; null where nothing is written."),
});
/** Open, and typed as the plan has it: what a queue may say is written down once, in the policy's own schema. */
const declared = z
  .looseObject({ metric: z.string(), selector: z.record(z.string(), z.string()), target: written })
  .describe("The rest of what is declared, as the policy says it: docs/queues.md.") as unknown as z.ZodType<
  QueueAction["declared"]
>;

const queue = z
  .strictObject({
    workload: z.string().describe("namespace/name of the Deployment"),
    decision: z.enum([...decisions, "create"]).describe("What is decided; create: the autoscaler is not there yet."),
    current: count.nullable().describe("The autoscaler's maxReplicas now; null where there is none."),
    target: count.nullable().describe("Its maxReplicas to be; null where there is none and none is created."),
    grow: entry.shape.grow,
    keep: entry.shape.keep,
    reasons: z.array(z.enum([...reasons, "declared-elsewhere"])),
    warnings: z.array(z.enum([...warnings, "minimum-lowered", "single-node-volume", "delete-on-removal"])),
    message: entry.shape.message,
    action: z
      .strictObject({
        kind: z.literal("queue"),
        ...object,
        minReplicas: written,
        maxReplicas: written,
        declared,
      })
      .nullable()
      .describe("What is declared; null where nothing is."),
  })
  .describe("A workload whose load is a queue; its numbers are those of its autoscaler's maximum.");

const workers = z
  .strictObject({
    candidates: count.describe("Nodes that are workers by the policy, in whatever health."),
    byState: z.partialRecord(z.enum(HEALTH_STATES), count).describe("Candidates by state of health."),
    names: z
      .partialRecord(z.enum(HEALTH_STATES), z.array(z.string()))
      .describe("Candidates that are not ready, at most 10 a state."),
    nonCandidates: z
      .partialRecord(z.enum(["control-plane", "virtual", "excluded", "not-selected"]), count)
      .describe("Nodes that are no candidates, by why."),
  })
  .describe("The nodes at a glance.");

/** A plan as `cluster-scale plan --output json` prints it and `--out` writes it. */
export const planSchema = z.strictObject({
  clusterId: z.string().nullable().describe("UID of the namespace kube-system; null where it isn't known."),
  workloads: z.array(entry).describe("In the order of the allowlist."),
  clickhouse: z
    .array(cluster)
    .exactOptional()
    .describe("ClickHouse and Keeper clusters, in the order of the policy; absent where it lists none."),
  queues: z.array(queue).exactOptional().describe("In the order of the policy; only where it has queues."),
  workers,
  notes: z.array(z.string()).describe("What holds for the plan as a whole, a sentence each."),
  digest: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/)
    .describe("Names what is decided: two plans with the same digest do the same for the same reasons."),
});

/** What `--output json` prints: for a stack, with what Pulumi would do for the plan. */
export const printedPlanSchema = planSchema.extend({
  preview: z
    .strictObject({
      changes: z.record(z.string(), count).describe("How many resources each of Pulumi's operations takes."),
      steps: z.record(z.string(), z.string()).describe("The operation on the patch of each workload."),
    })
    .exactOptional()
    .describe("What Pulumi would do for the plan, where it was asked."),
});

/** The schema as JSON Schema 2020-12. */
export function planJsonSchema(): object {
  return z.toJSONSchema(printedPlanSchema.meta({ title: "A plan of cluster-scale" }));
}
