import { readFileSync } from "node:fs";
import { parseAllDocuments } from "yaml";

/** Whose an object is: the garbage collector removes it with its owner. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** A Kubernetes object as far as the bench needs to know it. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    uid?: string;
    resourceVersion?: string;
    generation?: number;
    creationTimestamp?: string;
    deletionTimestamp?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    ownerReferences?: OwnerReference[];
    managedFields?: { manager: string; operation: string; subresource?: string; fieldsV1?: Record<string, unknown> }[];
  };
  // biome-ignore lint/suspicious/noExplicitAny: the kinds differ, and a test knows the one it asked for.
  [field: string]: any;
}

const clusterScoped = new Set([
  "APIService",
  "ClusterRole",
  "ClusterRoleBinding",
  "CustomResourceDefinition",
  "Namespace",
  "Node",
  "PersistentVolume",
  "PriorityClass",
  "RuntimeClass",
  "StorageClass",
  "ValidatingWebhookConfiguration",
]);

/** The API path of an object; with an empty name, the path of its collection. */
export function objectPath({ apiVersion, kind, metadata }: KubeObject): string {
  const namespace = clusterScoped.has(kind) ? "" : `/namespaces/${metadata.namespace ?? "default"}`;
  const name = metadata.name === "" ? "" : `/${metadata.name}`;
  return `${apiVersion.includes("/") ? "/apis" : "/api"}/${apiVersion}${namespace}/${plural(kind)}${name}`;
}

/** All objects of a YAML file with one or more documents. */
export function readManifest(file: string): KubeObject[] {
  return parseAllDocuments(readFileSync(file, "utf8"))
    .map((document) => {
      const [error] = document.errors;
      if (error) throw new Error(`${file}: ${error.message}`);
      return document.toJS() as KubeObject | null;
    })
    .filter((object) => object !== null);
}

/** The resource name of a kind, by the rule that Kubernetes' own kinds follow. */
function plural(kind: string): string {
  const word = kind.toLowerCase();
  if (word === "endpoints") return word;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return word.endsWith("s") ? `${word}es` : `${word}s`;
}
