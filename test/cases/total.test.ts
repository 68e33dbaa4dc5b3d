import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { snapshotFromObjects } from "../../src/cluster/dump.ts";
import { ReadError } from "../../src/cluster/errors.ts";
import { parsePolicy } from "../../src/config/schema.ts";
import { plan } from "../../src/plan/index.ts";
import { suggest } from "../../src/plan/suggest.ts";
import { loadCases } from "./load.ts";

/** Small clusters that between them have every kind of object. */
const cases = loadCases().filter(({ error, objects }) => error === null && objects.length < 100);

/** Where something stands in an object, and what an API server may do there: leave it out, or say more. */
interface Change {
  at: number;
  how: "leave out" | "empty" | "say more";
}

/** Every map and list entry in a value, as its holder and key. */
function placesIn(value: unknown): [holder: Record<string, unknown>, key: string][] {
  if (typeof value !== "object" || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [[holder, key] as [typeof holder, string], ...placesIn(holder[key])]);
}

function changed(objects: unknown[], changes: Change[]): unknown[] {
  const copy = structuredClone(objects);
  for (const { at, how } of changes) {
    const places = placesIn(copy).filter(
      ([holder, key]) => !Array.isArray(holder) && !["kind", "apiVersion"].includes(key),
    );
    const [holder, key] = places[at % places.length] ?? [];
    if (holder === undefined || key === undefined) continue;
    if (how === "leave out") delete holder[key];
    else if (how === "empty") holder[key] = null;
    else holder[`x-${key}`] = { unknown: [1, "2", null] };
  }
  return copy;
}

describe("every cluster that can be read has a plan", () => {
  const change = fc.record({ at: fc.nat(), how: fc.constantFrom<Change["how"][]>("leave out", "empty", "say more") });

  it("with optional fields missing, empty or unknown: a plan, or an error that says what is wrong with the object", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...cases),
        fc.array(change, { minLength: 1, maxLength: 6 }),
        (regression, changes) => {
          const policy = parsePolicy(regression.policy);
          let snapshot: ReturnType<typeof snapshotFromObjects>;
          try {
            snapshot = snapshotFromObjects(
              changed(regression.objects, changes),
              regression.observedAt,
              regression.file,
            );
          } catch (error) {
            expect(error).toBeInstanceOf(ReadError);
            return;
          }
          expect(plan(snapshot, policy).workloads).toHaveLength(policy.workloads.length);
          expect(suggest(snapshot, policy)).toHaveLength(snapshot.deployments.length);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("the same plan, byte for byte, with its objects in another order", () => {
    const shuffled = fc
      .constantFrom(...cases)
      .chain((regression) =>
        fc.tuple(
          fc.constant(regression),
          fc.shuffledSubarray(regression.objects, { minLength: regression.objects.length }),
        ),
      );
    fc.assert(
      fc.property(shuffled, ([{ policy, observedAt, objects }, other]) => {
        const planned = (given: unknown[]) =>
          JSON.stringify(plan(snapshotFromObjects(given, observedAt), parsePolicy(policy)));
        expect(planned(other)).toBe(planned(objects));
      }),
      { numRuns: 300 },
    );
  });
});
