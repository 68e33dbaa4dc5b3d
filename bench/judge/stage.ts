/** The part of a cluster on which a wave of scenarios is played: what is put there, what becomes of it, and away again. */
import type { Cluster } from "../cluster/cluster.ts";
import { MANAGED } from "../cluster/node-object.ts";
import { type KubeObject, objectPath } from "../cluster/objects.ts";
import { waitFor } from "../cluster/wait.ts";
import { PROBE } from "./probe.ts";
import type { Scenario, StandingPod } from "./scenario.ts";

/** What became of a pod. */
export interface Place {
  pod: string;
  labels: Record<string, string>;
  /** Null for a pod that found no node. */
  node: string | null;
  /** The scheduler's own words on a pod without a node, else empty. */
  message: string;
}

/** What is waited for in one scenario. */
export interface Expected {
  pods: number;
  /** So many of them are known to find a node: they are waited for longer than the others. */
  bound: number;
}

/**
 * After so long without another pod on a node the rest will find none: when one has found a node, the scheduler at once tries
 * those again to which that may matter.
 */
const QUIET_MS = 1_500;
/** How long a pod is waited for that is known to find a node. */
const PATIENCE_MS = 20_000;
const DEADLINE_MS = 180_000;

const FINALIZER = "judge.bench/hold";
const NOW = { gracePeriodSeconds: 0 };

export class Stage {
  readonly #cluster: Cluster;
  /** Of all nodes and pods on the stage. */
  readonly #labels: Record<string, string>;
  readonly #selector: string;

  constructor(cluster: Cluster, name: string) {
    this.#cluster = cluster;
    this.#labels = { "judge/stage": name };
    this.#selector = `labelSelector=${encodeURIComponent(`judge/stage=${name}`)}`;
  }

  /** Makes namespaces in which pods can be created. */
  async open(namespaces: { name: string; labels: Record<string, string> }[]): Promise<void> {
    const { api } = this.#cluster;
    await Promise.all(namespaces.map((metadata) => api.create({ apiVersion: "v1", kind: "Namespace", metadata })));
    const accounts = async () => {
      const found = await api.list("/api/v1/serviceaccounts?fieldSelector=metadata.name=default");
      const ready = new Set(found.map(({ metadata }) => metadata.namespace));
      return namespaces.every(({ name }) => ready.has(name));
    };
    await waitFor(accounts, { what: "the service accounts of the namespaces", timeout: DEADLINE_MS });
  }

  /** Creates the nodes, and what else a scenario has but its pods. */
  async build(scenarios: Scenario[]): Promise<void> {
    const { api } = this.#cluster;
    await this.put(scenarios.flatMap(({ nodes, others }) => [...nodes, ...others]));
    const claims = scenarios.flatMap(({ others }) => others.filter(({ kind }) => kind === "PersistentVolumeClaim"));
    const bound = async () => {
      const states = await Promise.all(claims.map(async (claim) => (await api.get(objectPath(claim))).status.phase));
      return states.every((phase) => phase === "Bound");
    };
    await waitFor(bound, { what: "volumes to be bound to their claims", timeout: DEADLINE_MS });
  }

  /** Creates objects; nodes, pods and the pods of Deployments are marked as the stage's. */
  async put(objects: KubeObject[]): Promise<void> {
    await Promise.all(objects.map((object) => this.#cluster.api.create(this.#marked(object))));
  }

  /** Creates the pods of others, each in its state. */
  async stand(scenarios: Scenario[]): Promise<void> {
    await Promise.all(scenarios.flatMap(({ standing, nodes }) => standing.map((one) => this.#standOne(one, nodes))));
  }

  /** Sets the replicas of Deployments. */
  async scale(replicas: ReadonlyMap<Scenario, number>): Promise<void> {
    const { api } = this.#cluster;
    await Promise.all(
      [...replicas].map(([{ deployment }, count]) => api.patch(objectPath(deployment), { spec: { replicas: count } })),
    );
  }

  /** Waits for the scheduler's last word on the probes, or on the Deployment's pods, of each scenario. */
  async settled(
    whose: "probe" | "deployment",
    expected: ReadonlyMap<Scenario, Expected>,
  ): Promise<Map<Scenario, Place[]>> {
    const seen = new Map<Scenario, { bound: number; since: number }>();
    const look = async () => {
      const pods = Map.groupBy(await this.#pods(), ({ metadata }) => metadata.namespace);
      const now = Date.now();
      const places = new Map<Scenario, Place[]>();
      const open: string[] = [];
      for (const [scenario, { pods: count, bound: hoped }] of expected) {
        const own = (pods.get(scenario.names.namespace) ?? []).filter((pod) => isOf(pod, whose));
        places.set(scenario, own.map(placeOf));
        const bound = own.filter(({ spec }) => spec.nodeName !== undefined).length;
        const last = seen.get(scenario);
        const since = last?.bound === bound ? last.since : now;
        seen.set(scenario, { bound, since });
        const undecided = own.filter((pod) => !isDecided(pod)).length;
        const quiet = bound === count || now - since >= (bound >= hoped ? QUIET_MS : PATIENCE_MS);
        if (own.length === count && undecided === 0 && quiet) continue;
        open.push(
          `${scenario.names.scenario} (${own.length} of ${count} pods, ${bound} with a node, ${undecided} undecided)`,
        );
      }
      if (open.length > 0) throw new Error(`not yet: scenarios ${open.join(", ")}`);
      return places;
    };
    const what = `the scheduler's last word on the pods of ${whose}s`;
    return await waitFor(look, { what, timeout: DEADLINE_MS, interval: 1_000 });
  }

  /** Takes pods away, and whatever would make new ones. The nodes stay. */
  async clear(scenarios: Scenario[]): Promise<void> {
    const { api } = this.#cluster;
    const names = scenarios.flatMap(({ names }) => [names.namespace, names.otherNamespace]);
    const terminating = scenarios.flatMap(({ standing }) => standing.filter(({ state }) => state === "terminating"));
    for (const kind of ["deployments", "replicasets"]) {
      await Promise.all(names.map((name) => api.delete(`/apis/apps/v1/namespaces/${name}/${kind}`, NOW)));
    }
    await Promise.all(
      terminating.map(({ pod }) => api.patch(objectPath(pod), { metadata: { finalizers: null } }).catch(() => {})),
    );
    const gone = async () => {
      const left = new Set((await this.#pods()).map(({ metadata }) => metadata.namespace));
      await Promise.all([...left].map((name) => api.delete(`/api/v1/namespaces/${name}/pods`, NOW)));
      return left.size === 0;
    };
    await waitFor(gone, { what: "pods to go away", timeout: DEADLINE_MS });
  }

  /** Takes away what was built. */
  async dismantle(scenarios: Scenario[]): Promise<void> {
    const { api } = this.#cluster;
    await api.delete(`/api/v1/nodes?${this.#selector}`);
    await Promise.all(scenarios.flatMap(({ others }) => others.map((object) => api.delete(objectPath(object)))));
  }

  async #standOne({ pod, state }: StandingPod, nodes: KubeObject[]): Promise<void> {
    const { api } = this.#cluster;
    const path = objectPath(pod);
    // A finalizer keeps a pod that is being deleted where it is.
    const finalizers = state === "terminating" ? [FINALIZER] : [];
    await this.put([{ ...pod, metadata: { ...pod.metadata, finalizers } as KubeObject["metadata"] }]);
    if (state === "terminating") await api.delete(path, NOW);
    if (state !== "finished") return;
    const node = nodes.find(({ metadata }) => metadata.name === pod.spec.nodeName);
    if (isManaged(node)) {
      // kwok says once that it runs, and must not say so afterwards.
      const started = async () => (await api.get(path)).status.phase === "Running";
      await waitFor(started, { what: `the pod ${path} to run`, timeout: DEADLINE_MS });
    }
    await api.patch(`${path}/status`, { status: { phase: "Succeeded" } });
  }

  async #pods(): Promise<KubeObject[]> {
    // From the API server's cache, which a look every moment does not burden.
    return await this.#cluster.api.list(`/api/v1/pods?resourceVersion=0&${this.#selector}`);
  }

  #marked(object: KubeObject): KubeObject {
    const marked = <T extends { metadata: { labels?: Record<string, string> } }>(it: T): T => ({
      ...it,
      metadata: { ...it.metadata, labels: { ...it.metadata.labels, ...this.#labels } },
    });
    if (object.kind !== "Deployment") return marked(object);
    return { ...object, spec: { ...object.spec, template: marked(object.spec.template) } };
  }
}

/** Whether kwok plays the kubelet of the node. */
function isManaged(node: KubeObject | undefined): boolean {
  return Object.keys(MANAGED).every((key) => node?.metadata.annotations?.[key] !== undefined);
}

function isOf({ metadata }: KubeObject, whose: "probe" | "deployment"): boolean {
  if (metadata.deletionTimestamp !== undefined) return false;
  return whose === "probe" ? metadata.labels?.[PROBE] !== undefined : "ownerReferences" in metadata;
}

function isDecided({ spec, status }: KubeObject): boolean {
  return spec.nodeName !== undefined || unschedulable(status) !== undefined;
}

function placeOf({ metadata, spec, status }: KubeObject): Place {
  return {
    pod: metadata.name,
    labels: metadata.labels ?? {},
    node: spec.nodeName ?? null,
    message: spec.nodeName === undefined ? (unschedulable(status)?.message ?? "") : "",
  };
}

function unschedulable(status: { conditions?: Record<string, string>[] }): { message?: string } | undefined {
  return status.conditions?.find(({ type, reason }) => type === "PodScheduled" && reason === "Unschedulable");
}
