/** Finding, reading and merging kubeconfig files as client-go does (ClientConfigLoadingRules). */
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
// Deep imports: these parts of client-node load in milliseconds, its index in half a second. See
// docs/decisions/0002-client-node-startup.md.
import {
  type Cluster,
  type Context,
  newClusters,
  newContexts,
  newUsers,
  type User,
} from "@kubernetes/client-node/dist/config_types.js";
import { loadAll, type YAMLException } from "js-yaml";
import { ReadError } from "./errors.ts";

export interface Kubeconfig {
  /** For messages: the files it came from. */
  source: string;
  clusters: Cluster[];
  contexts: Context[];
  users: Login[];
  currentContext: string | undefined;
}

/** A user of a kubeconfig, with what client-node leaves out of it. */
export interface Login extends User {
  /** `as-uid`, `as-groups` and `as-user-extra`, beside `as`. */
  impersonation: { uid: string | undefined; groups: string[]; extra: Record<string, string[]> };
}

const SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";

/**
 * @param given a path or the content itself; absent or empty: the default rules.
 * @throws ReadError (`kubeconfig`) where there is none, or one that can't be read.
 */
export function loadKubeconfig(given: string | undefined, env: NodeJS.ProcessEnv): Kubeconfig {
  if (given && /[\n{]/.test(given)) return parseKubeconfig(given, "the kubeconfig given as text", process.cwd());
  const home = env.HOME ?? homedir();
  if (given) return readKubeconfig(given.replace(/^~(?=$|[\\/])/, home));

  const fromEnvironment = (env.KUBECONFIG ?? "").split(path.delimiter).filter((file) => file !== "");
  const files = fromEnvironment.length > 0 ? [...new Set(fromEnvironment)] : [path.join(home, ".kube", "config")];
  const configs = files.filter((file) => existsSync(file)).map(readKubeconfig);
  const merged = mergeKubeconfigs(configs);
  if (merged.contexts.length > 0 || merged.clusters.length > 0) return merged;
  const inCluster = serviceAccount(env);
  if (inCluster !== undefined) return inCluster;

  const looked = configs.length > 0 ? `${merged.source} is empty` : `there is no ${files.join(" and no ")}`;
  throw new ReadError(
    "kubeconfig",
    `No kubeconfig: ${looked}${fromEnvironment.length > 0 ? " ($KUBECONFIG)" : ", $KUBECONFIG is not set"}, and this is no pod of a cluster. ` +
      "Set KUBECONFIG to the file of your cluster, or kubernetes:kubeconfig in the stack",
  );
}

/** In the order of the files: of entries with the same name the first counts, and the first current-context that is set. */
function mergeKubeconfigs(configs: Kubeconfig[]): Kubeconfig {
  return {
    source: configs.map(({ source }) => source).join(", "),
    clusters: configs.flatMap(({ clusters }) => clusters),
    contexts: configs.flatMap(({ contexts }) => contexts),
    users: configs.flatMap(({ users }) => users),
    currentContext: configs.find(({ currentContext }) => currentContext)?.currentContext,
  };
}

/** What a pod finds of the cluster that it runs in. */
function serviceAccount(env: NodeJS.ProcessEnv): Kubeconfig | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (!host || !port || !existsSync(`${SERVICE_ACCOUNT}/token`)) return undefined;
  const server = `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const entry = { "certificate-authority": `${SERVICE_ACCOUNT}/ca.crt`, server };
  return newKubeconfig(
    {
      clusters: [{ name: "in-cluster", cluster: entry }],
      users: [{ name: "service-account", user: { tokenFile: `${SERVICE_ACCOUNT}/token` } }],
      contexts: [{ name: "in-cluster", context: { cluster: "in-cluster", user: "service-account" } }],
      "current-context": "in-cluster",
    },
    "the pod's service account",
    SERVICE_ACCOUNT,
  );
}

function readKubeconfig(file: string): Kubeconfig {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new ReadError("kubeconfig", `The kubeconfig ${file} can't be read: ${(error as Error).message}`);
  }
  return parseKubeconfig(text, file, path.dirname(path.resolve(file)));
}

function parseKubeconfig(text: string, source: string, folder: string): Kubeconfig {
  let [value]: unknown[] = [];
  try {
    [value = {}] = loadAll(text);
  } catch (error) {
    // The line alone: the parser's message quotes the text, and there are secrets in it.
    const { mark } = error as Partial<YAMLException>;
    throw new ReadError("kubeconfig", `${source} is no YAML: line ${(mark?.line ?? 0) + 1} is wrong`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ReadError("kubeconfig", `${source} is no kubeconfig: must be a map with clusters, users and contexts`);
  }
  return newKubeconfig(value as Record<string, unknown>, source, folder);
}

function newKubeconfig(raw: Record<string, unknown>, source: string, folder: string): Kubeconfig {
  try {
    const currentContext = raw["current-context"];
    return {
      source,
      clusters: newClusters(entries(raw.clusters, "cluster", folder, ["certificate-authority"])),
      contexts: newContexts(raw.contexts),
      users: loginsOf(entries(raw.users, "user", folder, ["client-certificate", "client-key", "tokenFile"])),
      currentContext: typeof currentContext === "string" ? currentContext : undefined,
    };
  } catch (error) {
    throw new ReadError("kubeconfig", `${source} is no kubeconfig: ${(error as Error).message}`);
  }
}

type RawEntry = Record<string, Record<string, unknown>>;

/** Entries with the paths in them taken from the file's folder, as client-go takes them (ResolveLocalPaths). */
function entries(list: unknown, key: string, folder: string, pathKeys: string[]): RawEntry[] {
  const absolute = (file: unknown) => (typeof file === "string" && file !== "" ? path.resolve(folder, file) : file);
  if (!Array.isArray(list)) return [];
  return (list as RawEntry[]).map((entry) => {
    const body = { ...entry[key] };
    for (const pathKey of pathKeys) body[pathKey] = absolute(body[pathKey]);
    const exec = body.exec as { command?: unknown } | undefined;
    if (typeof exec?.command === "string" && /[\\/]/.test(exec.command)) {
      body.exec = { ...exec, command: absolute(exec.command) };
    }
    return { ...entry, [key]: body };
  });
}

function loginsOf(users: RawEntry[]): Login[] {
  return newUsers(users.map(withTokenFile)).map((user, index) => {
    const raw = users[index]?.user ?? {};
    return {
      ...user,
      impersonation: {
        uid: raw["as-uid"] as string | undefined,
        groups: (raw["as-groups"] as string[] | undefined) ?? [],
        extra: (raw["as-user-extra"] as Record<string, string[]> | undefined) ?? {},
      },
    };
  });
}

/** client-node knows a file with the token only as the provider that it uses in pods. */
function withTokenFile(entry: RawEntry): RawEntry {
  const { tokenFile, ...user } = entry.user ?? {};
  if (!tokenFile) return entry;
  return { ...entry, user: { ...user, "auth-provider": { name: "tokenFile", config: { tokenFile } } } };
}
