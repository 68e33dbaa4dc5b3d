/** Volumes of a template, as far as they matter for multiplying or placing pods. */
import type { Volume } from "../snapshot.ts";
import type { Field } from "./field.ts";

/** Volume sources that attach to one node at a time, named in the template itself. docs/semantics.md, "Safety". */
const SINGLE_ATTACH = [
  "iscsi",
  "rbd",
  "awsElasticBlockStore",
  "gcePersistentDisk",
  "azureDisk",
  "vsphereVolume",
  "cinder",
  "fc",
];

export function volumes(spec: Field): Volume[] {
  const written = writtenVolumes(spec);
  return spec
    .get("volumes")
    .items()
    .flatMap((volume) => projectVolume(volume, written));
}

function projectVolume(volume: Field, written: Set<string>): Volume[] {
  const name = volume.get("name").text();
  const claim = volume.get("persistentVolumeClaim");
  if (claim.exists) {
    return [{ type: "claim", name, claimName: claim.get("claimName").text(), readOnly: claim.get("readOnly").flag() }];
  }
  if (volume.get("ephemeral").exists) return [{ type: "ephemeral", name }];
  if (volume.get("hostPath").exists) return [{ type: "hostPath", name, writable: written.has(name) }];
  const source = SINGLE_ATTACH.find((candidate) => volume.get(candidate).exists);
  if (source === undefined) return [];
  return [{ type: "singleAttach", name, source, readOnly: volume.get(source).get("readOnly").flag() }];
}

/** Names of the volumes that some container mounts without readOnly. */
function writtenVolumes(spec: Field): Set<string> {
  const containers = [...spec.get("initContainers").items(), ...spec.get("containers").items()];
  const mounts = containers.flatMap((container) => container.get("volumeMounts").items());
  return new Set(mounts.filter((mount) => !mount.get("readOnly").flag()).map((mount) => mount.get("name").text()));
}
