/** Objects that a pod template refers to, or that change its pods when they are admitted. */
import fc from "fast-check";
import type { KubeObject } from "../cluster/objects.ts";
import { type Fields, type Names, sometimes } from "./arbitrary.ts";

/** Objects, and the fields of the pod that refer to them. */
export interface Extra {
  spec: Fields;
  objects: KubeObject[];
}

/** A RuntimeClass with overhead, and mostly with a node selector or tolerations. */
export function runtimeClassArbitrary(names: Names): fc.Arbitrary<Extra> {
  return fc
    .record({
      nodeSelector: sometimes(40, fc.constant({ [names.key("disk")]: "ssd" })),
      tolerations: sometimes(60, fc.constant([{ key: names.key("dedicated"), operator: "Exists" }])),
    })
    .map((scheduling) => ({
      spec: { runtimeClassName: names.object },
      objects: [
        {
          apiVersion: "node.k8s.io/v1",
          kind: "RuntimeClass",
          metadata: { name: names.object },
          handler: "sandbox",
          overhead: { podFixed: { cpu: "150m", memory: "64Mi" } },
          scheduling,
        },
      ],
    }));
}

/** A claim that all pods share, bound to a volume that only some nodes reach. */
export function volumeArbitrary(names: Names): fc.Arbitrary<Extra> {
  const { object: name, namespace } = names;
  const some = { accessModes: ["ReadWriteMany"], storageClassName: "" };
  return fc
    .constantFrom(
      { key: names.key("zone"), operator: "In", values: ["a", "b"] },
      { key: names.key("rack"), operator: "In", values: ["1"] },
    )
    .map((expression) => ({
      spec: { volumes: [{ name: "data", persistentVolumeClaim: { claimName: name } }] },
      objects: [
        {
          apiVersion: "v1",
          kind: "PersistentVolume",
          metadata: { name },
          spec: {
            ...some,
            capacity: { storage: "1Gi" },
            persistentVolumeReclaimPolicy: "Retain",
            claimRef: { kind: "PersistentVolumeClaim", namespace, name },
            hostPath: { path: "/shared" },
            nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [expression] }] } },
          },
        },
        {
          apiVersion: "v1",
          kind: "PersistentVolumeClaim",
          metadata: { namespace, name },
          spec: { ...some, volumeName: name, resources: { requests: { storage: "1Gi" } } },
        },
      ],
    }));
}

export function limitRange({ namespace }: Names): KubeObject {
  return {
    apiVersion: "v1",
    kind: "LimitRange",
    metadata: { namespace, name: "defaults" },
    spec: { limits: [{ type: "Container", default: { cpu: "700m" }, defaultRequest: { cpu: "150m" } }] },
  };
}
