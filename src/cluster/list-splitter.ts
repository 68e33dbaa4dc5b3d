/**
 * Cuts a list of the API into its objects as it arrives, so that neither the text of a whole page nor all of its objects are ever in
 * memory: a page of nodes with their images is 6 MB, and of each node a twentieth is wanted.
 */
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_MAP = 0x7b;
const CLOSE_MAP = 0x7d;

export class ListSplitter {
  private readonly onItem: (text: string) => void;
  private readonly onItems: (head: string) => void;
  /** The list without its objects: its kind and metadata, which may stand before or behind them. */
  private envelope = "";
  /** What has come of the object, or of the piece of the envelope, that goes on in the next chunk. */
  private pending: Buffer[] = [];
  private depth = 0;
  private inString = false;
  private escaped = false;
  private inItems = false;

  /**
   * @param onItem called with the JSON of each object of `items`, in their order.
   * @param onItems called where `items` begins, with the JSON of the list up to there: `{"kind":"NodeList","metadata":{},"items":[`.
   */
  constructor(onItem: (text: string) => void, onItems: (head: string) => void = () => {}) {
    this.onItem = onItem;
    this.onItems = onItems;
  }

  push(chunk: Buffer): void {
    let start = 0;
    let at = 0;
    while (at < chunk.length) {
      if (this.inString) {
        at = this.afterString(chunk, at);
        continue;
      }
      const byte = chunk[at];
      if (byte === QUOTE) {
        this.inString = true;
      } else if (byte === OPEN_MAP || byte === OPEN_LIST) {
        // Within the map of the list and its `items`: an object begins.
        if (this.inItems && this.depth === 2) {
          this.envelope += this.take(chunk, start, at);
          start = at;
        }
        this.depth += 1;
        if (this.depth === 2 && byte === OPEN_LIST) {
          this.envelope += this.take(chunk, start, at + 1);
          start = at + 1;
          this.inItems = /"items"\s*:\s*\[$/.test(this.envelope);
          if (this.inItems) this.onItems(this.envelope);
        }
      } else if (byte === CLOSE_MAP || byte === CLOSE_LIST) {
        this.depth -= 1;
        if (this.inItems && this.depth === 2) {
          this.onItem(this.take(chunk, start, at + 1));
          start = at + 1;
        } else if (this.depth === 1) {
          this.inItems = false;
        }
      } else if (byte === COMMA && this.inItems && this.depth === 2) {
        // Between two objects, and so of neither nor of an envelope without them.
        this.envelope += this.take(chunk, start, at);
        start = at + 1;
      }
      at += 1;
    }
    if (start < chunk.length) this.pending.push(chunk.subarray(start));
  }

  /** The place after the string within which `at` is, or the end of the chunk. Most bytes are in strings, and are not looked at one by one. */
  private afterString(chunk: Buffer, at: number): number {
    const from = this.escaped ? at + 1 : at;
    let quote = chunk.indexOf(QUOTE, from);
    while (quote !== -1 && isEscaped(chunk, from, quote)) quote = chunk.indexOf(QUOTE, quote + 1);
    this.inString = quote === -1;
    this.escaped = this.inString && isEscaped(chunk, from, chunk.length);
    return this.inString ? chunk.length : quote + 1;
  }

  /** The JSON of the list without its objects, once it is over; of a list that was cut off it is no JSON. */
  end(): string {
    return this.envelope + this.take(Buffer.alloc(0), 0, 0);
  }

  private take(chunk: Buffer, start: number, end: number): string {
    if (this.pending.length === 0) return chunk.toString("utf8", start, end);
    const text = Buffer.concat([...this.pending, chunk.subarray(start, end)]).toString("utf8");
    this.pending = [];
    return text;
  }
}

/** Whether an odd number of backslashes stands before a place, down to `from`. */
function isEscaped(chunk: Buffer, from: number, place: number): boolean {
  let first = place;
  while (first > from && chunk[first - 1] === BACKSLASH) first -= 1;
  return (place - first) % 2 === 1;
}
