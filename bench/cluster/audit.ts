import { readFileSync } from "node:fs";
import type { Cluster } from "./cluster.ts";

/** One request as the API server's audit log has it; the fields that tests ask for. */
export interface AuditEvent {
  verb: string;
  requestURI: string;
  userAgent?: string;
  user: { username: string; groups?: string[] };
  objectRef?: { resource: string; namespace?: string; name?: string; subresource?: string; apiGroup?: string };
  responseStatus?: { code: number };
  requestReceivedTimestamp: string;
}

export interface AuditFilter {
  user?: string | RegExp;
  userAgent?: RegExp;
  verbs?: string[];
  resource?: string;
  since?: Date;
}

const writeVerbs = ["create", "update", "patch", "delete", "deletecollection"];
/** Questions that HTTP has to ask with a POST. */
const questions = ["selfsubjectaccessreviews", "selfsubjectrulesreviews", "subjectaccessreviews", "tokenreviews"];

/**
 * The requests so far, in order, of a cluster that was started with `audit: true`. A request whose answer this process has
 * seen is among them.
 */
export function auditEvents(cluster: Cluster, filter: AuditFilter = {}): AuditEvent[] {
  const events = new Map<string, AuditEvent>();
  for (const line of readFileSync(cluster.auditLog, "utf8").split("\n")) {
    if (line === "") continue;
    // The later entry of a request has its outcome; until that is written, the earlier one stands for it.
    const event = JSON.parse(line) as AuditEvent & { auditID: string };
    events.set(event.auditID, event);
  }
  return [...events.values()].filter((event) => matches(event, filter));
}

/** The requests that could have changed something: dry runs and questions are left out. */
export function auditWrites(cluster: Cluster, filter: AuditFilter = {}): AuditEvent[] {
  return auditEvents(cluster, { verbs: writeVerbs, ...filter }).filter(
    ({ requestURI, objectRef }) => !requestURI.includes("dryRun=All") && !questions.includes(objectRef?.resource ?? ""),
  );
}

function matches(event: AuditEvent, { user, userAgent, verbs, resource, since }: AuditFilter): boolean {
  const { username } = event.user;
  return (
    (user === undefined || (typeof user === "string" ? username === user : user.test(username))) &&
    (userAgent === undefined || userAgent.test(event.userAgent ?? "")) &&
    (verbs === undefined || verbs.includes(event.verb)) &&
    (resource === undefined || event.objectRef?.resource === resource) &&
    (since === undefined || new Date(event.requestReceivedTimestamp) >= since)
  );
}
