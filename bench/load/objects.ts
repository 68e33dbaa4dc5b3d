/**
 * Objects of the size and shape that large clusters have: nodes with the images that they hold, pods as charts and webhooks
 * leave them. Each is of one of a few kinds, as real ones are.
 */
import { nodeObject } from "../cluster/node-object.ts";
import type { KubeObject } from "../cluster/objects.ts";

/** A kubelet reports its 50 largest images (nodeStatusMaxImages of its configuration). */
const IMAGES = 50;
const DIGEST = "a7b3c9".repeat(11).slice(0, 64);

/** About 11 KB as JSON. */
export function largeNode(index: number): KubeObject {
  const node = nodeObject({
    name: `node-${String(index).padStart(5, "0")}`,
    zone: `zone-${index % 3}`,
    labels: {
      "kubernetes.io/arch": index % 5 === 0 ? "arm64" : "amd64",
      "node.kubernetes.io/instance-type": ["m5.xlarge", "m6g.xlarge", "c5.2xlarge"][index % 3] as string,
      "topology.kubernetes.io/region": "region-1",
      "example.com/pool": ["app", "batch", "edge", "data"][index % 4] as string,
    },
    annotations: {
      "csi.volume.kubernetes.io/nodeid": JSON.stringify({ "ebs.csi.example.com": `i-${DIGEST.slice(0, 17)}` }),
      "node.alpha.kubernetes.io/ttl": "0",
      "volumes.kubernetes.io/controller-managed-attach-detach": "true",
    },
    allocatable: { cpu: index % 2 === 0 ? "3920m" : "7910m", memory: "14918444Ki", pods: "58" },
  });
  const images = Array.from({ length: IMAGES }, (_, image) => ({
    names: [
      `registry.example.invalid/team-${image % 7}/service-${image}@sha256:${DIGEST}`,
      `registry.example.invalid/team-${image % 7}/service-${image}:1.${index % 9}.${image}`,
    ],
    sizeBytes: 30_000_000 + image * 1_234_567,
  }));
  const addresses = [
    { type: "InternalIP", address: `10.${(index >> 8) % 256}.${index % 256}.1` },
    { type: "Hostname", address: node.metadata.name },
  ];
  return { ...node, status: { ...node.status, images, addresses } };
}

/** About 6 KB as JSON: two containers with their environment, probes and mounts. */
export function largePod(index: number, { namespaces, nodes }: { namespaces: number; nodes: number }): KubeObject {
  const app = `app-${index % 1000}`;
  const container = (name: string, cpu: string, memory: string) => ({
    name,
    image: `registry.example.invalid/team-${index % 7}/${name}:1.2.3@sha256:${DIGEST}`,
    args: ["--config=/etc/app/config.yaml", "--log-format=json"],
    env: Array.from({ length: 20 }, (_, i) => ({ name: `APP_SETTING_${i}`, value: `value-of-setting-${i}` })),
    ports: [{ name: "http", containerPort: 8080 }],
    resources: { requests: { cpu, memory }, limits: { memory } },
    readinessProbe: { httpGet: { path: "/ready", port: "http" }, periodSeconds: 10 },
    livenessProbe: { httpGet: { path: "/alive", port: "http" }, periodSeconds: 20 },
    volumeMounts: [{ name: "config", mountPath: "/etc/app" }],
  });
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      namespace: loadNamespace(index % namespaces),
      name: `${app}-5d8f7c9b6d-${String(index).padStart(5, "0")}`,
      labels: {
        app,
        "app.kubernetes.io/name": app,
        "app.kubernetes.io/part-of": "shop",
        "pod-template-hash": "5d8f7c9b6d",
      },
      annotations: {
        "checksum/config": DIGEST,
        "sidecar.example.com/status": JSON.stringify({ containers: ["proxy"], revision: "1-20" }),
      },
    },
    spec: {
      nodeName: `node-${String(index % nodes).padStart(5, "0")}`,
      containers: [container("app", "100m", "128Mi"), container("proxy", "10m", "40Mi")],
      volumes: [{ name: "config", configMap: { name: `${app}-config` } }],
      tolerations: [{ key: "example.com/dedicated", operator: "Equal", value: "shop", effect: "NoSchedule" }],
    },
  };
}

/** One of many Deployments of one replica, shared out among so many namespaces. */
export function loadDeployment(index: number, namespaces: number): KubeObject {
  return smallDeployment({ namespace: loadNamespace(index % namespaces), name: `app-${index}` });
}

/** A Deployment whose pods run on any node, with one replica unless said. */
export function smallDeployment({
  namespace,
  name,
  replicas = 1,
}: {
  namespace: string;
  name: string;
  replicas?: number;
}): KubeObject {
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace, name },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: 0,
          containers: [
            {
              name: "app",
              image: "registry.example.invalid/app:1",
              resources: { requests: { cpu: "10m", memory: "16Mi" } },
            },
          ],
        },
      },
    },
  };
}

export function loadNamespace(number: number): string {
  return `team-${number}`;
}
