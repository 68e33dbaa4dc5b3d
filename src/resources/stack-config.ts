import { runtime } from "@pulumi/pulumi";
import type { ClusterConfig } from "../cluster/kubeconfig.ts";
import { type Settings, settingsFromKeys } from "../config/settings.ts";

const NAMESPACE = "cluster-scale:";

/** What the configuration of the stack says. */
export interface StackConfig {
  settings: Settings;
  /** As the Kubernetes provider is configured. */
  cluster: ClusterConfig;
}

/** @throws ConfigError with every problem. */
export function stackConfig(): StackConfig {
  const values: Record<string, string> = runtime.allConfig();
  const keys = Object.keys(values).filter((key) => key.startsWith(NAMESPACE));
  return {
    settings: settingsFromKeys(
      (key) => written(values[NAMESPACE + key]),
      keys.map((key) => key.slice(NAMESPACE.length)),
    ),
    cluster: {
      kubeconfig: values["kubernetes:kubeconfig"] ?? "",
      context: values["kubernetes:context"] ?? "",
      cluster: values["kubernetes:cluster"] ?? "",
    },
  };
}

/** Pulumi hands over everything as text, what is no text as JSON. */
function written(value: string | undefined): unknown {
  try {
    return value === undefined ? undefined : JSON.parse(value);
  } catch {
    return value;
  }
}
