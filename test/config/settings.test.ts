import { describe, expect, it } from "vitest";
import { ConfigError } from "../../src/config/problems.ts";
import { parseSettings, settingsFromKeys } from "../../src/config/settings.ts";

const timeouts = (more: object) => {
  const { readTimeoutSeconds, requestTimeoutSeconds, rolloutTimeoutSeconds } = parseSettings({
    workloads: [],
    ...more,
  });
  return [readTimeoutSeconds, requestTimeoutSeconds, rolloutTimeoutSeconds];
};

const problem = (...problems: string[]) => new ConfigError("The settings", problems);

describe("timeouts", () => {
  it("have defaults, a request's never above the read's", () => {
    expect(timeouts({})).toEqual([15, 5, 600]);
    expect(timeouts({ readTimeoutSeconds: 3 })).toEqual([3, 3, 600]);
    expect(timeouts({ requestTimeoutSeconds: 15, rolloutTimeoutSeconds: 0.5 })).toEqual([15, 15, 0.5]);
  });

  it.each([0, -1, "15", null, Number.POSITIVE_INFINITY, 1e9])("must be a sensible number, not %j", (value) => {
    expect(() => timeouts({ rolloutTimeoutSeconds: value })).toThrow(
      /rolloutTimeoutSeconds: .*must be a number of seconds above 0 and at most 86400/,
    );
  });

  it("of a request must not be above the read's, default or not", () => {
    expect(() => timeouts({ requestTimeoutSeconds: 16 })).toThrow(
      problem("requestTimeoutSeconds: must be at most readTimeoutSeconds, which is 15, not 16"),
    );
    expect(() => timeouts({ requestTimeoutSeconds: 3, readTimeoutSeconds: 2 })).toThrow(
      problem("requestTimeoutSeconds: must be at most readTimeoutSeconds, which is 2, not 3"),
    );
  });

  it("are told beside the policy's problems", () => {
    expect(() => timeouts({ readTimeoutSeconds: 0, requestTimeoutSeconds: 9, workloads: undefined })).toThrow(
      problem(
        "workloads: is missing; must be the allowlist, a list of { namespace, name, max, … }",
        "readTimeoutSeconds: must be a number of seconds above 0 and at most 86400, not 0",
      ),
    );
  });
});

describe("settings that come key by key", () => {
  const values: Record<string, unknown> = {
    workloads: [{ namespace: "shop", name: "web", max: 2 }],
    readTimeoutSeconds: 20,
  };
  const get = (key: string) => values[key];

  it("are read by the keys that are written", () => {
    expect(settingsFromKeys(get, Object.keys(values))).toEqual(parseSettings(values));
  });

  it("may have no key that is not known", () => {
    expect(() => settingsFromKeys(get, ["workloads", "workers:"])).toThrow(
      new ConfigError("Configuration cluster-scale", [
        "workers:: unknown key (did you mean workers?); allowed: workers, owners, capacityPodLimit, defaults, layers, " +
          "workloads, clickhouse, queues, readTimeoutSeconds, requestTimeoutSeconds, rolloutTimeoutSeconds",
      ]),
    );
  });
});
