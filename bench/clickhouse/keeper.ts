import type { OperatorEvent } from "./events.ts";
import { type Member, readMembers } from "./members.ts";
import {
  add,
  type MemberState,
  observe,
  type Pass,
  remove,
  rollOne,
  setCommonConditions,
  setRevisions,
  setSize,
} from "./pass.ts";
import { keeperRevisions, type Revisions } from "./revisions.ts";

/** What the members of a quorum say of themselves. */
interface Quorum {
  /** Nobody leads where too few members answer. */
  leader: boolean;
  /** Those that the leader counts; a removed member for a while too. */
  followers: number;
}

/**
 * One look at a KeeperCluster: at most one member comes or goes, and only in a quorum that is whole.
 * Source: sync.go of internal/controller/keeper.
 */
export async function reconcileKeeper(pass: Pass): Promise<void> {
  const { cluster, draft, memory, delays, now, faults } = pass;
  const to = keeperRevisions(cluster);
  const wanted: number = cluster.spec.replicas;
  let members = whileLost(pass, observe(pass, await readMembers(pass.api, cluster), to));
  const isNew = members.length === 0;
  if (!faults.has("stale-conditions") && memory.announced !== cluster.metadata.generation && !isNew) {
    memory.announced = cluster.metadata.generation;
    // The operator writes this one at once, while all of the status beside it is still that of the generation before.
    if (members.length !== wanted) return setSize(pass, members.length, wanted);
  }
  setRevisions(pass, to);
  if (faults.has("stale-conditions")) return;
  setScaleAllowed(pass, members, quorumOf(pass, members));
  setSize(pass, isNew ? wanted : members.length, wanted);

  if (isNew) {
    members = await Promise.all(Array.from({ length: wanted }, (_, index) => add(pass, { shard: 0, index }, to)));
  } else if (wanted === 0) {
    await Promise.all(members.map((member) => remove(pass, member)));
    members = [];
    setSize(pass, 0, 0);
  } else if (members.length === wanted) {
    await rollOne(pass, members, to);
  } else if (draft.reason("ScaleAllowed") === "ReadyToScale" && now - memory.lastStep >= delays.step) {
    memory.lastStep = now;
    members =
      members.length < wanted ? [...members, await addNext(pass, members, to)] : await removeLast(pass, members);
  } else {
    await rollOne(pass, members, to);
  }
  setConditions(pass, members);
  if (members.length === wanted && members.every(({ upToDate }) => upToDate)) draft.status.currentRevision = to.update;
}

/** A new member gets the lowest free number above 0. */
async function addNext(pass: Pass, members: MemberState[], to: Revisions): Promise<MemberState> {
  const taken = new Set(members.map(({ id }) => id.index));
  let index = 1;
  while (taken.has(index)) index += 1;
  const member = await add(pass, { shard: 0, index }, to);
  pass.events.push(scaling("ReplicaCreated", `Adding new replica "${member.name}" to the cluster`));
  return member;
}

/** The member with the highest number goes, and the leader counts it for a while. */
async function removeLast(pass: Pass, members: MemberState[]): Promise<MemberState[]> {
  const last = members.at(-1) as MemberState;
  await remove(pass, last);
  pass.events.push(scaling("ReplicaDeleted", `Deleting replica "${last.name}" from the cluster`));
  pass.memory.leavingUntil = pass.now + pass.delays.leave;
  return members.slice(0, -1);
}

function scaling(reason: string, note: string): OperatorEvent {
  return { type: "Normal", reason, action: "Scaling", note };
}

/** Without a quorum no member calls itself leader or follower, and none is ready. */
function whileLost(pass: Pass, members: MemberState[]): MemberState[] {
  return quorumOf(pass, members).leader ? members : members.map((member) => ({ ...member, ready: false }));
}

function quorumOf({ faults, memory, now }: Pass, members: MemberState[]): Quorum {
  const alive = members.filter(({ joined }) => joined).length;
  const leaving = now < memory.leavingUntil ? 1 : 0;
  // A last member that has not yet seen the other leave does not call itself standalone.
  const whole = members.length === 1 ? alive === 1 && leaving === 0 : alive > members.length / 2;
  return { leader: whole && !faults.has("lost-quorum"), followers: alive - 1 + leaving };
}

/** Source: checkHorizontalScalingAllowed. A leader that misses followers comes before everything else. */
function setScaleAllowed({ draft, faults }: Pass, members: MemberState[], { leader, followers }: Quorum): void {
  const blocked = (reason: string, message: string) => draft.set("ScaleAllowed", false, reason, message);
  const count = members.length;
  const expected = count - 1;
  // The only member has no follower to miss: it counts one too many then.
  const counted = faults.has("follower-lag") ? (expected === 0 ? 1 : expected - 1) : followers;
  const updated = members.filter(({ diff }) => !diff).length;
  const ready = members.filter((member) => member.ready).length;
  if (count === 0) draft.set("ScaleAllowed", true, "ReadyToScale");
  else if (!leader) blocked("NoQuorum", "No leader in the cluster");
  else if (counted > expected)
    blocked(
      "WaitingFollowers",
      `Leader has more followers than expected: ${counted}/${expected}. Obsolete replica has not left the quorum yet`,
    );
  else if (counted < expected)
    blocked(
      "WaitingFollowers",
      `Leader has less followers than expected: ${counted}/${expected}. Some replicas unavailable or not joined the quorum yet`,
    );
  else if (updated !== count) blocked("ReplicaHasPendingChanges", `Waiting for ${updated}/${count} to be updated`);
  else if (ready !== count) blocked("ReplicaNotReady", `Waiting for ${ready}/${count} to be Ready`);
  else draft.set("ScaleAllowed", true, "ReadyToScale");
}

function setConditions(pass: Pass, members: MemberState[]): void {
  const { draft } = pass;
  setCommonConditions(pass, members, ({ id }: Member) => String(id.index));
  const ready = members.filter((member) => member.ready).length;
  const needed = Math.ceil(members.length / 2) - 1;
  if (members.length === 0) draft.set("Ready", false, "NoLeader", "No replicas");
  else if (members.length === 1) {
    if (ready === 1) draft.set("Ready", true, "StandaloneReady", "Standalone Keeper is ready");
    else draft.set("Ready", false, "NoLeader", "No replicas in standalone mode");
  } else if (ready === 0) draft.set("Ready", false, "NoLeader", "No leader in the cluster");
  else if (ready - 1 < needed)
    draft.set("Ready", false, "NotEnoughFollowers", `Not enough followers in cluster: ${ready - 1}/${needed}`);
  else draft.set("Ready", true, "ClusterReady", "Cluster is ready");
}
