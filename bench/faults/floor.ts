/** The continuous look at all workloads while faults happen: none may lose replicas below what it had and what it is to have. */
import { KubeConfig, type KubernetesObject, Watch } from "@kubernetes/client-node";

interface Deployment extends KubernetesObject {
  spec: { replicas: number };
  status?: { availableReplicas?: number };
}

/** So soon a watch that has ended (with the API server, say) is begun again. */
const AGAIN_MS = 100;

export class Floor {
  /** What was seen below the floor, a sentence each. */
  readonly violations: string[] = [];
  /** Events so far: a watch that sees nothing proves nothing. */
  seen = 0;
  readonly #floors = new Map<string, { replicas: number; available: number }>();
  #stopped = false;
  #abort: AbortController | undefined;

  /** Watches the Deployments of a namespace until it is stopped. */
  constructor(kubeconfig: string, namespace: string) {
    const config = new KubeConfig();
    config.loadFromFile(kubeconfig);
    void this.#watch(new Watch(config), `/apis/apps/v1/namespaces/${namespace}/deployments`);
  }

  /** From now on these are the least replicas and the least available pods of a workload. */
  set(name: string, floor: { replicas: number; available: number }): void {
    this.#floors.set(name, floor);
  }

  /** From now on everything is allowed, and nothing was seen. */
  clear(): void {
    this.#floors.clear();
    this.violations.length = 0;
    this.seen = 0;
  }

  stop(): void {
    this.#stopped = true;
    this.#abort?.abort();
  }

  /** Without a resourceVersion each watch begins with all objects as they are, so that none is missed over a gap. */
  async #watch(watch: Watch, path: string): Promise<void> {
    while (!this.#stopped) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = (_phase: string, object: Deployment) => this.#look(object);
      this.#abort = await watch.watch(path, {}, look, () => resolve()).catch(() => undefined);
      if (this.#abort !== undefined) await promise;
      if (!this.#stopped) await new Promise((done) => setTimeout(done, AGAIN_MS));
    }
  }

  #look({ metadata, spec, status }: Deployment): void {
    const name = metadata?.name ?? "";
    const floor = this.#floors.get(name);
    if (floor === undefined) return;
    this.seen += 1;
    const available = status?.availableReplicas ?? 0;
    if (spec.replicas < floor.replicas)
      this.violations.push(`${name}: ${spec.replicas} replicas, of ${floor.replicas}`);
    if (available < floor.available)
      this.violations.push(`${name}: ${available} available pods, of ${floor.available}`);
  }
}
