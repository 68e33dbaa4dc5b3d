import { rm } from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type AskOptions, assertCanAsk, isConfirmed } from "./ask.ts";
import { backendOf, projectName } from "./backend.ts";
import { EngineError } from "./engine-error.ts";
import { backendFolder, holderText, type Lock, locksIn, readLock } from "./locks.ts";
import { endProcesses, orphansOf, processText } from "./orphans.ts";
import type { Streams } from "./output.ts";
import { stackName } from "./policy.ts";
import { canSeeProcesses, type Process } from "./processes.ts";
import { pulumi } from "./pulumi.ts";
import { spinning } from "./spinner.ts";
import { backUpState, beginAnew, importState, isOurs, type PendingOperation, readState } from "./state.ts";
import { type DamagedState, damagedState, replaceState } from "./state-file.ts";

export interface RecoverOptions extends AskOptions {
  stack?: string;
  cwd: string;
  /** Breaks locks of live processes and of other hosts too. */
  force: boolean;
}

/** What a dead run left behind. */
interface Leftovers {
  /** Undefined: of a backend that isn't a folder of this machine. */
  locks: Lock[] | undefined;
  orphans: Process[];
  damaged: DamagedState | undefined;
  pending: PendingOperation[];
}

/**
 * Brings an interrupted stack back to where the same command goes on: ends what is left of the dead run, takes its lock away and
 * its steps in flight out of the state. Never destroys anything and writes nothing to the cluster.
 *
 * docs/decisions/0005-recovery.md.
 */
export async function recoverCommand(options: RecoverOptions, { out }: Streams): Promise<void> {
  const { cwd, force } = options;
  const stack = await stackName(options);
  const found = await spinning("Looking for what a dead run left behind", {}, () => lookFor(stack, cwd));
  assertNobodyWorks(found, options, stack);

  const steps = stepsOf(found, force);
  if (steps.length === 0) {
    out.write(`Nothing to recover: ${stack} has no lock, no step in flight and no process of a dead run.\n`);
    return;
  }
  out.write(`An interrupted run of ${stack} left behind:\n${steps.map((step) => `  - ${step}\n`).join("")}`);
  assertCanAsk(options, "recover");
  if (!(await isConfirmed(options, "Clear it up?"))) {
    out.write("Nothing was changed.\n");
    return;
  }
  const backup = await spinning("Clearing up", {}, () => clearUp(found, { stack, cwd, force }));
  out.write(
    `Recovered. The state as it was is in ${backup}. ` +
      `The interrupted run did not finish${inFlight(found.pending)}. ` +
      `Run cluster-scale apply --stack ${stack} again: it goes on from what the cluster shows.\n`,
  );
}

async function lookFor(stack: string, cwd: string): Promise<Leftovers> {
  const folder = backendFolder(await backendOf(cwd));
  const project = await projectName(cwd);
  const damaged = folder === undefined ? undefined : await damagedState(folder, project, stack);
  return {
    locks: folder === undefined ? undefined : await locksIn(folder, project, stack),
    orphans: canSeeProcesses() ? orphansOf({ cwd, stack }) : [],
    damaged,
    pending: damaged === undefined ? (await readState(stack, cwd)).pending : [],
  };
}

/** @throws EngineError where a run may be under way, or where the state has something that only a person can judge. */
function assertNobodyWorks({ locks, pending }: Leftovers, { force }: { force: boolean }, stack: string): void {
  const held = (locks ?? []).filter(({ state }) => state !== "dead");
  if (held.length > 0 && !force) {
    const whose = held.map((lock) => `${holderText(lock)}, ${WHOSE[lock.state]}`).join("; ");
    throw new EngineError(
      "locked",
      `the stack ${stack} is locked by ${whose}. Nothing was changed. Wait until it has ended; only if you know that it is dead: cluster-scale recover --force`,
    );
  }
  assertOurs(pending, stack);
}

function assertOurs(pending: PendingOperation[], stack: string): void {
  const foreign = pending.filter((operation) => !isOurs(operation));
  if (foreign.length === 0) return;
  const steps = foreign.map(({ type, resource }) => `${type} ${resource}`).join(", ");
  throw new EngineError(
    "engine",
    `the state has steps in flight on what this program doesn't manage: ${steps}. Look at each, then: pulumi refresh --stack ${stack}`,
  );
}

const WHOSE: Record<Lock["state"], string> = {
  alive: "which runs",
  elsewhere: "of which only that host knows whether it runs",
  dead: "which is gone",
};

/** What will be done, a line each. */
function stepsOf({ locks, orphans, damaged, pending }: Leftovers, force: boolean): string[] {
  return [
    ...orphans.map((orphan) => `the process ${processText(orphan)}: will be ended`),
    ...(damaged === undefined ? [] : [`a damaged state (${damaged.problem}): ${remedyOf(damaged)}`]),
    ...(locks ?? []).map((lock) => `the lock of ${holderText(lock)}, ${WHOSE[lock.state]}: will be removed`),
    ...(locks === undefined && force ? ["a lock that can't be looked at from here: will be cancelled"] : []),
    ...pending.map(({ type, resource }) => `a step in flight, ${type} ${resource}: will be taken out of the state`),
  ];
}

function remedyOf({ file, backup }: DamagedState): string {
  if (backup === file) return "they will be removed, and are not needed";
  if (backup !== null) return "Pulumi's own copy of it will be put back";
  // Without a state the engine knows of no resource: the next run declares the same patches, of the same field manager.
  return "there is no whole copy of it. It will be moved away and the stack begun anew: its patches are taken over without a change";
}

/**
 * Processes first, so that none of them writes any more; then, with the state backed up, the lock and the steps.
 *
 * @returns the file of the state as it was.
 */
async function clearUp(found: Leftovers, { stack, cwd, force }: { stack: string; cwd: string; force: boolean }) {
  const backups = path.join(cwd, ".cluster-scale");
  await endProcesses(found.orphans);
  const damaged = found.damaged === undefined ? undefined : await replaceState(found.damaged, backups);
  if (found.damaged?.backup === null) await beginAnew(stack, cwd);
  const { pending } = await readState(stack, cwd);
  assertOurs(pending, stack);
  const backup = await backUpState(stack, cwd, backups);
  for (const lock of found.locks ?? []) await removeLock(lock, force);
  if (found.locks === undefined && force) await pulumi(["cancel", "--yes", "--stack", stack], cwd);
  if (pending.length > 0) {
    // The import would undo what somebody else has done since.
    if (!isDeepStrictEqual(await readState(stack, cwd), { pending })) {
      throw new EngineError("locked", `another run of ${stack} has begun meanwhile; its state was left alone`);
    }
    await importState(stack, cwd, backup);
  }
  return damaged ?? backup;
}

/** The very lock that was seen: by now its file may be gone, or another's. */
async function removeLock(lock: Lock, force: boolean): Promise<void> {
  const now = await readLock(lock.file);
  if (now === undefined) return;
  if (!isDeepStrictEqual(now, lock) || (now.state !== "dead" && !force)) {
    throw new EngineError("locked", `the lock ${lock.file} is another one now; it was left alone`);
  }
  await rm(lock.file);
  await rm(`${lock.file}.attrs`, { force: true });
}

function inFlight(pending: PendingOperation[]): string {
  if (pending.length === 0) return "";
  return `; whether it came to an end is not known of: ${pending.map(({ type, resource }) => `${type} ${resource}`).join(", ")}`;
}
