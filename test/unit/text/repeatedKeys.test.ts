import fc from "fast-check";
import { expect, test } from "vitest";
import { repeatedKeys } from "../../../src/text/repeatedKeys.js";

const cases: { json: string; found?: { key: string; offset: number; count: number } }[] = [
  { json: '{"a":1,"a":2}', found: { key: "a", offset: 7, count: 1 } },
  { json: '{"a":1,"\\u0061":2}', found: { key: "a", offset: 7, count: 1 } },
  { json: '{"a":{"b":1,"b":2},"a":[{"b":1}],"b":1}', found: { key: "b", offset: 12, count: 2 } },
  { json: '{"a\\"":1,"a\\"":2}', found: { key: 'a"', offset: 9, count: 1 } },
  { json: '{"\\\\":1,"\\\\":2}', found: { key: "\\", offset: 8, count: 1 } },
  { json: '{"__proto__":1,"__proto__":2}', found: { key: "__proto__", offset: 15, count: 1 } },
  { json: '[{"a":1},{"a":2},["a","a"],"a","a"]' },
  { json: '{"a":"a","b":["a",{"a":"b"}],"c":"{\\"a\\":1,\\"a\\":2}"}' },
  { json: '"a"' },
  { json: '{"a' },
];
test.each(cases)("$json", ({ json, found }) => {
  expect(repeatedKeys(json)).toEqual(found);
});

test("what JSON writes has none, and one more object with its own keys twice has", () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string({ unit: "binary" }),
        fc.json({ maxDepth: 3 }).map((json) => JSON.parse(json) as unknown),
        { minKeys: 1 },
      ),
      (value) => {
        const json = JSON.stringify(value);
        expect(repeatedKeys(json)).toBeUndefined();
        expect(repeatedKeys(`{${json.slice(1, -1)},${json.slice(1, -1)}}`)).toMatchObject({
          count: Object.keys(value).length,
        });
      },
    ),
  );
});
