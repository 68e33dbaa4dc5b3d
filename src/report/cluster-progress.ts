/** How far a ClickHouse or Keeper cluster is with its step, and what to do where it stays there. */
import type { ClusterDetails } from "../cluster/clickhouse-look.ts";
import type { ClickHouseCluster, KeeperCluster } from "../cluster/snapshot.ts";
import type { Unfinished } from "../plan/clickhouse-done.ts";
import { problemText } from "./rollout.ts";

type Cluster = KeeperCluster | ClickHouseCluster;

/** `member 4 of 5 joined; ScaleAllowed: WaitingFollowers`: how many, and what says most about the rest. */
export function progressText(cluster: Cluster, unfinished: readonly Unfinished[]): string {
  const { readyReplicas } = cluster.status;
  const count =
    "shards" in cluster
      ? `replica ${readyReplicas} of ${cluster.replicas * cluster.shards} ready`
      : `member ${readyReplicas} of ${cluster.replicas} joined`;
  const [first] = byWeight(unfinished);
  return first === undefined ? `${count}; finished` : `${count}; ${missingText(first)}`;
}

/** What says most first: the operator's own words on the present spec, of those the later ones, which are about less and say more. */
function byWeight(unfinished: readonly Unfinished[]): Unfinished[] {
  const weight = (missing: Unfinished) => {
    if (missing.what === "generation") return 0;
    if (missing.what === "condition" && missing.condition !== null && !missing.stale) return 1;
    return missing.what === "revision" ? 2 : missing.what === "condition" ? 3 : 4;
  };
  return unfinished.toReversed().sort((a, b) => weight(a) - weight(b));
}

function missingText(missing: Unfinished): string {
  switch (missing.what) {
    case "generation":
      return "the operator has yet to look at the change";
    case "revision":
      return "the change is not everywhere yet";
    case "replicas":
      return "not all are ready";
    case "condition": {
      const { type, condition, stale } = missing;
      if (condition === null) return `${type}: not reported`;
      return stale ? `${type}: of an earlier generation` : `${type}: ${condition.reason || condition.status}`;
    }
  }
}

/** What usually helps, by the reason of a condition. */
const REMEDIES: Record<string, string> = {
  ReplicaHasPendingChanges:
    "a member can't restart with its new configuration: look at its pod and its log, and at the nodes it may use.",
  ReplicaNotReady:
    "a member does not answer: look at its pod and its log, and bring it back. Nothing is scaled without it.",
  NoQuorum:
    "bring members back until more than half of them run. Keep their volumes: a member that starts empty does not bring back what is lost.",
  WaitingFollowers:
    "a member can't reach the leader, or still copies its state: look at its log, at network policies between the members, and at the disk. One that is to leave has not left yet.",
  ScalingUp:
    "the operator is still making members: look at its log, at quotas and at the volumes that new members ask for.",
  ScalingDown:
    "the operator is still removing members: look at its log; it removes no replica of a shard that it can't synchronise first.",
  DatabasesNotCreated:
    "a replica could not create the databases: look at the operator's log and that of the replica. Only Replicated databases and integrations are synchronised.",
  ReplicasNotCleanedUp:
    "something of a removed replica stays registered: on a replica that runs, SYSTEM DROP DATABASE REPLICA '<shard>|<replica>' FROM DATABASE <database>.",
  SomeShardsNotReady: "a shard has no replica that answers: look at its pods and their logs.",
  NoLeader: "bring members back until more than half of them run.",
  NotEnoughFollowers: "bring members back until more than half of them run.",
};

const NO_OPERATOR =
  "the operator does not look at the resource: see that it runs, watches this namespace and can reach the API server.";
const OLD_SPEC =
  "a StatefulSet stays on its old spec, which is known of shard 0 after shards were added (ClickHouse/clickhouse-operator#191): compare their annotations " +
  "checksum/spec, and delete the one that differs; the operator makes it anew, its volume stays.";
const PODS = "look at the pods that are not ready, and at their logs.";

export function remedyOf(unfinished: readonly Unfinished[]): string {
  if (unfinished.some(({ what }) => what === "generation")) return NO_OPERATOR;
  for (const missing of byWeight(unfinished)) {
    if (missing.what !== "condition" || missing.condition === null || missing.stale) continue;
    const { reason } = missing.condition;
    if (Object.hasOwn(REMEDIES, reason)) return REMEDIES[reason] ?? PODS;
  }
  return unfinished.some(({ what }) => what === "revision") ? OLD_SPEC : PODS;
}

/** What is said of StatefulSets that stayed behind although the cluster says that all is done. */
export function staleText(names: readonly string[]): string {
  return `${names.join(", ")} ${names.length === 1 ? "is" : "are"} not what the status says: ${OLD_SPEC}`;
}

/** Everything that is known of a step that takes too long, as lines. */
export function diagnosis(cluster: Cluster, unfinished: readonly Unfinished[], details: ClusterDetails): string {
  const conditions = cluster.status.conditions.map(
    ({ type, status, reason, message, observedGeneration }) =>
      `${type}=${status} ${reason}${message === "" ? "" : `: ${message}`}${observedGeneration === cluster.generation ? "" : " (of an earlier generation)"}`,
  );
  const pods = details.pods.map(
    ({ name, phase, ready, node }) =>
      `${name}: ${phase}, ${ready ? "ready" : "not ready"}${node === "" ? ", no node" : `, on ${node}`}`,
  );
  const events = details.events.map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
  return [
    ...section("conditions", conditions),
    ...section("pods", [...pods, ...details.problems.map(problemText)]),
    ...section("events", events),
    ...section("could not be read", details.unread, []),
    `  Usually: ${remedyOf(unfinished)}`,
  ].join("\n");
}

function section(title: string, lines: readonly string[], otherwise = ["none"]): string[] {
  const shown = lines.length === 0 ? otherwise : lines;
  return shown.length === 0 ? [] : [`  ${title}:`, ...shown.map((line) => `    ${line.replaceAll(/\s*\n\s*/g, " ")}`)];
}
