import { readFileSync } from "node:fs";
import path from "node:path";
import { connect } from "node:tls";
import { parse, stringify } from "yaml";
import type { Cluster } from "../cluster/cluster.ts";
import { writeSecret } from "../cluster/files.ts";
import { restrictedAccess } from "../cluster/restricted.ts";
import { ensureTools } from "../tools/ensure.ts";
import { Service } from "./service.ts";

/**
 * What the adapter is told to serve:
 * - `external`: the rules of adapter-rules.yaml, under the key that the adapter reads.
 * - `chart`: the same rules under the key of the Helm chart's values, `rules.external`, which the adapter does not know: it ends at once.
 * - `none`: no external rules at all, what is left where the chart is given the adapter's key: it runs, and does not serve the API.
 */
export type AdapterRules = "external" | "chart" | "none";

export interface AdapterSettings {
  rules: AdapterRules;
  /** How often it asks Prometheus which series there are, as Go writes a duration. */
  relistInterval: string;
}

/** The settings with which the bench starts it. */
export const workingAdapter: AdapterSettings = { rules: "external", relistInterval: "1s" };

/** A real prometheus-adapter, with the permissions that it has in a cluster. */
export class Adapter extends Service {
  settings: AdapterSettings = workingAdapter;

  /** Starts it for a Prometheus on a loopback port. */
  static async start(cluster: Cluster, prometheus: number): Promise<Adapter> {
    const tools = await ensureTools({ tools: ["prometheus-adapter"] });
    const access = await restrictedAccess(cluster, path.join(import.meta.dirname, "adapter-access.yaml"));
    const config = path.join(cluster.dir, "adapter.yaml");
    const command = (port: number) => {
      const { rules, relistInterval } = adapter.settings;
      writeSecret(config, adapterConfig(rules));
      return {
        file: tools.binary("prometheus-adapter"),
        args: [
          `--config=${config}`,
          `--prometheus-url=http://127.0.0.1:${prometheus}`,
          `--metrics-relist-interval=${relistInterval}`,
          // The default. If not said it is the interval, and a series whose last sample is older is not listed.
          "--metrics-max-age=10m",
          "--bind-address=127.0.0.1",
          `--secure-port=${port}`,
          `--cert-dir=${path.join(cluster.dir, "adapter")}`,
          ...["lister", "authentication", "authorization"].map((use) => `--${use}-kubeconfig=${access.kubeconfig}`),
        ],
      };
    };
    const adapter: Adapter = new Adapter(cluster.companions, "prometheus-adapter", command, answersTls);
    await adapter.start();
    return adapter;
  }

  /** Ends it and starts it with other settings; those that are not said are those that work. */
  async restart(settings: Partial<AdapterSettings> = {}): Promise<void> {
    await this.stop();
    this.settings = { ...workingAdapter, ...settings };
    if (this.settings.rules !== "chart") return await this.start();
    this.launch();
    await this.ended();
  }
}

/** The configuration file for some rules. */
export function adapterConfig(rules: AdapterRules): string {
  const text = readFileSync(path.join(import.meta.dirname, "adapter-rules.yaml"), "utf8");
  if (rules === "external") return text;
  return stringify({ rules: rules === "chart" ? { external: parse(text).externalRules } : [] });
}

/** Whether something takes TLS connections: what it says to a stranger is of no interest. */
async function answersTls(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false, timeout: 2000 });
    const end = (answer: boolean) => () => {
      socket.destroy();
      resolve(answer);
    };
    socket.on("secureConnect", end(true)).on("error", end(false)).on("timeout", end(false));
  });
}
