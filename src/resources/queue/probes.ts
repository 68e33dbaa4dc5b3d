import type { Probe, QueueWorkload } from "../../config/queue.ts";

/** The three probes of a container: has it started, does it work, can it take jobs. */
export function probesOf({ startup, liveness, readiness }: QueueWorkload["probes"]) {
  return { startupProbe: probe(startup), livenessProbe: probe(liveness), readinessProbe: probe(readiness) };
}

function probe({ action, timing }: Probe) {
  return { ...handler(action), ...timing };
}

function handler(action: Probe["action"]) {
  if ("exec" in action) return { exec: { command: action.exec } };
  if ("tcpPort" in action) return { tcpSocket: { port: action.tcpPort } };
  return { httpGet: { path: action.path, port: action.port, scheme: "HTTP" } };
}
