/**
 * Hands spec.replicas of a Deployment from one field manager to another, by server-side apply. The count never moves: an
 * applied field that its last manager lets go of is reset to the API's default, 1 replica, so the next manager takes it first.
 * https://kubernetes.io/docs/reference/using-api/server-side-apply/#transferring-ownership
 */
import { ReadError } from "./errors.ts";
import { ConflictError, type Send } from "./send.ts";

export interface HandOver {
  namespace: string;
  name: string;
  /** The field manager that lets go, and the one that takes. */
  from: string;
  to: string;
}

/**
 * `released`: the count, now the other's. `not-held`: `from` has no hold on the count; `holders` are those that have.
 * `missing`: no such Deployment. `taken`: `to` applies other fields of the object, which it would lose.
 */
export type HandedOver =
  | { result: "released"; replicas: number }
  | { result: "not-held"; holders: string[] }
  | { result: "missing" | "taken" };

interface Deployment {
  metadata: { resourceVersion?: string; managedFields?: ManagedFields[] };
  spec?: { replicas?: number };
}

interface ManagedFields {
  manager?: string;
  operation?: string;
  subresource?: string;
  fieldsV1?: { "f:spec"?: { "f:replicas"?: unknown } };
}

/** Somebody may change the object between the look and the patch; whoever does that all the time should be asked first. */
const ATTEMPTS = 5;

/** @throws ReadError (`forbidden` without get and patch on the Deployment). */
export async function handOver(send: Send, options: HandOver): Promise<HandedOver> {
  for (let attempt = 1; ; attempt += 1) {
    const now = await deploymentOf(send, options);
    if (now === undefined) return { result: "missing" };
    const entries = now.metadata.managedFields ?? [];
    const holds = (entry: ManagedFields) => entry.fieldsV1?.["f:spec"]?.["f:replicas"] !== undefined;
    if (!entries.some((entry) => isApplied(entry, options.from) && holds(entry))) {
      return { result: "not-held", holders: entries.filter(holds).map(({ manager = "" }) => manager) };
    }
    if (entries.some((entry) => isApplied(entry, options.to) && !holds(entry))) return { result: "taken" };
    try {
      await take(send, options, now);
      break;
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof ConflictError)) throw error;
    }
  }
  const { spec } = await apply(send, options, options.from, {});
  return { result: "released", replicas: spec?.replicas ?? 1 };
}

function isApplied({ manager, operation }: ManagedFields, name: string): boolean {
  return manager === name && operation === "Apply";
}

/** At the value that was seen: the API server refuses if the object is another by now. */
async function take(send: Send, options: HandOver, { metadata, spec }: Deployment): Promise<void> {
  const { resourceVersion } = metadata;
  await apply(send, options, options.to, { resourceVersion }, { replicas: spec?.replicas ?? 1 });
}

async function deploymentOf(send: Send, options: HandOver): Promise<Deployment | undefined> {
  try {
    return await send<Deployment>({ method: "GET", path: pathOf(options) });
  } catch (error) {
    if (error instanceof ReadError && error.code === "not-found") return undefined;
    throw error;
  }
}

function apply(send: Send, options: HandOver, manager: string, metadata: object, spec?: object): Promise<Deployment> {
  const { namespace, name } = options;
  return send<Deployment>({
    method: "PATCH",
    path: `${pathOf(options)}?fieldManager=${encodeURIComponent(manager)}`,
    contentType: "application/apply-patch+yaml",
    body: {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { ...metadata, namespace, name },
      ...(spec === undefined ? {} : { spec }),
    },
  });
}

function pathOf({ namespace, name }: HandOver): string {
  return `/apis/apps/v1/namespaces/${encodeURIComponent(namespace)}/deployments/${encodeURIComponent(name)}`;
}
