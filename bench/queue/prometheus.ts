import path from "node:path";
import { stringify } from "yaml";
import type { Cluster } from "../cluster/cluster.ts";
import { writeSecret } from "../cluster/files.ts";
import { ensureTools } from "../tools/ensure.ts";
import { answers, Service } from "./service.ts";

/** Starts a real Prometheus that scrapes one target each second. */
export async function startPrometheus(cluster: Cluster, target: number): Promise<Service> {
  const tools = await ensureTools({ tools: ["prometheus"] });
  const config = path.join(cluster.dir, "prometheus.yml");
  writeSecret(
    config,
    stringify({
      global: { scrape_interval: "1s", scrape_timeout: "1s" },
      scrape_configs: [{ job_name: "oban", static_configs: [{ targets: [`127.0.0.1:${target}`] }] }],
    }),
  );
  const command = (port: number) => ({
    file: tools.binary("prometheus"),
    args: [
      `--config.file=${config}`,
      `--storage.tsdb.path=${path.join(cluster.dir, "prometheus")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--log.level=warn",
    ],
  });
  const service = new Service(cluster.companions, "prometheus", command, (port) => answers(port, "/-/ready"));
  await service.start();
  return service;
}
