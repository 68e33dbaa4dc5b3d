/**
 * A snapshot from what `kubectl get … -o yaml` or `-o json` printed. Never from half of it: an incomplete list, an
 * object that can't be read, or a kind that was forbidden and guards safety is an error.
 */
import { SnapshotBuilder } from "./builder.ts";
import { parseDocuments } from "./documents.ts";
import { ReadError } from "./errors.ts";
import { fullResource, KINDS, objectTitle } from "./kinds.ts";
import { groupOf } from "./project/metadata.ts";
import type { Snapshot } from "./snapshot.ts";

/** An object and where it stands: `dump.yaml: document 2: items[17]`. */
interface Located {
  object: Record<string, unknown>;
  kind: string;
  group: string;
  place: string;
}

/** @throws ReadError with file, document and path. */
export function readDump(sources: { name: string; text: string }[], observedAt: string): Snapshot {
  return build(
    sources.flatMap(({ name, text }) => locate(parseDocuments(name, text), name)),
    observedAt,
  );
}

/**
 * @param objects API objects or lists of them, as parsed from YAML or JSON.
 * @param source what an error calls them.
 * @throws ReadError as readDump.
 */
export function snapshotFromObjects(objects: unknown[], observedAt: string, source = "objects"): Snapshot {
  return build(locate(objects, source), observedAt);
}

function locate(documents: unknown[], source: string): Located[] {
  return documents.flatMap((document, index) =>
    document === null ? [] : objectsIn(document, `${source}: document ${index + 1}`),
  );
}

function build(objects: Located[], observedAt: string): Snapshot {
  const builder = new SnapshotBuilder();
  const places = new Map<string, string>();
  for (const located of objects) {
    if (located.kind === "Status" && located.group === "") {
      noteStatus(builder, located);
      continue;
    }
    const kind = KINDS.find((candidate) => candidate.kind === located.kind && candidate.group === located.group);
    if (kind === undefined) continue;
    const title = objectTitle(kind, located.object);
    const earlier = places.get(title);
    if (earlier !== undefined) {
      throw new ReadError(
        "malformed",
        `${located.place}: ${title} is there twice, first in ${earlier}; keep one of them`,
      );
    }
    places.set(title, located.place);
    builder.add(kind, [builder.project(kind, located.object, `${located.place} (${title})`)]);
  }
  return builder.snapshot(observedAt);
}

/** The objects of a document: itself, or the items of a List or of a typed list, whose items have no kind. */
function objectsIn(document: unknown, place: string, inherited?: { apiVersion: string; kind: string }): Located[] {
  if (typeof document !== "object" || document === null || Array.isArray(document)) {
    throw new ReadError("malformed", `${place}: must be a Kubernetes object with apiVersion and kind`);
  }
  const object = document as Record<string, unknown>;
  const { apiVersion = inherited?.apiVersion, kind = inherited?.kind } = object;
  if (typeof kind !== "string" || kind === "" || typeof apiVersion !== "string") {
    throw new ReadError(
      "malformed",
      `${place}: ${typeof kind === "string" ? "apiVersion" : "kind"} is missing; must be a whole Kubernetes object (a list that was cut off has none)`,
    );
  }
  if (!kind.endsWith("List") || !("items" in object)) return [{ object, kind, group: groupOf(apiVersion), place }];
  refuseIncomplete(object, kind, place);
  const items = object.items ?? [];
  if (!Array.isArray(items)) throw new ReadError("malformed", `${place}: items must be a list`);
  const itemKind = kind === "List" ? undefined : { apiVersion, kind: kind.slice(0, -"List".length) };
  return items.flatMap((item, index) => objectsIn(item, `${place}: items[${index}]`, itemKind));
}

function refuseIncomplete(list: Record<string, unknown>, kind: string, place: string): void {
  const metadata = (list.metadata ?? {}) as Record<string, unknown>;
  const remaining = metadata.remainingItemCount;
  if (!metadata.continue && !remaining) return;
  const more = typeof remaining === "number" ? `${remaining} more objects` : "more objects";
  throw new ReadError(
    "incomplete",
    `${place}: the ${kind} is incomplete: ${more} would follow (metadata.continue); dump it again without a limit`,
  );
}

/** A refusal in the place of a list. Only that of a kind without which a plan is still safe lets the reading go on. */
function noteStatus(builder: SnapshotBuilder, { object, place }: Located): void {
  if (object.status === "Success") return;
  const details = (object.details ?? {}) as Record<string, unknown>;
  const said = typeof object.message === "string" && object.message !== "" ? `: ${object.message}` : "";
  if (object.reason !== "Forbidden" || typeof details.kind !== "string") {
    throw new ReadError(
      "incomplete",
      `${place}: holds an error of the API server instead of objects${said}; dump it again`,
    );
  }
  const kind = KINDS.find(
    (candidate) => candidate.resource === details.kind && candidate.group === (details.group ?? candidate.group),
  );
  if (kind === undefined) return;
  if (kind.need === "safety") {
    throw new ReadError(
      "forbidden",
      `${place}: ${fullResource(kind)} could not be read${said}. Without them no plan is safe (${kind.why}): ` +
        `grant list on ${fullResource(kind)} and dump them again`,
    );
  }
  builder.markUnread(kind, `forbidden: grant list on ${fullResource(kind)}`);
}
