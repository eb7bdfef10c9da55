// Sorting natively changes nothing but the time: every result and error is JSONata's own.
import fc from "fast-check";
import jsonata from "jsonata";
import { describe, expect, test } from "vitest";
import { ProcessExpressions } from "../../../src/hosts/node/jsonata/expressions.js";
import { sortNatively } from "../../../src/hosts/node/jsonata/nativeSort.js";
import { workerFolder } from "../../unit/hosts/jsonataWorker.js";

const EXPRESSIONS = [
  "$^(a)",
  "$^(>a)",
  "$^(>a, b)",
  '$^(>a)[[0..1]].{"x": a, "y": b}',
  "$^(a)[0]",
  "$^(a)[-1].b",
  "$^(a)[]",
  "$[a > 1]^(b)",
  "$[a > 1]^(b).c",
  "$^(a)^(>b)",
  "$^(c.d)",
  "$^(a + b)",
  '$^($string(a) & "x")',
  "$.c^(d)",
  "$.c.list^($)",
  "$^(a){$string(b): a}",
  "$count($^(a))",
  "$map($^(>b), function($v, $i) { $v.a + $i })",
  '$^(a).{"top": c.list^(>$)[0]}',
  "$sort($.a)",
  "$sort($, function($x, $y) { $x.b > $y.b })",
  "$sort($, function($x, $y) { $x.b < $y.b })",
  "$sort($, function($x, $y) { $x.a + $x.b > $y.a + $y.b })",
  "$sort($, function($x, $y) { $y.b > $x.b })",
  "($rows := $; $rows^(b).a)",
  "$#$i^(b).$i",
  "$@$r^(b).$r.a",
  "$^(a)[[0..1]]",
  "$^(>a)[[2, 0, -1, 0]]",
  "$^(a)[[1..0]]",
  "$^(a)[[0.5, -0.5]].b",
  "$^(a)[[0, 2]][a > 1]",
  "$^(a)[a > 1][[0, 2]].b",
  "$^(a)[[0..2]][[-1]]{$string(b): a}",
  "$.c.list^($)[[0..1]]",
  "$sort($, function($x, $y) { $x.b > $y.b })[[0..1]].b",
  "$sort($, function($x, $y) { $x.b > $y.b })[[0]]",
  "$sort($, function($x, $y) { $x.b > $y.b })[[5..6]][b > 1].a",
  "nothing^(a)",
  "nothing^(a)[[0..1]]",
  "(nothing)^(a)[0]",
  "$ ~> $sort(function($x, $y) { $x.a > $y.a })",
];

async function outcome(expression: string, input: unknown, native: boolean): Promise<unknown> {
  const compiled = jsonata(expression);
  if (native) {
    sortNatively(compiled);
  }
  try {
    return { value: JSON.stringify(await compiled.evaluate(input)) };
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    // Which of two values is named first depends on the order of comparisons.
    return { code, message: message.replace(/values .* in order-by/, "values in order-by") };
  }
}

const row = fc.record({
  a: fc.integer({ min: 0, max: 3 }),
  b: fc.integer({ min: 0, max: 9 }),
  c: fc.record({ d: fc.string({ maxLength: 2 }), list: fc.array(fc.nat(9), { maxLength: 3 }) }),
});

describe("sorted natively is as JSONata sorts:", () => {
  test.each(EXPRESSIONS)("%s", async (expression) => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 8 }), async (rows) => {
        expect(await outcome(expression, rows, true)).toEqual(await outcome(expression, rows, false));
      }),
      { numRuns: 40 },
    );
  });

  const SPECIAL: [name: string, expression: string, input: unknown][] = [
    ["missing keys are last", "$^(a)", [{ a: 2 }, { b: 1 }, { a: 1 }]],
    ["missing keys are last, descending, too", "$^(>a)", [{ a: 2 }, { b: 1 }, { a: 3 }]],
    ["mixed keys fail", "$^(a)", [{ a: 2 }, { a: "x" }]],
    ["objects as keys fail", "$^(a)", [{ a: {} }, { a: {} }]],
    ["null as a key fails", "$^(a)", [{ a: null }, { a: 1 }]],
    ["a list of objects has no order", "$sort($)", [{ a: 2 }, { a: 1 }]],
    ["keys that are lists of one", "$^(a)", [{ a: [2] }, { a: [1] }]],
    ["fields named as methods", "$^(toString)", [{ a: 2 }, { a: 1 }]],
    ["a single object", "$^(a)", { a: 1 }],
    ["a list of one", "$^(a)", [{ a: 1 }]],
    [
      "lists of lists",
      "$^($[0])",
      [
        [2, 1],
        [1, 2],
      ],
    ],
    ["a value", "a^($)", { a: 5 }],
  ];
  test.each(SPECIAL)("%s", async (_name, expression, input) => {
    expect(await outcome(expression, input, true)).toEqual(await outcome(expression, input, false));
  });
});

// Its own sort takes gigabytes. Time has no limit here, since machines may be busy.
test.each([
  "$^(>id)[[0..1]].id",
  "$sort($, function($a, $b) { $a.id < $b.id })[[0..1]].id",
  "$^(>$number(name))[[0..1]].id",
])("a document of 100,000 rows is sorted in 300 MB: %s", { timeout: 300_000 }, async (expression) => {
  const rows = Array.from({ length: 100_000 }, (_, index) => {
    const id = (index * 7_919) % 100_003;
    return { id, name: String(id), note: "some words to fill it" };
  });
  const patient = new ProcessExpressions(workerFolder, { reading: 250_000, evaluation: 250_000, memory: 300 });
  const document = { text: JSON.stringify(rows), format: "json" } as const;
  const { json } = await patient.evaluate(expression, document, new AbortController().signal);
  const ids = rows.map(({ id }) => id).sort((a, b) => b - a);
  expect(JSON.parse(json)).toEqual(ids.slice(0, 2));
});
