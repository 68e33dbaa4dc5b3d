import { readFileSync } from "node:fs";
import { isRunning, type ProcessId, signal } from "../process-id.ts";
import { KubeApi } from "./api.ts";
import { Companions } from "./companions.ts";
import { clusterFiles, hasCertificate, writeSecret } from "./files.ts";
import { kubeconfig } from "./kubeconfig.ts";
import { assertRunning, startComponent } from "./processes.ts";
import { type ClusterRecord, type ComponentName, componentNames } from "./registry.ts";
import { takeDown } from "./sweep.ts";
import { waitFor } from "./wait.ts";

const READY_MS = 60_000;

/** A control plane that runs on this machine, and how to work it. Any process of the same user can hold one. */
export class Cluster {
  readonly name: string;
  readonly dir: string;
  readonly server: string;
  readonly adminToken: string;
  /** The path of a kubeconfig with all permissions. */
  readonly kubeconfig: string;
  /** What runs beside the control plane and is taken down with it. */
  readonly companions: Companions;
  readonly #record: ClusterRecord;
  #api: KubeApi | undefined;

  constructor(record: ClusterRecord) {
    this.#record = record;
    this.companions = new Companions(record);
    this.name = record.name;
    this.dir = record.dir;
    this.server = `https://127.0.0.1:${record.ports.apiServer}`;
    this.adminToken = record.tokens.admin;
    this.kubeconfig = clusterFiles(record.dir).kubeconfig("admin");
  }

  /** The authority that signed the API server's certificate, as PEM. */
  get ca(): string {
    return readFileSync(clusterFiles(this.dir).ca, "utf8");
  }

  /** A client with all permissions. */
  get api(): KubeApi {
    this.#api ??= this.client(this.adminToken);
    return this.#api;
  }

  /** The processes that run, by component. */
  get pids(): Partial<Record<ComponentName, number>> {
    return Object.fromEntries(this.#running().map(([component, { pid }]) => [component, pid]));
  }

  /** The audit log of a cluster that was started with `audit: true`. */
  get auditLog(): string {
    return clusterFiles(this.dir).auditLog;
  }

  /** A client with the identity of a token. */
  client(token: string): KubeApi {
    return new KubeApi({ server: this.server, ca: this.ca, token });
  }

  /** Writes a kubeconfig for a token into the cluster's folder, and gives its path. */
  writeKubeconfig(user: string, token: string, namespace = "default"): string {
    const file = clusterFiles(this.dir).kubeconfig(user);
    const { server, ca, name } = this;
    writeSecret(file, kubeconfig({ cluster: name, server, ca, user, token, namespace }));
    return file;
  }

  /** Sends a signal to a component, SIGKILL unless said; the others go on. False where it does not run. */
  kill(component: ComponentName, name: NodeJS.Signals = "SIGKILL"): boolean {
    const id = this.#record.running[component];
    return id !== undefined && signal(id, name);
  }

  /** Raises or takes back etcd's alarm that its space is used up, under which it takes no write; as etcd itself does at its quota. */
  async setSpaceAlarm(action: "ACTIVATE" | "DEACTIVATE"): Promise<void> {
    // The HTTP form of etcd's Maintenance.Alarm (etcd/api/etcdserverpb/rpc.proto); member 0 is the one that stands alone.
    const answer = await fetch(`http://127.0.0.1:${this.#record.ports.etcdClient}/v3/maintenance/alarm`, {
      method: "POST",
      body: JSON.stringify({ action, memberID: "0", alarm: "NOSPACE" }),
    });
    if (!answer.ok) throw new Error(`etcd's alarm could not be set: ${answer.status} ${await answer.text()}`);
  }

  /** Starts components that ended, on the same ports with the same data. One that runs is left alone. */
  async start(...components: ComponentName[]): Promise<void> {
    for (const component of components) {
      const id = this.#record.running[component];
      if (!id || !isRunning(id)) startComponent(this.#record, component);
    }
    await this.waitReady();
  }

  /** Waits until the API server says that it is ready. */
  async waitReady(timeout = READY_MS): Promise<void> {
    // A client needs the certificate, which the server makes first.
    const ready = async () => hasCertificate(this.dir) && (await this.api.text("/readyz")) === "ok";
    await waitFor(ready, {
      timeout,
      interval: 50,
      what: `the API server of the cluster "${this.name}"`,
      unless: () => assertRunning(this.#record, ["etcd", "kube-apiserver"]),
    });
  }

  /** Lets go of the cluster, which goes on. */
  close(): void {
    this.#api?.close();
  }

  /** Stops every component and removes the cluster's folder. */
  async stop(): Promise<void> {
    this.close();
    await takeDown(this.#record);
  }

  #running(): [ComponentName, ProcessId][] {
    return componentNames
      .map((component) => [component, this.#record.running[component]] as const)
      .filter((entry): entry is [ComponentName, ProcessId] => entry[1] !== undefined && isRunning(entry[1]));
  }
}
