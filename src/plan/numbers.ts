/** The numbers of one workload, from its node sets to its target. docs/semantics.md, "Room" and "Target". */
import { lowestMaximum } from "./autoscaler.ts";
import type { Facts } from "./facts.ts";
import { replicasFor } from "./formulas.ts";
import { placement } from "./placement.ts";
import { quota as quotaOf } from "./quota.ts";
import { type Target, type TargetInputs, targetOf } from "./target.ts";

/** What lifted a target above the clamp of current between grow and keep. */
export type Raise = "cluster-unhealthy" | "hpa";

/** In replicas: what bounds the target, the target, and what raised it. */
export interface Numbers extends TargetInputs, Target {
  raisedBy: Raise[];
  /** Replicas for which there is room, whether or not the policy lets it bound the target. */
  room: number;
  /** Replicas that quotas allow, likewise. */
  allowed: number;
  /** Whether the room is known: the pods were read, and every node of G states its resources. */
  roomKnown: boolean;
}

const UNBOUNDED = Number.POSITIVE_INFINITY;

export function numbersOf({ policy, subject, pod, own, sets, view }: Omit<Facts, "numbers">): Numbers {
  const { deployment, autoscaler } = subject;
  const current = autoscaler?.maxReplicas ?? deployment.replicas;
  if (sets.keep.length === 0) return numbersWithoutNodes(current);
  const formulaGrow = replicasFor(sets.grow, policy);
  const formulaKeep = replicasFor(sets.keep, policy);
  const placementGrow = placement(pod, sets.grow, view.index, formulaGrow);
  const placementKeep = sets.keep === sets.grow ? placementGrow : placement(pod, sets.keep, view.index, formulaKeep);
  // Room and quota are counted from the Deployment's replicas, whose pods stand there, under an autoscaler too.
  const wanted = Math.min(formulaGrow, placementGrow);
  const { capacity: room, known: roomKnown } = view.room.capacity(pod, deployment, sets.grow, wanted, sets.settling);
  const allowed = quotaOf(pod, deployment, view.index);
  const enforced = policy.capacity === "enforce";
  const inputs: TargetInputs = {
    current,
    formulaGrow,
    formulaKeep,
    placementGrow,
    placementKeep,
    capacity: enforced ? room : UNBOUNDED,
    quota: enforced ? allowed : UNBOUNDED,
    placed: view.index.podsKnown && own.length > 0 ? own.filter((pod) => pod.nodeName !== "").length : current,
  };
  const bounds = targetOf(inputs);

  const raisedBy: Raise[] = [];
  let { target } = bounds;
  if (view.unhealthy && target < current) {
    target = current;
    raisedBy.push("cluster-unhealthy");
  }
  if (autoscaler !== null && target < lowestMaximum(autoscaler)) {
    target = lowestMaximum(autoscaler);
    raisedBy.push("hpa");
  }
  return { ...inputs, ...bounds, target, raisedBy, room, allowed, roomKnown };
}

/** With no node in K there is nothing to follow: the count stays. */
function numbersWithoutNodes(current: number): Numbers {
  return {
    current,
    target: current,
    grow: 0,
    keep: 0,
    formulaGrow: 0,
    formulaKeep: 0,
    placementGrow: 0,
    placementKeep: 0,
    capacity: UNBOUNDED,
    quota: UNBOUNDED,
    placed: 0,
    raisedBy: [],
    room: UNBOUNDED,
    allowed: UNBOUNDED,
    roomKnown: true,
  };
}
