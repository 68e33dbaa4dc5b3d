import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Cluster } from "../cluster/cluster.ts";
import type { ClusterOptions } from "../cluster/start.ts";
import { waitFor } from "../cluster/wait.ts";
import { Adapter } from "./adapter.ts";
import { AdapterApi } from "./adapter-api.ts";
import { JobsDatabase } from "./database.ts";
import { startPrometheus } from "./prometheus.ts";
import { answers, Service } from "./service.ts";

/** What `startCluster` needs for a queue bench: aggregated APIs, and autoscalers that look each second instead of each 15. */
export const queueCluster: ClusterOptions = {
  aggregation: true,
  controllerManagerArgs: ["--horizontal-pod-autoscaler-sync-period=1s"],
};

/** One item of an answer of the external metrics API. */
export interface ExternalMetric {
  metricName: string;
  metricLabels: Record<string, string>;
  timestamp: string;
  /** A quantity: `5`, `532m`, and `1k` for 1000. */
  value: string;
}

/** Everything between a table of jobs and an autoscaler, each part a process of its own. */
export class QueueBench {
  readonly cluster: Cluster;
  readonly jobs: JobsDatabase;
  readonly exporter: Service;
  readonly prometheus: Service;
  readonly adapter: Adapter;
  readonly api: AdapterApi;
  readonly #stuckExporter: Service;

  constructor(parts: {
    cluster: Cluster;
    jobs: JobsDatabase;
    exporter: Service;
    prometheus: Service;
    adapter: Adapter;
    api: AdapterApi;
  }) {
    this.cluster = parts.cluster;
    this.jobs = parts.jobs;
    this.exporter = parts.exporter;
    this.prometheus = parts.prometheus;
    this.adapter = parts.adapter;
    this.api = parts.api;
    const { cluster, exporter } = parts;
    const file = path.join(import.meta.dirname, "stuck-exporter.ts");
    const args = [file, String(exporter.port), path.join(cluster.dir, "stuck-exporter.txt")];
    const command = () => ({ file: process.execPath, args });
    this.#stuckExporter = new Service(cluster.companions, "stuck-exporter", command, () => answers(exporter.port, "/"));
  }

  /** What the external metrics API answers now, for a metric and a selector such as `state=available,queue=default`. */
  async metric(selector: string, { name = "oban_queue_depth", namespace = "default" } = {}): Promise<ExternalMetric[]> {
    const query = new URLSearchParams({ labelSelector: selector });
    return await this.cluster.api.list(
      `/apis/external.metrics.k8s.io/v1beta1/namespaces/${namespace}/${name}?${query}`,
    );
  }

  /** The values of that answer: `["5"]`, `["0"]`, and `[]` for no series. */
  async values(selector: string, options: { name?: string; namespace?: string } = {}): Promise<string[]> {
    return (await this.metric(selector, options)).map(({ value }) => value);
  }

  /** Waits until the API answers with one value, such as `5`. */
  async waitForValue(selector: string, value: string): Promise<void> {
    let last = "nothing";
    const look = async () => {
      last = (await this.values(selector)).join(", ") || "no series";
      return last === value;
    };
    await waitFor(look, { what: `the metric with ${selector} to be ${value}`, timeout: 30_000 }).catch(
      (error: Error) => {
        throw new Error(`${error.message}; the last answer: ${last}`);
      },
    );
  }

  /** The seconds since the depth that the API answers with was read from the table; undefined where there is no series. */
  async age(selector = "state=available"): Promise<number | undefined> {
    const [age] = await this.values(selector, { name: "oban_queue_depth_age_seconds" });
    // A quantity: in thousandths, unless it happens to be whole.
    return age === undefined ? undefined : Number.parseFloat(age) / (age.endsWith("m") ? 1000 : 1);
  }

  /**
   * Waits until the API answers with what was read from the table after this was called: a Prometheus that was restarted repeats, for
   * five minutes, what it had scraped before.
   */
  async waitUntilWorking(): Promise<void> {
    const called = Date.now();
    await this.api.waitUntil("True");
    const look = async () => {
      const age = await this.age();
      return age !== undefined && Date.now() - age * 1000 > called;
    };
    await waitFor(look, { what: "the metric to be fresh", timeout: 60_000 });
  }

  /** Replaces the exporter by one that says for ever what it said last. */
  async stickExporter(): Promise<void> {
    const { exporter } = this;
    const response = await fetch(`http://127.0.0.1:${exporter.port}/metrics`);
    writeFileSync(path.join(this.cluster.dir, "stuck-exporter.txt"), await response.text());
    await exporter.stop();
    await this.#stuckExporter.start();
  }

  /** Puts the real exporter back. */
  async unstickExporter(): Promise<void> {
    await this.#stuckExporter.stop();
    await this.exporter.start();
  }

  /** Closes this process's connections. The processes are stopped with the cluster. */
  async close(): Promise<void> {
    await this.jobs.close();
  }
}

/**
 * Starts PostgreSQL, an exporter, Prometheus and prometheus-adapter beside a cluster that was started with `queueCluster`, and waits until
 * the external metrics API answers for the queues. All of it is taken down with the cluster.
 *
 * @param options.queues the queues that the exporter knows; `default` if not said.
 */
export async function startQueueBench(cluster: Cluster, options: { queues?: string[] } = {}): Promise<QueueBench> {
  const { queues = ["default"] } = options;
  const jobs = await JobsDatabase.start(cluster.companions);
  const command = (port: number) => ({
    file: process.execPath,
    args: [path.join(import.meta.dirname, "exporter.ts"), String(port)],
    env: { DATABASE_URL: jobs.url, QUEUES: JSON.stringify(queues) },
  });
  const exporter = new Service(cluster.companions, "exporter", command, (port) => answers(port, "/metrics"));
  await exporter.start();
  const prometheus = await startPrometheus(cluster, exporter.port);
  const adapter = await Adapter.start(cluster, prometheus.port);
  const api = new AdapterApi(cluster, adapter.port);
  await api.register();
  const bench = new QueueBench({ cluster, jobs, exporter, prometheus, adapter, api });
  await bench.waitUntilWorking();
  return bench;
}
