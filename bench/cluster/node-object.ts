import type { KubeObject } from "./objects.ts";

/** kwok plays the kubelet of the nodes that have this annotation: their pods run. */
export const MANAGED = { "kwok.x-k8s.io/node": "fake" };

export interface Taint {
  key: string;
  value?: string;
  effect: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
}

export interface NodeOptions {
  name: string;
  /** A control-plane node has its label and, unless `taints` says otherwise, its taint. */
  role?: "worker" | "control-plane";
  zone?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  taints?: Taint[];
  /** `cpu`, `memory`, `pods` and whatever else the node has room for. */
  allocatable?: Record<string, string>;
  /** Since when it is Ready; an hour ago by default, so that nothing takes it for a node that has just come. */
  readySince?: Date;
}

const hourAgo = () => new Date(Date.now() - 3_600_000);

/** The taint that kubeadm puts on control-plane nodes. */
export const controlPlaneTaint: Taint = { key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" };

/** A node as its kubelet would register it, Ready. */
export function nodeObject(options: NodeOptions): KubeObject {
  const { name, role = "worker", zone, labels, annotations, readySince = hourAgo() } = options;
  const controlPlane = role === "control-plane";
  const allocatable = { cpu: "4", memory: "16Gi", pods: "110", "ephemeral-storage": "100Gi", ...options.allocatable };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      annotations: { ...MANAGED, ...annotations },
      labels: {
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        ...(controlPlane ? { "node-role.kubernetes.io/control-plane": "" } : {}),
        ...(zone === undefined ? {} : { "topology.kubernetes.io/zone": zone }),
        ...labels,
      },
    },
    spec: { taints: options.taints ?? (controlPlane ? [controlPlaneTaint] : []) },
    status: {
      capacity: allocatable,
      allocatable,
      conditions: [
        ...["MemoryPressure", "DiskPressure", "PIDPressure"].map((type) => condition(type, "False", readySince)),
        condition("Ready", "True", readySince),
      ],
      nodeInfo: {
        architecture: labels?.["kubernetes.io/arch"] ?? "amd64",
        operatingSystem: labels?.["kubernetes.io/os"] ?? "linux",
        bootID: "",
        containerRuntimeVersion: "kwok",
        kernelVersion: "kwok",
        kubeProxyVersion: "",
        kubeletVersion: "kwok",
        machineID: "",
        osImage: "kwok",
        systemUUID: "",
      },
    },
  };
}

/** A condition of a node, with that status since then. */
export function condition(type: string, status: string, since: Date) {
  return {
    type,
    status,
    lastHeartbeatTime: new Date().toISOString().replace(/\.\d+/, ""),
    lastTransitionTime: since.toISOString().replace(/\.\d+/, ""),
    reason: "Bench",
    message: "written by the bench",
  };
}
