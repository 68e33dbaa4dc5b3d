import { waitFor } from "../cluster/wait.ts";
import type { QueueBench } from "./start.ts";

/** Something that breaks between the table and the autoscaler, from outside. */
export interface Fault {
  /** Breaks it, and waits until the API server would show it to whoever asks. */
  inject(bench: QueueBench): Promise<void>;
  /** Mends it; `bench.waitUntilWorking()` then waits until nothing is left of it. */
  mend(bench: QueueBench): Promise<void>;
}

export const faults = {
  "the adapter is stopped": {
    inject: async ({ adapter, api }) => {
      await adapter.stop();
      await api.waitUntil("False");
    },
    mend: ({ adapter }) => adapter.start(),
  },
  "the API is not registered": {
    inject: async (bench) => {
      await bench.api.remove();
      await failsWith(bench, "404");
    },
    mend: ({ api }) => api.register(),
  },
  "the adapter has the rules under the chart's key": {
    inject: async ({ adapter, api }) => {
      await adapter.restart({ rules: "chart" });
      await api.waitUntil("False");
    },
    mend: ({ adapter }) => adapter.restart(),
  },
  "the adapter has no external rules": {
    inject: async ({ adapter, api }) => {
      await adapter.restart({ rules: "none" });
      await api.waitUntil("False");
    },
    mend: ({ adapter }) => adapter.restart(),
  },
  /** It came up before Prometheus did, and asks again in ten minutes. */
  "the adapter has not listed the series yet": {
    inject: async (bench) => {
      await bench.prometheus.stop();
      await bench.adapter.restart({ relistInterval: "10m" });
      await bench.prometheus.start();
      await bench.api.waitUntil("True");
      await failsWith(bench, "404");
    },
    mend: ({ adapter }) => adapter.restart(),
  },
  "Prometheus is stopped": {
    inject: async (bench) => {
      await bench.prometheus.stop();
      await failsWith(bench, "500");
    },
    mend: ({ prometheus }) => prometheus.start(),
  },
  "the exporter is stopped": {
    inject: async (bench) => {
      await bench.exporter.stop();
      await hasNoSeries(bench);
    },
    mend: ({ exporter }) => exporter.start(),
  },
  "the exporter hangs": {
    inject: async (bench) => {
      bench.exporter.signal("SIGSTOP");
      await hasNoSeries(bench);
    },
    mend: async ({ exporter }) => exporter.signal("SIGCONT"),
  },
  "the exporter repeats an old value": {
    inject: (bench) => bench.stickExporter(),
    mend: (bench) => bench.unstickExporter(),
  },
  "the database is stopped": {
    inject: async (bench) => {
      await bench.jobs.service.stop();
      await hasNoSeries(bench);
    },
    mend: ({ jobs }) => jobs.service.start(),
  },
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;

async function hasNoSeries(bench: QueueBench): Promise<void> {
  await waitFor(async () => (await bench.values("state=available")).length === 0, { what: "the series to end" });
}

/** Waits until the external metrics API answers with an HTTP status. */
async function failsWith(bench: QueueBench, status: string): Promise<void> {
  const look = () =>
    bench.values("state=available").then(
      () => false,
      (error: Error) => error.message.includes(`: ${status} `),
    );
  await waitFor(look, { what: `the external metrics API to answer with ${status}` });
}
