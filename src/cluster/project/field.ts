/**
 * Reading raw API objects: a value and where it stands, so that a wrong one is told with its place and path.
 *
 * The API leaves out what is empty or null, and newer servers send fields that are unknown here; so an absent field is
 * never an error unless nothing can be planned without it, and a present one of a wrong type always is.
 */
import { ReadError } from "../errors.ts";
import { parseQuantity } from "../quantity.ts";
import type { Resources } from "../snapshot.ts";

export class Field {
  /** Undefined where the field is absent; null counts as absent. */
  readonly value: unknown;
  private readonly parent: Field | string;
  private readonly key: string | number;

  private constructor(value: unknown, parent: Field | string, key: string | number) {
    this.value = value ?? undefined;
    this.parent = parent;
    this.key = key;
  }

  /** @param place how an error names the object: `Deployment shop/web`, or the document of a dump. */
  static root(value: unknown, place: string): Field {
    return new Field(value, place, "");
  }

  get exists(): boolean {
    return this.value !== undefined;
  }

  get(key: string): Field {
    const map = this.map();
    return new Field(map === undefined || !Object.hasOwn(map, key) ? undefined : map[key], this, key);
  }

  /** The field itself, where nothing can be planned without it. */
  required(what: string): Field {
    if (!this.exists) throw this.mustBe(what);
    return this;
  }

  /** The items of a list; none where it is absent. */
  items(): Field[] {
    if (this.value === undefined) return [];
    if (!Array.isArray(this.value)) throw this.mustBe("a list");
    return this.value.map((item, index) => new Field(item, this, index));
  }

  /** The entries of a map; none where it is absent. */
  entries(): [key: string, field: Field][] {
    return Object.keys(this.map() ?? {}).map((key) => [key, this.get(key)]);
  }

  /** @param fallback what an absent field means; without one it has to be there and not be empty. */
  text(fallback?: string): string {
    if (this.value === undefined && fallback !== undefined) return fallback;
    if (typeof this.value === "string" && (this.value !== "" || fallback !== undefined)) return this.value;
    throw this.mustBe(fallback === undefined ? "text that is not empty" : "text");
  }

  texts(): string[] {
    return this.items().map((item) => item.text(""));
  }

  textMap(): Record<string, string> {
    return Object.fromEntries(this.entries().map(([key, field]) => [key, field.text("")]));
  }

  /** A number of replicas, ports and the like. */
  whole(fallback?: number): number {
    if (this.value === undefined && fallback !== undefined) return fallback;
    if (Number.isSafeInteger(this.value) && (this.value as number) >= 0) return this.value as number;
    throw this.mustBe("a whole number of at least 0");
  }

  flag(): boolean {
    if (this.value === undefined) return false;
    if (typeof this.value === "boolean") return this.value;
    throw this.mustBe("true or false");
  }

  oneOf<const Choice extends string>(choices: readonly Choice[], fallback?: NoInfer<Choice>): Choice {
    if ((this.value === undefined || this.value === "") && fallback !== undefined) return fallback;
    const choice = choices.find((candidate) => candidate === this.value);
    if (choice === undefined) throw this.mustBe(`one of ${choices.join(", ")}`);
    return choice;
  }

  /** A time in RFC 3339, as written; null where absent. */
  time(): string | null {
    if (this.value === undefined) return null;
    const isTime = typeof this.value === "string" && /^\d{4}-\d{2}-\d{2}T/.test(this.value);
    if (!isTime || Number.isNaN(Date.parse(this.value as string)))
      throw this.mustBe("a time such as 2026-01-15T12:00:00Z");
    return this.value as string;
  }

  /** Kubernetes' IntOrString for counts: 1 or "25%". */
  countOrPercentage(): number | string {
    if (Number.isSafeInteger(this.value) && (this.value as number) >= 0) return this.value as number;
    if (typeof this.value === "string" && /^\d+%$/.test(this.value)) return this.value;
    throw this.mustBe('a whole number of at least 0 or a percentage such as "25%"');
  }

  /** A map of quantities by resource name, or by the keys of a quota. */
  resources(): Resources {
    return Object.fromEntries(this.entries().map(([name, field]) => [name, field.quantity(unitOf(name))]));
  }

  private quantity(unit: "milli" | "whole"): number {
    const written = this.value;
    const isWritten = typeof written === "string" || typeof written === "number";
    const amount = isWritten ? parseQuantity(written, unit) : undefined;
    if (amount === undefined) throw this.mustBe("a quantity such as 250m, 2 or 1.5Gi");
    return amount;
  }

  private map(): Record<string, unknown> | undefined {
    if (this.value === undefined) return undefined;
    if (typeof this.value === "object" && !Array.isArray(this.value)) return this.value as Record<string, unknown>;
    throw this.mustBe("a map");
  }

  private mustBe(allowed: string): ReadError {
    const problem =
      this.value === undefined ? `is missing; must be ${allowed}` : `must be ${allowed}, not ${shortened(this.value)}`;
    const [place, path] = this.position();
    return new ReadError("malformed", `${place}: ${path === "" ? "it" : path} ${problem}`);
  }

  /** Where the object is, and the path within it: `spec.template.spec.containers[0].name`. */
  private position(): [place: string, path: string] {
    if (typeof this.parent === "string") return [this.parent, ""];
    const [place, path] = this.parent.position();
    if (typeof this.key === "number") return [place, `${path}[${this.key}]`];
    const segment = /^[A-Za-z0-9_-]+$/.test(this.key) ? this.key : `"${this.key}"`;
    return [place, path === "" ? segment : `${path}.${segment}`];
  }
}

/** `cpu`, and a quota's `requests.cpu` and `limits.cpu`, are in millicores; all else is in whole units. */
function unitOf(resource: string): "milli" | "whole" {
  return /^((requests|limits)\.)?cpu$/.test(resource) ? "milli" : "whole";
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
