import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ListSplitter } from "../../src/cluster/list-splitter.ts";

/** What comes out when a text arrives in pieces of so many bytes. */
function split(text: string, size = text.length): { items: unknown[]; envelope: string } {
  const items: unknown[] = [];
  const splitter = new ListSplitter((item) => items.push(JSON.parse(item)));
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) splitter.push(bytes.subarray(at, at + size));
  return { items, envelope: splitter.end() };
}

describe("a list is cut into its objects and what is around them", () => {
  it.each([
    ["as the API server writes it", '{"kind":"NodeList","metadata":{"continue":"x"},"items":[{"a":1},{"b":[2]}]}'],
    ["custom resources: sorted keys", '{"items":[{"a":1},{"b":[2]}],"kind":"NodeList","metadata":{"continue":"x"}}'],
    [
      "printed for people",
      '{\n  "kind": "NodeList",\n  "metadata": {"continue": "x"},\n  "items" : [\n {"a": 1} ,\n {"b": [2]}\n ]\n}\n',
    ],
    [
      "other lists and maps with the name",
      '{"kind":"NodeList","metadata":{"continue":"x","items":[{"no":1}]},"x":["items",{"no":2}],"items":[{"a":1},{"b":[2]}]}',
    ],
  ])("%s", (_case, text) => {
    const { items, envelope } = split(text);
    expect(items).toEqual([{ a: 1 }, { b: [2] }]);
    expect(JSON.parse(envelope)).toMatchObject({ kind: "NodeList", metadata: { continue: "x" }, items: [] });
  });

  it.each([
    '{"kind":"NodeList","items":[]}',
    '{"kind":"NodeList","items":null}',
    '{"kind":"Node","metadata":{"name":"w-1"}}',
    '{"kind":"NodeList","items":[null]}',
    '"items"',
    "[]",
  ])("%s has none, and stays as it is", (text) => {
    expect(split(text)).toEqual({ items: [], envelope: text });
  });
});

const anyList = fc.record({
  kind: fc.constant("NodeList"),
  metadata: fc.dictionary(fc.string(), fc.jsonValue()),
  items: fc.array(fc.dictionary(fc.string(), fc.jsonValue())),
});

it("whatever the objects are, and wherever the pieces end", () => {
  fc.assert(
    fc.property(anyList, fc.integer({ min: 1, max: 50 }), (list, size) => {
      const { items, envelope } = split(JSON.stringify(list), size);
      expect(items).toEqual(JSON.parse(JSON.stringify(list.items)));
      expect(JSON.parse(envelope)).toEqual(JSON.parse(JSON.stringify({ ...list, items: [] })));
    }),
  );
});

it("of a list that is cut off the rest is no JSON", () => {
  fc.assert(
    fc.property(anyList, fc.nat(), (list, cut) => {
      const text = JSON.stringify(list);
      const { envelope } = split(text.slice(0, cut % text.length));
      expect(() => JSON.parse(envelope)).toThrow(SyntaxError);
    }),
  );
});
