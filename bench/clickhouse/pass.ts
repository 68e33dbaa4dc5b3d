import type { KubeApi } from "../cluster/api.ts";
import type { OperatorEvent } from "./events.ts";
import { createMember, deleteMember, hasDiff, isRolledOut, type Member, podIsReady, updateMember } from "./members.ts";
import { type MemberId, memberName } from "./names.ts";
import type { Revisions } from "./revisions.ts";
import type { StatusDraft } from "./status.ts";
import type { ClusterObject, Delays, FaultType, JournalEntry } from "./types.ts";

/** What the operator remembers of a cluster between two looks. */
export interface Memory {
  generation?: number;
  /** The generation whose size is announced in the status. */
  announced?: number;
  /** It has looked at the members before. */
  looked: boolean;
  /** When the present generation is noticed, and other times in milliseconds since 1970. */
  noticedAt: number;
  lastStep: number;
  lastJoin: number;
  /** Until then a removed Keeper member is still counted by the leader. */
  leavingUntil: number;
  /** Until then the replicas know of removed ones. */
  cleanedUpAt: number;
  /** Members whose pod is Ready, since when; and those of them that answer. */
  readySince: Map<string, number>;
  joinedAt: Map<string, number>;
  doneGeneration?: number;
  /** The disruption budgets that were written last, as JSON. */
  budgets?: string;
  /** The event that was published last, as JSON. */
  lastEvent?: string;
}

export function newMemory(): Memory {
  return {
    looked: false,
    noticedAt: 0,
    lastStep: 0,
    lastJoin: 0,
    leavingUntil: 0,
    cleanedUpAt: 0,
    readySince: new Map(),
    joinedAt: new Map(),
  };
}

/** One look of the operator at one cluster, and what it needs for that. */
export interface Pass {
  api: KubeApi;
  cluster: ClusterObject;
  delays: Delays;
  faults: ReadonlySet<FaultType>;
  memory: Memory;
  draft: StatusDraft;
  now: number;
  record: (event: JournalEntry["event"], member?: string) => void;
  /** Events to publish about the cluster, once this look is over. */
  events: OperatorEvent[];
}

/** What the operator finds out about a member. */
export interface MemberState extends Member {
  /** The member answers; a Keeper has joined the quorum. */
  joined: boolean;
  /** It answers, and its pod is Ready. */
  ready: boolean;
  /** It has another revision than it should. */
  diff: boolean;
  /** Its StatefulSet is rolled out and of the newest revision. */
  upToDate: boolean;
}

/** Looks at the members. One whose pod is Ready long enough joins, but never two within the time that joining takes. */
export function observe(pass: Pass, members: Member[], to: Revisions): MemberState[] {
  const { memory, delays, now, faults } = pass;
  // Of an operator that has just started, the members that it finds have joined long ago.
  const found = !memory.looked && (pass.cluster.status?.readyReplicas ?? 0) > 0;
  memory.looked = true;
  for (const member of members) {
    const { name } = member;
    if (!podIsReady(member)) {
      memory.readySince.delete(name);
      memory.joinedAt.delete(name);
      continue;
    }
    if (found) memory.joinedAt.set(name, 0);
    if (memory.joinedAt.has(name)) continue;
    if (!memory.readySince.has(name)) memory.readySince.set(name, now);
    const since = Math.max(memory.readySince.get(name) ?? now, memory.lastJoin);
    if (now - since < delays.join) continue;
    memory.lastJoin = now;
    memory.joinedAt.set(name, now);
    pass.record("joined", name);
  }
  const last = members.at(-1)?.name;
  return members.map((member) => {
    const joined = memory.joinedAt.has(member.name);
    const stuck = faults.has("pending-changes") && member.name === last;
    const diff = stuck || hasDiff(member, to);
    return {
      ...member,
      joined,
      ready: joined && !(faults.has("replica-not-ready") && member.name === last),
      diff,
      upToDate: !diff && member.statefulSet !== undefined && isRolledOut(member.statefulSet),
    };
  });
}

/** Makes a member, and gives what is known of it. */
export async function add(pass: Pass, id: MemberId, to: Revisions): Promise<MemberState> {
  const name = memberName(pass.cluster, id);
  await createMember(pass.api, pass.cluster, id, to);
  pass.record("created", name);
  return { id, name, joined: false, ready: false, diff: true, upToDate: false };
}

/** Removes a member, and forgets it. */
export async function remove(pass: Pass, member: Member): Promise<void> {
  const { name } = member;
  await deleteMember(pass.api, pass.cluster, name);
  forget(pass, member);
  pass.record("removed", name);
}

/** A pod that was there is gone: the next one has to join again, however soon it comes. */
function forget({ memory }: Pass, { name }: Member): void {
  memory.readySince.delete(name);
  memory.joinedAt.delete(name);
}

/** Updates one member that has an older revision, that with the highest number first, once all others are ready. */
export async function rollOne(pass: Pass, members: MemberState[], to: Revisions): Promise<void> {
  const settled = members.every(({ ready, statefulSet }) => ready && statefulSet && isRolledOut(statefulSet));
  const next = members.findLast(({ diff }) => diff);
  if (!settled || !next || pass.faults.has("pending-changes")) return;
  const restarted = await updateMember(pass.api, pass.cluster, next, to);
  if (restarted) forget(pass, next);
  pass.record("updated", next.name);
}

/** The conditions that both kinds have alike. Source: reconcileConditions of both controllers. */
export function setCommonConditions({ draft }: Pass, members: MemberState[], label: (member: Member) => string): void {
  const named = (test: (member: MemberState) => boolean) => `[${members.filter(test).map(label).join(" ")}]`;
  const allReady = members.every(({ ready }) => ready);
  const allUpToDate = members.every(({ upToDate }) => upToDate);
  draft.status.readyReplicas = members.filter(({ ready }) => ready).length;
  draft.set("ReplicaStartupSucceeded", true, "ReplicasRunning");
  if (allReady) draft.set("Healthy", true, "ReplicasReady");
  else draft.set("Healthy", false, "ReplicasNotReady", `Not ready replicas: ${named(({ ready }) => !ready)}`);
  if (allUpToDate) draft.set("ConfigurationInSync", true, "UpToDate");
  else {
    const pending = `Replicas has pending updates: ${named(({ upToDate }) => !upToDate)}`;
    draft.set("ConfigurationInSync", false, "ConfigurationChanged", pending);
  }
  draft.set("VersionInSync", true, "VersionMatch");
  // In normal life there is a newer version nearly always.
  draft.set("VersionUpgraded", false, "MinorUpdateAvailable", "A newer version is available");
  draft.set("SpecValid", true, "SpecValid");
  draft.set("ReconcileSucceeded", true, "ReconcileFinished", "Reconcile succeeded");
}

/** ClusterSizeAligned, by how many members there are; that they are ready is not asked. */
export function setSize({ draft }: Pass, there: number, wanted: number): void {
  if (there === wanted) draft.set("ClusterSizeAligned", true, "UpToDate");
  else if (there < wanted)
    draft.set("ClusterSizeAligned", false, "ScalingUp", "Cluster has less replicas than requested");
  else draft.set("ClusterSizeAligned", false, "ScalingDown", "Cluster has more replicas than requested");
}

/** The head of the status for the present generation; `currentRevision` follows once all members are there and up to date. */
export function setRevisions({ draft, cluster }: Pass, to: Revisions): void {
  draft.status.observedGeneration = cluster.metadata.generation;
  draft.status.updateRevision = to.update;
  draft.status.configurationRevision = to.configuration;
  draft.status.statefulSetRevision = to.statefulSet;
  draft.status.version ??= "25.8.2.29";
}
