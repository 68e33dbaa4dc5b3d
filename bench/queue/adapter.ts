import { readFileSync } from "node:fs";
import path from "node:path";
import { parse, stringify } from "yaml";
import type { Cluster } from "../cluster/cluster.ts";
import { writeSecret } from "../cluster/files.ts";
import { restrictedAccess } from "../cluster/restricted.ts";
import { waitFor } from "../cluster/wait.ts";
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
  const { connect } = await import("node:tls");
  return await new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false, timeout: 2000 });
    const end = (answer: boolean) => () => {
      socket.destroy();
      resolve(answer);
    };
    socket.on("secureConnect", end(true)).on("error", end(false)).on("timeout", end(false));
  });
}

const GROUP = "external.metrics.k8s.io";
const NAME = `v1beta1.${GROUP}`;
const PATH = `/apis/apiregistration.k8s.io/v1/apiservices/${NAME}`;

/** The registration of the adapter's API. */
export class AdapterApi {
  readonly #cluster: Cluster;
  readonly #port: number;

  constructor(cluster: Cluster, port: number) {
    this.#cluster = cluster;
    this.#port = port;
  }

  /** Registers it, with a Service that leads to this machine: an Endpoints object may not name a loopback address. */
  async register(): Promise<void> {
    const { api } = this.#cluster;
    const port = this.#port;
    const service = { namespace: "monitoring", name: "prometheus-adapter" };
    await api.apply({
      apiVersion: "v1",
      kind: "Service",
      metadata: service,
      spec: { type: "ExternalName", externalName: "localhost", ports: [{ port }] },
    });
    await api.apply({
      apiVersion: "apiregistration.k8s.io/v1",
      kind: "APIService",
      metadata: { name: NAME },
      spec: {
        group: GROUP,
        version: "v1beta1",
        service: { ...service, port },
        insecureSkipTLSVerify: true,
        groupPriorityMinimum: 100,
        versionPriority: 100,
      },
    });
  }

  /** Deletes the registration; `register` brings it back. */
  async remove(): Promise<void> {
    await this.#cluster.api.delete(PATH);
  }

  /** The condition Available as it stands; undefined where there is none. */
  async available(): Promise<{ status: string; reason: string; message: string } | undefined> {
    const { status } = await this.#cluster.api.get(PATH);
    return status?.conditions?.find(({ type }: { type: string }) => type === "Available");
  }

  /** Waits until the API server has found out whether the adapter answers. */
  async waitUntil(status: "True" | "False"): Promise<void> {
    await waitFor(
      async () => {
        // It looks every half minute by itself, and at once where the registration has changed.
        await this.#cluster.api.patch(PATH, { metadata: { annotations: { "bench/looked": String(Date.now()) } } });
        return (await this.available())?.status === status;
      },
      { what: `${NAME} to be Available=${status}`, timeout: 60_000, interval: 500 },
    );
  }
}
