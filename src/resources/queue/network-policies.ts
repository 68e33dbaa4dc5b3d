import type { Flow, NetworkFlows, Peer, QueuePolicy } from "../../config/queue.ts";
import { metadataOf, podLabels } from "./metadata.ts";

const DNS_PORTS = [
  { protocol: "UDP", port: 53 },
  { protocol: "TCP", port: 53 },
];

/** Two policies of a declared workload's pods: everything is denied, and exactly the declared flows are allowed. */
export function networkPoliciesOf(queue: QueuePolicy, { dns, metrics, ingress, egress }: NetworkFlows) {
  const scrape: Flow[] = metrics === undefined ? [] : [{ peer: metrics.from, ports: [metrics.port], protocol: "TCP" }];
  return [
    policy(queue, "default-deny", {}),
    policy(queue, "allow", {
      ingress: [...scrape, ...ingress].map((flow) => ({ from: [peerOf(flow.peer)], ports: portsOf(flow) })),
      egress: [
        { to: dns.map(peerOf), ports: DNS_PORTS },
        ...egress.map((flow) => ({ to: [peerOf(flow.peer)], ports: portsOf(flow) })),
      ],
    }),
  ];
}

function policy(queue: QueuePolicy, suffix: string, rules: { ingress?: object[]; egress?: object[] }) {
  return {
    apiVersion: "networking.k8s.io/v1" as const,
    kind: "NetworkPolicy" as const,
    metadata: metadataOf(queue, `${queue.name}-${suffix}`),
    spec: {
      podSelector: { matchLabels: podLabels(queue) },
      policyTypes: ["Ingress", "Egress"],
      // An empty list is the same as none, and the API server leaves it out.
      ...Object.fromEntries(Object.entries(rules).filter(([, list]) => list.length > 0)),
    },
  };
}

function portsOf({ ports, protocol }: Flow) {
  return ports.map((port) => ({ protocol, port }));
}

/** Namespaces by the label that the API server gives each of them. */
function peerOf(peer: Peer) {
  if ("cidr" in peer) return { ipBlock: { cidr: peer.cidr } };
  return {
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": peer.namespace } },
    ...(Object.keys(peer.podLabels).length === 0 ? {} : { podSelector: { matchLabels: peer.podLabels } }),
  };
}
