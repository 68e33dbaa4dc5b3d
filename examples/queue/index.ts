/**
 * A queue in a Pulumi program of your own, beside whatever else it declares. What it says is docs/queues.md.
 *
 * The bounds of the autoscaler come from the workers that are Ready when the program runs, and the metric is asked for before
 * anything is declared.
 */
import { Config } from "@pulumi/pulumi";
import { declareQueues } from "cluster-scale/queue";

const config = new Config();
const kubernetes = new Config("kubernetes");

export default async () => {
  const [mailer] = await declareQueues(
    [
      {
        namespace: "jobs",
        name: "mailer",
        queue: "mails",
        target: 20,
        max: 6,
        scaleUp: { policies: [{ type: "Pods", value: 2, periodSeconds: 60 }] },
        workload: {
          image: config.require("image"),
          secrets: [
            {
              env: "DATABASE_URL",
              secret: "mailer-db",
              key: "url",
              external: { store: "vault", remoteKey: "prod/mailer", property: "url" },
            },
          ],
          resources: { requests: { cpu: "250m", memory: "256Mi" } },
          probes: {
            startup: { path: "/health/started", port: 4000 },
            liveness: { path: "/health/alive", port: 4000 },
            readiness: { path: "/health/ready", port: 4000 },
          },
          terminationGracePeriodSeconds: 90,
          preStop: { exec: ["bin/mailer", "drain"] },
          volume: { mountPath: "/var/lib/mailer", size: "10Gi" },
          network: {
            metrics: { port: 9568, from: { namespace: "monitoring" } },
            egress: [{ peer: { namespace: "databases" }, ports: [5432] }],
          },
        },
      },
    ],
    { cluster: { context: kubernetes.get("context") ?? "" } },
  );
  return { mailer: mailer?.urn };
};
