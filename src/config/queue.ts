/**
 * A workload whose load is a queue, as the planner and the resources take it: validated, with every default filled in.
 * How it is written is `queue-schema.ts`; what it means, docs/queues.md.
 */
import type { Formula, UnsafeReason } from "./policy.ts";

/** A step that an autoscaler may take within a period. */
export interface ScalingStep {
  type: "Pods" | "Percent";
  value: number;
  periodSeconds: number;
}

/** How fast an autoscaler goes in one direction; what is left out is the API's default. */
export interface ScalingRules {
  stabilizationWindowSeconds?: number;
  selectPolicy?: "Max" | "Min" | "Disabled";
  policies?: ScalingStep[];
}

export interface QueuePolicy {
  namespace: string;
  /** Of the Deployment, and of the HorizontalPodAutoscaler that is declared for it. */
  name: string;
  /** The external metric: jobs that wait. */
  metric: string;
  /** Labels that choose its series, that of the queue among them. */
  selector: Record<string, string>;
  /** Waiting jobs for each pod: the AverageValue that the autoscaler aims at. */
  target: number;
  min: number;
  max: number;
  /** How many pods the workers may hold: the bound within `max`. */
  formula: Formula;
  spare: number;
  capacity: "enforce" | "warn" | "off";
  os: "linux" | "windows";
  allowUnsafe: UnsafeReason[];
  scaleUp?: ScalingRules;
  scaleDown: ScalingRules & { stabilizationWindowSeconds: number };
  /** Whether findings of the preflight that say that nothing would scale end a run, or are only told. */
  preflight: "enforce" | "warn";
  /** A second metric, with the same selector, that says how old the first one is; and how old it may be. */
  age: { metric: string; maxSeconds: number };
  /** Consent: taking the queue off the list deletes its autoscaler. */
  deleteHpaOnRemoval: boolean;
  /** Absent: the Deployment is somebody else's, and nothing of it is written. */
  workload?: QueueWorkload;
}

/** The workload around an autoscaler, where it is declared here. */
export interface QueueWorkload {
  image: string;
  command?: string[];
  args?: string[];
  /** Plain settings; no secret is ever among them. */
  env: Record<string, string>;
  secrets: SecretReference[];
  /** Kubernetes quantities, by resource. */
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  probes: { startup: Probe; liveness: Probe; readiness: Probe };
  terminationGracePeriodSeconds: number;
  preStop?: { sleepSeconds: number } | { exec: string[] };
  volume?: SharedVolume;
  network: NetworkFlows;
}

/** What a probe asks, and how often; what is left out is the API's default. */
export interface Probe {
  action: { path: string; port: number } | { exec: string[] } | { tcpPort: number };
  timing: {
    initialDelaySeconds?: number;
    periodSeconds?: number;
    timeoutSeconds?: number;
    failureThreshold?: number;
  };
}

/** A variable of the environment that is a key of a Secret. */
export interface SecretReference {
  env: string;
  /** The Secret, and its key. */
  secret: string;
  key: string;
  /** Where External Secrets fetches it, in clusters that have it; elsewhere the Secret has to be there by other means. */
  external?: ExternalReference;
}

export interface ExternalReference {
  store: string;
  storeKind: "ClusterSecretStore" | "SecretStore";
  remoteKey: string;
  property?: string;
  refreshInterval: string;
}

export interface SharedVolume {
  mountPath: string;
  accessMode: "ReadWriteMany" | "ReadWriteOnce";
  /** A claim that is there already; absent: one is declared, named like the workload. */
  existingClaim?: string;
  /** A Kubernetes quantity; present where the claim is declared. */
  size?: string;
  storageClass?: string;
}

/** The other end of a flow: pods of a namespace, or addresses. */
export type Peer = { namespace: string; podLabels: Record<string, string> } | { cidr: string };

export interface Flow {
  peer: Peer;
  ports: number[];
  protocol: "TCP" | "UDP";
}

/** What may pass the network policies; everything else is denied. */
export interface NetworkFlows {
  dns: Peer[];
  /** The port of the metrics, and who scrapes it. */
  metrics?: { port: number; from: Peer };
  ingress: Flow[];
  egress: Flow[];
}
