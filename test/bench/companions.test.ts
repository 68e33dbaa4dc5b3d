import { existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { Companions } from "../../bench/cluster/companions.ts";
import { type ClusterRecord, readRecord, reserveCluster } from "../../bench/cluster/registry.ts";
import { isDead, sweepClusters, takeDown } from "../../bench/cluster/sweep.ts";
import { waitFor } from "../../bench/cluster/wait.ts";
import { isRunning } from "../../bench/process-id.ts";
import { record } from "./cluster-record.ts";
import { temporaryFolder } from "./temporary.ts";

const idle = { file: process.execPath, args: ["-e", "setInterval(() => {}, 1000)"] };

describe("a companion of a cluster", () => {
  test("is written down when it starts, and its output goes to the cluster's folder", async () => {
    const { root, companions, cluster } = reserved();
    companions.start("talker", {
      file: process.execPath,
      args: ["-e", "console.log(process.env.WORD)"],
      env: { WORD: "hello" },
    });
    expect(readRecord(root, "dev")?.companions?.talker?.id).toEqual(id(cluster, "talker"));
    await waitFor(() => !companions.isRunning("talker"), { what: "its end" });
    expect(readFileSync(path.join(cluster.dir, "talker.log"), "utf8")).toBe("hello\n");
    expect(() => companions.assertRunning("talker")).toThrow("talker has ended. The end of its log:\nhello");
  });

  test("that can't be executed is an error", () => {
    const { companions } = reserved();
    expect(() => companions.start("none", { file: "/nowhere/none", args: [] })).toThrow(
      "none could not be started: /nowhere/none can't be executed",
    );
  });

  test("runs once, and again after it was stopped", async () => {
    const { companions, cluster } = reserved();
    companions.start("idle", idle);
    expect(() => companions.start("idle", idle)).toThrow("idle runs already");
    await companions.stop("idle");
    expect(companions.isRunning("idle")).toBe(false);
    companions.start("idle", idle);
    expect(companions.isRunning("idle")).toBe(true);
    await takeDown(cluster);
  });

  test("is taken down with the cluster, even one that hangs, and so is its folder", async () => {
    const { companions, cluster } = reserved();
    const folder = mkdtempSync(path.join(tmpdir(), "cluster-scale-bench-"));
    companions.start("idle", { ...idle, folder });
    companions.kill("idle", "SIGSTOP");
    expect(isDead({ ...cluster, startedBy: { pid: 1, start: "long ago" } })).toBe(false);
    const idleId = id(cluster, "idle");
    await takeDown(cluster);
    expect([isRunning(idleId), existsSync(folder), existsSync(cluster.dir)]).toEqual([false, false, false]);
  });

  test("is swept once the starter of the cluster has died", async () => {
    const { root, companions, cluster } = reserved();
    mkdirSync(path.join(cluster.dir, "data"));
    companions.start("idle", idle);
    expect(await sweepClusters(root)).toEqual(["dev"]);
    expect(isRunning(id(cluster, "idle"))).toBe(false);
  });
});

/** A cluster of which there is nothing but its record; its starter has died. */
function reserved(): { root: string; companions: Companions; cluster: ClusterRecord } {
  const root = temporaryFolder();
  const cluster = record(root, "dev");
  reserveCluster(cluster);
  return { root, companions: new Companions(cluster), cluster };
}

function id(cluster: ClusterRecord, name: string) {
  const companion = cluster.companions?.[name];
  if (!companion) throw new Error(`${name} was not started`);
  return companion.id;
}
