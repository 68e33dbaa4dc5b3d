import { generateKeyPairSync } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ClusterRecord, ClusterUser } from "./registry.ts";

/** Where a cluster's files are: all in its folder, which only its user can read. */
export function clusterFiles(dir: string) {
  const file = (name: string) => path.join(dir, name);
  return {
    etcdData: file("etcd"),
    certificates: file("certificates"),
    /** The API server makes its own certificate; the file holds the authority that signed it too. */
    ca: file("certificates/apiserver.crt"),
    tokens: file("tokens.csv"),
    serviceAccountKey: file("service-account.key"),
    serviceAccountPublicKey: file("service-account.pub"),
    /** With which the API server shows itself to aggregated APIs; it is its own authority. */
    proxyCertificate: file("proxy-client.crt"),
    proxyKey: file("proxy-client.key"),
    auditPolicy: file("audit-policy.json"),
    auditLog: file("audit.log"),
    stages: file("kwok-stages.yaml"),
    kubeconfig: (user: string) => file(`${user}.kubeconfig`),
    log: (component: string) => file(`${component}.log`),
  };
}

/** Whether the API server has made its certificate, and written all of it. At first its file is empty for a moment. */
export function hasCertificate(dir: string): boolean {
  const { ca } = clusterFiles(dir);
  return existsSync(ca) && readFileSync(ca, "utf8").split("-----END CERTIFICATE-----").length > 2;
}

/** User name and groups of each login. The controllers get their permissions from RBAC's own default roles. */
const logins: Record<ClusterUser, string> = {
  admin: "admin,admin,system:masters",
  "kube-controller-manager": "system:kube-controller-manager,kube-controller-manager",
  "kube-scheduler": "system:kube-scheduler,kube-scheduler",
  kwok: "kwok,kwok,system:masters",
};

/**
 * Leases, whose requests would drown all others, are left out. So are bodies: the API server can't write down those of server-side
 * apply, which are YAML, and loses the whole event with them. Each request is in the log when it comes, before anything is answered, and when it is done.
 */
const auditPolicy = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["ResponseStarted"],
  rules: [
    { level: "None", resources: [{ group: "coordination.k8s.io", resources: ["leases"] }] },
    { level: "None", nonResourceURLs: ["/healthz*", "/livez*", "/readyz*", "/version", "/openapi/*"] },
    { level: "Metadata" },
  ],
};

/** Writes what the components read at their start: keys, logins, the audit policy, kwok's stages. */
export function writeClusterFiles(record: ClusterRecord): void {
  const files = clusterFiles(record.dir);
  mkdirSync(files.certificates, { recursive: true, mode: 0o700 });
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  writeSecret(files.serviceAccountKey, privateKey.export({ type: "sec1", format: "pem" }).toString());
  writeSecret(files.serviceAccountPublicKey, publicKey.export({ type: "spki", format: "pem" }).toString());
  const users = Object.entries(logins) as [ClusterUser, string][];
  writeSecret(files.tokens, users.map(([user, login]) => `${record.tokens[user]},${login}\n`).join(""));
  writeSecret(files.auditPolicy, JSON.stringify(auditPolicy));
  copyFileSync(path.join(import.meta.dirname, "kwok-stages.yaml"), files.stages);
}

/** Writes a file that only its user can read. */
export function writeSecret(file: string, content: string): void {
  writeFileSync(file, content, { mode: 0o600 });
}
