/** The workload around a queue's autoscaler, as a policy writes it. docs/queues.md. */
import * as z from "zod";
import { dnsLabel, keys, listOf, oneOf, text, whole } from "./primitives.ts";
import { placeholderIn } from "./problems.ts";
import type { Probe, QueueWorkload } from "./queue.ts";
import { isDnsSubdomain, isLabelKey } from "./selector.ts";

/** Long enough for a job of half a minute to end after the worker has stopped taking new ones. */
const GRACE_SECONDS = 60;
/** With the API's period of 10 s five minutes for a start, before the first liveness probe. */
const STARTUP_FAILURES = 30;

/** Text without anything left to be filled in. */
function filled(error: string, isRight: (written: string) => boolean = (written) => written.trim() !== "") {
  return text(error, (written) => placeholderIn(written) === undefined && isRight(written));
}

function mapOf<Value extends z.ZodType>(value: Value, isKey: (key: string) => boolean, error: string) {
  return z.record(z.string(), value, { error }).refine((map) => Object.keys(map).every(isKey), { error });
}

const port = z.int({ error: "a port from 1 to 65535" }).min(1, { error: "a port from 1 to 65535" }).max(65_535, {
  error: "a port from 1 to 65535",
});
const variable = (written: string) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(written);
const absolute = (written: string) => written.startsWith("/");
const quantity = filled("a quantity such as 250m, 2 or 1.5Gi", (written) =>
  /^(\d+(\.\d+)?|\.\d+)(m|k|[MGTPE]|[KMGTPE]i)?$/.test(written),
);
// YAML reads a bare 2 as a number.
const amount = z.preprocess((written) => (typeof written === "number" ? String(written) : written), quantity);
const resourceMap = mapOf(amount, isLabelKey, "a map from resources (cpu, memory, …) to quantities").default({});
/** A shell's own `${…}` is no placeholder of a policy: arguments are only refused where all of one is. */
const command = listOf(text("text that is not empty"), "a list of the command and its arguments").min(1, {
  error: "a list of at least one argument",
});

const probe = keys({
  path: filled("the path of an HTTP request, from /", absolute).exactOptional(),
  port: port.exactOptional(),
  exec: command.exactOptional(),
  tcpPort: port.exactOptional(),
  initialDelaySeconds: whole(0).exactOptional(),
  periodSeconds: whole(1).exactOptional(),
  timeoutSeconds: whole(1).exactOptional(),
  failureThreshold: whole(1).exactOptional(),
}).transform(({ path, port, exec, tcpPort, ...timing }, context): Probe => {
  const http = path !== undefined && port !== undefined;
  const asks = [path !== undefined || port !== undefined, exec !== undefined, tcpPort !== undefined];
  if (asks.filter(Boolean).length === 1) {
    if (http) return { action: { path, port }, timing };
    if (exec !== undefined) return { action: { exec }, timing };
    if (tcpPort !== undefined) return { action: { tcpPort }, timing };
  }
  context.addIssue({
    code: "custom",
    message: "one question: { path, port }, { exec } or { tcpPort }",
    input: { path, port, exec, tcpPort },
  });
  return z.NEVER;
});

const probes = keys({
  startup: probe,
  liveness: probe,
  readiness: probe,
  allowSameProbe: z.boolean({ error: "true or false" }).default(false),
}).transform(({ startup, liveness, readiness }) => ({
  startup: { ...startup, timing: { failureThreshold: STARTUP_FAILURES, ...startup.timing } },
  liveness,
  readiness,
}));

const secret = keys({
  env: text("the name of a variable", variable),
  secret: text("the name of a Secret", isDnsSubdomain),
  key: text("a key of the Secret", (written) => /^[-._A-Za-z0-9]+$/.test(written)),
  external: keys({
    store: text("the name of a SecretStore", isDnsSubdomain),
    storeKind: oneOf(["ClusterSecretStore", "SecretStore"]).default("ClusterSecretStore"),
    remoteKey: filled("the name of the secret in its store"),
    property: filled("a property of the secret in its store").exactOptional(),
    refreshInterval: filled("a duration such as 1h", (written) => /^(\d+(\.\d+)?(h|m|s))+$/.test(written)).default(
      "1h",
    ),
  }).exactOptional(),
});

const volume = keys({
  mountPath: filled("a path from /", absolute),
  accessMode: oneOf(["ReadWriteMany", "ReadWriteOnce"]).default("ReadWriteMany"),
  existingClaim: text("the name of a PersistentVolumeClaim", isDnsSubdomain).exactOptional(),
  size: amount.exactOptional(),
  storageClass: text("the name of a StorageClass", isDnsSubdomain).exactOptional(),
});

const PEER = "{ namespace, podLabels } or { cidr }";
const labelMap = mapOf(filled("the value of a label"), isLabelKey, "a map of labels");
const peer = keys({
  namespace: text("the name of a namespace", dnsLabel).exactOptional(),
  podLabels: labelMap.exactOptional(),
  cidr: text("a range of addresses such as 10.0.0.0/8", isCidr).exactOptional(),
}).transform(({ namespace, podLabels, cidr }, context) => {
  if (namespace !== undefined && cidr === undefined) return { namespace, podLabels: podLabels ?? {} };
  if (namespace === undefined && podLabels === undefined && cidr !== undefined) return { cidr };
  context.addIssue({ code: "custom", message: PEER, input: { namespace, podLabels, cidr } });
  return z.NEVER;
});

function isCidr(written: string): boolean {
  const [address = "", bits = ""] = written.split("/");
  const most = z.ipv4().safeParse(address).success ? 32 : 128;
  return z.union([z.ipv4(), z.ipv6()]).safeParse(address).success && /^\d{1,3}$/.test(bits) && Number(bits) <= most;
}

const flow = keys({
  peer,
  ports: listOf(port, "a list of ports").min(1, { error: "a list of at least one port" }),
  protocol: oneOf(["TCP", "UDP"]).default("TCP"),
});
const flows = listOf(flow, "a list of { peer, ports }").default([]);

const network = keys({
  dns: listOf(peer, `a list of ${PEER}`)
    .min(1, { error: "a list of at least one place where DNS is: without it nothing is found" })
    .default([{ namespace: "kube-system", podLabels: { "k8s-app": "kube-dns" } }]),
  metrics: keys({ port, from: peer }).exactOptional(),
  ingress: flows,
  egress: flows,
});

/** The key `workload` of a queue. What its parts say together is checked by queue-problems.ts. */
export const queueWorkload = keys({
  image: filled("an image"),
  command: command.exactOptional(),
  args: command.exactOptional(),
  env: mapOf(
    z.preprocess(
      (written) => (["number", "boolean"].includes(typeof written) ? String(written) : written),
      filled("text that is not empty (an empty one counts as absent)"),
    ),
    variable,
    "a map from names of variables to their values",
  ).default({}),
  secrets: listOf(secret, "a list of { env, secret, key }").default([]),
  resources: keys({ requests: resourceMap, limits: resourceMap }).prefault({}),
  probes,
  terminationGracePeriodSeconds: whole(1).default(GRACE_SECONDS),
  preStop: z
    .union([keys({ sleepSeconds: whole(1) }), keys({ exec: command })], { error: "{ sleepSeconds } or { exec }" })
    .exactOptional(),
  volume: volume.exactOptional(),
  network: network.prefault({}),
}) satisfies z.ZodType<QueueWorkload>;
