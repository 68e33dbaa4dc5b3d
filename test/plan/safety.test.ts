import { describe, expect, it } from "vitest";
import type { PersistentVolumeClaim, Volume } from "../../src/cluster/snapshot.ts";
import { type Hazard, hazardsOf } from "../../src/plan/safety.ts";
import { deployment, workload } from "./builders.ts";

const claim = (accessModes: string[]): PersistentVolumeClaim => ({
  namespace: "shop",
  name: "data",
  accessModes,
  volumeName: "",
});
const mounting: Volume = { type: "claim", name: "d", claimName: "data", readOnly: false };
const disk = (source: string, readOnly = false): Volume => ({ type: "singleAttach", name: "d", source, readOnly });

function hazards(volumes: Volume[], claimed?: PersistentVolumeClaim): Hazard[] {
  return hazardsOf(deployment("web", { template: { volumes } }), workload("web"), () => claimed);
}

describe("hazardsOf: claims", () => {
  it.each<[string[], string | null]>([
    [["ReadWriteOnce"], "claim data (ReadWriteOnce)"],
    [["ReadWriteOncePod"], "claim data (ReadWriteOncePod)"],
    [["ReadOnlyMany", "ReadWriteOnce"], "claim data (ReadWriteOnce)"],
    [["ReadWriteOnce", "ReadWriteMany"], null],
    [["ReadWriteMany"], null],
    [["ReadOnlyMany"], null],
  ])("%j", (modes, what) => {
    expect(hazards([mounting], claim(modes))).toEqual(what === null ? [] : [{ reason: "singleton-volume", what }]);
  });

  it("a claim that can't be read", () => {
    expect(hazards([mounting])).toEqual([{ reason: "singleton-volume", what: "claim data (can't be read)" }]);
  });

  it("a generic ephemeral volume is per pod", () => {
    expect(hazards([{ type: "ephemeral", name: "scratch" }])).toEqual([]);
  });
});

describe("hazardsOf: volumes of the template", () => {
  it.each(["iscsi", "rbd", "awsElasticBlockStore", "gcePersistentDisk", "azureDisk", "vsphereVolume", "cinder", "fc"])(
    "%s",
    (source) => {
      expect(hazards([disk(source)])).toEqual([{ reason: "singleton-volume", what: `volume d (${source})` }]);
    },
  );

  it.each([
    ["gcePersistentDisk", 0],
    ["rbd", 0],
    ["iscsi", 0],
    ["fc", 0],
    ["awsElasticBlockStore", 1],
    ["azureDisk", 1],
    ["cinder", 1],
    ["vsphereVolume", 1],
  ])("%s attached read-only: %i hazards", (source, count) => {
    expect(hazards([disk(source, true)])).toHaveLength(count);
  });

  it("a hostPath only where it is writable", () => {
    expect(hazards([{ type: "hostPath", name: "logs", writable: true }])).toEqual([
      { reason: "writable-host-path", what: "logs" },
    ]);
    expect(hazards([{ type: "hostPath", name: "logs", writable: false }])).toEqual([]);
  });
});

describe("hazardsOf: the rest", () => {
  const recreated = deployment("web", {
    strategy: { type: "Recreate", maxSurge: "25%", maxUnavailable: "25%" },
    template: { volumes: [mounting, disk("rbd"), { type: "hostPath", name: "logs", writable: true }] },
  });

  it("names each reason once, with everything that says so", () => {
    expect(hazardsOf(recreated, workload("web"), () => claim(["ReadWriteOnce"]))).toEqual([
      { reason: "singleton-volume", what: "claim data (ReadWriteOnce), volume d (rbd)" },
      { reason: "recreate-strategy", what: "Recreate" },
      { reason: "writable-host-path", what: "logs" },
    ]);
  });

  it("allowUnsafe lifts just the reasons it names", () => {
    const lifted = workload("web", { allowUnsafe: ["singleton-volume", "writable-host-path"] });
    expect(hazardsOf(recreated, lifted, () => undefined).map(({ reason }) => reason)).toEqual(["recreate-strategy"]);
  });
});
