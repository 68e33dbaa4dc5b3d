import type { Cluster } from "../cluster/cluster.ts";
import { waitFor } from "../cluster/wait.ts";

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
