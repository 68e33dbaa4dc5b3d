/** A list of the API, whole: in pages, each object of them projected as it comes. */
import type { SnapshotBuilder } from "./builder.ts";
import type { Client } from "./client.ts";
import { ReadError } from "./errors.ts";
import { malformedError, nameOf } from "./http-errors.ts";
import { fullResource, type Kind, objectTitle } from "./kinds.ts";

/**
 * Objects to a page. client-go's pager asks for 500, since it holds a page in memory; here only an object is, and each page costs a
 * round trip and a start in the API server (bench/RESULTS.md).
 */
const PAGE_SIZE = 2500;

/** A list that is longer than anyone wants to read. */
export class TooMany extends Error {}

export interface ListOptions {
  /** Absent: in the whole cluster. */
  namespace?: string | undefined;
  /** Instead of the kind's own. */
  version?: string;
  /** @throws TooMany as soon as it is known that there are more. */
  atMost?: number | undefined;
}

/**
 * All objects of a kind, projected.
 *
 * @throws ReadError where a page fails: never half a list.
 */
export async function readList(
  client: Client,
  builder: SnapshotBuilder,
  kind: Kind,
  options: ListOptions,
): Promise<unknown[]> {
  try {
    return await readPages(client, builder, kind, options);
  } catch (error) {
    // 410: the server keeps old pages for some minutes only. A list that begins anew gets a new time.
    if (!(error instanceof ReadError && error.code === "expired")) throw error;
  }
  try {
    return await readPages(client, builder, kind, options);
  } catch (error) {
    if (!(error instanceof ReadError && error.code === "expired")) throw error;
    throw new ReadError(
      "incomplete",
      `${nameOf(client.endpoint)} gave an incomplete list of ${fullResource(kind)}, twice: its next page had expired (410). Run it again`,
    );
  }
}

/** A page, and the one after it, which is asked for as soon as it is known how: the server works on it while this one is read. */
interface Page {
  objects: unknown[];
  next: Promise<Page> | undefined;
}

async function readPages(
  client: Client,
  builder: SnapshotBuilder,
  kind: Kind,
  { namespace, version = kind.version, atMost = Number.POSITIVE_INFINITY }: ListOptions,
): Promise<unknown[]> {
  const path = listPath(kind, version, namespace);
  const malformed = () => malformedError(client.endpoint, `GET ${path}`, "what is no list");
  let count = 0;

  /** @param before the page before it: no more than two are under way. */
  const readPage = async (token: string, before: Promise<unknown>): Promise<Page> => {
    const page: Page = { objects: [], next: undefined };
    const { promise: read, resolve } = Promise.withResolvers<void>();
    const goOn = ({ continue: rest = "" }: ListMetadata) => {
      if (rest === "" || page.next !== undefined) return;
      page.next = before.then(() => readPage(rest, read));
      // Where this page fails, nobody asks what became of the next.
      page.next.catch(() => undefined);
    };
    const query = `?limit=${PAGE_SIZE}${token === "" ? "" : `&continue=${encodeURIComponent(token)}`}`;
    const list = await client.getList(path + query, {
      onHead: (head) => {
        // Of custom resources the API server writes the keys in the order of the alphabet: kind and metadata come behind the items.
        const metadata = (head.metadata ?? {}) as ListMetadata;
        if (PAGE_SIZE + (metadata.remainingItemCount ?? 0) <= atMost) goOn(metadata);
      },
      onItem: (item) => {
        count += 1;
        if (count > atMost) throw new TooMany();
        page.objects.push(builder.project(kind, item, objectTitle(kind, item)));
      },
    });
    const metadata = metadataOf(list, malformed);
    if (count + (metadata.remainingItemCount ?? 0) > atMost) throw new TooMany();
    goOn(metadata);
    resolve();
    return page;
  };

  const objects: unknown[][] = [];
  for (let next: Page["next"] = readPage("", Promise.resolve()); next !== undefined; ) {
    const page: Page = await next;
    objects.push(page.objects);
    next = page.next;
  }
  return objects.flat();
}

/** `/apis/apps/v1/namespaces/shop/deployments`, `/api/v1/nodes`. */
function listPath(kind: Kind, version: string, namespace: string | undefined): string {
  const root = kind.group === "" ? `/api/${version}` : `/apis/${kind.group}/${version}`;
  return `${root}${namespace === undefined ? "" : `/namespaces/${namespace}`}/${kind.resource}`;
}

interface ListMetadata {
  continue?: string;
  remainingItemCount?: number;
}

/** @param list without its objects; what is left of its items was none. */
function metadataOf(list: Record<string, unknown>, malformed: () => ReadError): ListMetadata {
  const items = list.items ?? [];
  const isList = typeof list.kind === "string" && list.kind.endsWith("List");
  if (!isList || !Array.isArray(items) || items.length > 0) throw malformed();
  return (list.metadata ?? {}) as ListMetadata;
}
