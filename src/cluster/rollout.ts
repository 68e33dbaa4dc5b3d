/**
 * How far the pods of a Deployment are, and why they do not start, in the cluster's own words: those of the scheduler, of
 * admission and of the kubelet.
 */

import { connected, type Limits } from "./client.ts";
import type { ClusterConfig } from "./kubeconfig.ts";

/** GETs a path of the API (query included) and gives the body as JSON. */
export type GetJson = (path: string) => Promise<unknown>;

/** Where a Deployment is. */
export interface DeploymentName {
  namespace: string;
  name: string;
}

/**
 * Reads how far rollouts are, in the order of the Deployments: an error stands for one that could not be read.
 *
 * @param options.problems also what keeps pods from starting, which takes a request or two for each rollout that is not complete. It
 *   does if not said.
 */
export type ReadRollouts = (
  deployments: DeploymentName[],
  options?: { problems: boolean },
) => Promise<(Rollout | Error)[]>;

/**
 * Opens a connection to the cluster to read rollouts with, for as long as `use` runs.
 *
 * @throws ReadError if there is no way to the cluster.
 */
export function readingRollouts<Result>(
  config: ClusterConfig,
  limits: Limits,
  use: (read: ReadRollouts) => Promise<Result>,
): Promise<Result> {
  return connected(config, limits, "the rollouts were read", (client) =>
    use((deployments, options) => readRollouts((path) => client.getJson(path), deployments, options)),
  );
}

/** Who says that a pod can't start, which decides what to do about it. */
export type ProblemSource = "admission" | "scheduler" | "image" | "container" | "volume";

export interface RolloutProblem {
  source: ProblemSource;
  /** Pods that have it; 0 where the pod could not even be created. */
  pods: number;
  /** The cluster's own message, the reason in front of it where there is one. */
  text: string;
}

export interface Rollout {
  /** As many pods are available as are asked for. */
  complete: boolean;
  /** Pods that are asked for, `spec.replicas`. */
  wanted: number;
  /** Pods that are available. */
  available: number;
  /** What keeps the others from starting; empty where nobody reports anything (yet), or nobody was asked. */
  problems: RolloutProblem[];
}

/** The fields of the API objects that are looked at. */
export interface RolloutObjects {
  deployment: DeploymentObject;
  pods: PodObject[];
  events: { reason?: string; message?: string; involvedObject?: { name?: string } }[];
}

interface DeploymentObject {
  metadata?: { name?: string; generation?: number };
  spec?: { replicas?: number; selector?: LabelSelectorObject };
  status?: { observedGeneration?: number; availableReplicas?: number; conditions?: ConditionObject[] };
}

interface LabelSelectorObject {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

interface ConditionObject {
  type: string;
  status: string;
  reason?: string;
  message?: string;
}

interface PodObject {
  metadata?: { name?: string; deletionTimestamp?: string };
  spec?: { nodeName?: string };
  status?: {
    phase?: string;
    conditions?: ConditionObject[];
    initContainerStatuses?: ContainerStatusObject[];
    containerStatuses?: ContainerStatusObject[];
  };
}

interface ContainerStatusObject {
  state?: { waiting?: { reason?: string; message?: string } };
}

/** Reasons for which a container waits in the ordinary course of starting. */
const ORDINARY_WAITING = new Set(["ContainerCreating", "PodInitializing"]);

/** Events of a pod that has a node and still does not run; its containers only say `ContainerCreating` then. */
const STARTING_FAILED = new Set(["FailedMount", "FailedAttachVolume", "FailedMapVolume", "FailedCreatePodSandBox"]);

/** From so many on in one namespace, a list of all its Deployments costs less than a request for each. */
const LIST_FROM = 10;

/** As `ReadRollouts`. */
export async function readRollouts(
  get: GetJson,
  deployments: DeploymentName[],
  { problems } = { problems: true },
): Promise<(Rollout | Error)[]> {
  const ofNamespace = Map.groupBy(deployments, ({ namespace }) => namespace);
  const lists = new Map(
    [...ofNamespace].flatMap(([namespace, { length }]) =>
      length < LIST_FROM ? [] : [[namespace, deploymentsByName(get, namespace)] as const],
    ),
  );
  const rollout = async ({ namespace, name }: DeploymentName): Promise<Rollout> => {
    const listed = lists.get(namespace);
    const deployment = listed
      ? (await listed).get(name)
      : ((await get(`${deploymentsPath(namespace)}/${name}`)) as DeploymentObject);
    if (deployment === undefined) throw new Error(`Deployment ${namespace}/${name} is not there any more`);
    return rolloutOf(get, namespace, deployment, problems);
  };
  return Promise.all(deployments.map((each) => rollout(each).catch((error: Error) => error)));
}

async function deploymentsByName(get: GetJson, namespace: string): Promise<Map<string | undefined, DeploymentObject>> {
  const items = await list<DeploymentObject>(get, deploymentsPath(namespace));
  return new Map(items.map((deployment) => [deployment.metadata?.name, deployment]));
}

function deploymentsPath(namespace: string): string {
  return `/apis/apps/v1/namespaces/${namespace}/deployments`;
}

async function rolloutOf(
  get: GetJson,
  namespace: string,
  deployment: DeploymentObject,
  withProblems: boolean,
): Promise<Rollout> {
  const { metadata, spec, status } = deployment;
  const wanted = spec?.replicas ?? 1;
  const available = status?.availableReplicas ?? 0;
  // Until the controller has seen the latest spec, the status is that of an earlier one.
  const complete = (status?.observedGeneration ?? 0) >= (metadata?.generation ?? 0) && available >= wanted;
  const problems = complete || !withProblems ? [] : await readProblems(get, namespace, deployment);
  return { complete, wanted, available, problems };
}

async function readProblems(get: GetJson, namespace: string, deployment: DeploymentObject) {
  const selector = encodeURIComponent(selectorText(deployment.spec?.selector ?? {}));
  const pods = await list<PodObject>(get, `/api/v1/namespaces/${namespace}/pods?labelSelector=${selector}`);
  const warnings = encodeURIComponent("involvedObject.kind=Pod,type=Warning");
  const events = pods.some(isStuckOnItsNode)
    ? await list<RolloutObjects["events"][number]>(
        get,
        `/api/v1/namespaces/${namespace}/events?fieldSelector=${warnings}`,
      )
    : [];
  return rolloutProblems({ deployment, pods, events });
}

/** The items of a list. */
export async function list<Item>(get: GetJson, path: string): Promise<Item[]> {
  return ((await get(path)) as { items?: Item[] }).items ?? [];
}

/** What the objects say, each message once. */
export function rolloutProblems({ deployment, pods, events }: RolloutObjects): RolloutProblem[] {
  const failure = deployment.status?.conditions?.find(
    ({ type, status }) => type === "ReplicaFailure" && status === "True",
  );
  const found: RolloutProblem[] =
    failure === undefined ? [] : [{ source: "admission", pods: 0, text: sentence(failure) }];
  for (const pod of pods.filter(isStarting)) {
    for (const problem of podProblems(pod, events)) {
      const known = found.find(({ source, text }) => source === problem.source && text === problem.text);
      if (known === undefined) found.push(problem);
      else known.pods += 1;
    }
  }
  return found;
}

function podProblems(pod: PodObject, events: RolloutObjects["events"]): RolloutProblem[] {
  const unscheduled = pod.status?.conditions?.find(({ type, status }) => type === "PodScheduled" && status === "False");
  if (unscheduled !== undefined)
    return [{ source: "scheduler", pods: 1, text: unscheduled.message ?? sentence(unscheduled) }];

  const waiting = waitingStates(pod).filter(({ reason = "" }) => reason !== "" && !ORDINARY_WAITING.has(reason));
  if (waiting.length > 0) {
    return waiting.map((state) => ({
      source: isImageReason(state.reason) ? "image" : "container",
      pods: 1,
      text: sentence(state),
    }));
  }
  const failed = isStuckOnItsNode(pod)
    ? events.filter(
        ({ reason, involvedObject }) =>
          STARTING_FAILED.has(reason ?? "") && involvedObject?.name === pod.metadata?.name,
      )
    : [];
  return failed.slice(-1).map((event) => ({ source: "volume", pods: 1, text: sentence(event) }));
}

function isStarting({ metadata, status }: PodObject): boolean {
  return metadata?.deletionTimestamp === undefined && status?.phase !== "Succeeded" && status?.phase !== "Failed";
}

/** Bound, and not one container further than being created. */
function isStuckOnItsNode(pod: PodObject): boolean {
  const waiting = waitingStates(pod);
  return (
    isStarting(pod) &&
    (pod.spec?.nodeName ?? "") !== "" &&
    pod.status?.phase === "Pending" &&
    waiting.every(({ reason = "" }) => reason === "" || ORDINARY_WAITING.has(reason))
  );
}

function waitingStates({ status }: PodObject): { reason?: string; message?: string }[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].flatMap(
    ({ state }) => state?.waiting ?? [],
  );
}

/** The kubelet's reasons about images: pkg/kubelet/images/types.go. */
function isImageReason(reason = ""): boolean {
  return /Image/.test(reason) || reason === "RegistryUnavailable" || reason === "SignatureValidationFailed";
}

function sentence({ reason = "", message = "" }: { reason?: string; message?: string }): string {
  return [reason, message].filter((part) => part !== "").join(": ");
}

/** A selector as the API takes it in a query: `app=gitea,tier in (a,b),!canary`. */
function selectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelectorObject): string {
  const labels = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => {
    if (operator === "Exists") return key;
    if (operator === "DoesNotExist") return `!${key}`;
    return `${key} ${operator === "In" ? "in" : "notin"} (${values.join(",")})`;
  });
  return [...labels, ...expressions].join(",");
}
