import jsonata from "jsonata";
import { describe, expect, test } from "vitest";
import { JSONATA_PRIMER } from "../../../src/tools/context/jsonataPrimer.js";
import { failed, openWorkspace, result, type FileTree, type TestWorkspace } from "../../unit/tools/workspace.js";

const ORDERS = [
  { ts: "2026-05-31T08:00:00Z", email: "a@x.com", amount: 50 },
  { ts: "2026-05-31T09:30:00Z", email: "b@x.com", amount: 150 },
  { ts: "2026-06-01T10:00:00Z", email: "a@x.com", amount: 250 },
];
const SAMPLE = JSON.stringify(ORDERS);

interface QueryData {
  message?: string;
  result?: unknown;
  result_type?: string;
  result_count?: number;
  path?: string;
  bytes_written?: number;
  preview?: string;
  note?: string;
}

/** A workspace whose context store holds files. */
function withStored(files: FileTree): Promise<TestWorkspace> {
  return openWorkspace(
    Object.fromEntries(Object.entries(files).map(([path, content]) => [`.toolhost/context/${path}`, content])),
  );
}

describe("an expression on a stored document gives", () => {
  const cases: [expression: string, value: unknown, type: string, count?: number][] = [
    ["${ $substring(ts,0,10): $count($) }", { "2026-05-31": 2, "2026-06-01": 1 }, "object", 2],
    ["$[amount > 100]", [ORDERS[1], ORDERS[2]], "array", 2],
    ["$[amount > 200]", ORDERS[2], "object", 3],
    ["$[amount > 200][]", [ORDERS[2]], "array", 1],
    ["$[amount > 900]", null, "null"],
    ["$distinct(email)", ["a@x.com", "b@x.com"], "array", 2],
    ["$count($)", 3, "number"],
    ["$[0].email", "a@x.com", "string"],
    ["$[0].amount > 10", true, "boolean"],
    ["null", null, "null"],
    ["[]", [], "array", 0],
    ['$[0].email & "…😀"', "a@x.com…😀", "string"],
  ];
  test.each(cases)("%s", async (expression, value, type, count) => {
    const { call } = await withStored({ "orders.json": SAMPLE });
    const { data } = result<QueryData>(await call("query", { path: "orders.json", expression }));
    expect(data).toEqual({ result: value, result_type: type, ...(count === undefined ? {} : { result_count: count }) });
  });
});

describe("a document is read by the ending of its name:", () => {
  const cases: [path: string, content: string, expression: string, value: unknown][] = [
    ["a", '{"x": 1}', "x", 1],
    ["a.json", '\uFEFF{"x": 1}', "x", 1],
    ["a.jsonl", '{"x": 1}\n\n{"x": 2}\r\n', "$sum(x)", 3],
    ["a.ndjson", '{"x": 1}', "$count($)", 1],
    [
      "A.CSV",
      'name,note\r\nAda,"one, ""two""\nthree"\nBob,\n',
      "$",
      [
        { name: "Ada", note: 'one, "two"\nthree' },
        { name: "Bob", note: "" },
      ],
    ],
    ["a.tsv", "n\tm\n1\t2\n", "$number($[0].m)", 2],
    ["a.yaml", "x:\n  - 1\n  - 2\n", "$sum(x)", 3],
    ["a.yml", "x: 1\n---\nx: 2\n", "x", [1, 2]],
    ["empty.yaml", "", "$", null],
    ["empty.csv", "", "$count($)", 0],
    ["empty.jsonl", "", "$count($)", 0],
  ];
  test.each(cases)("%s", async (path, content, expression, value) => {
    const { call } = await withStored({ [path]: content });
    expect(result<QueryData>(await call("query", { path, expression })).data.result).toEqual(value);
  });
});

describe("a table's column", () => {
  const cases: [name: string, content: string, value: unknown][] = [
    [
      "of numbers is numbers, empty fields absent",
      "p,q\n1.5,a\n,b\n-2,c\n0,d\n",
      [{ p: 1.5, q: "a" }, { q: "b" }, { p: -2, q: "c" }, { p: 0, q: "d" }],
    ],
    [
      "of codes is text",
      "zip,id\n01234,12345678901234567890\n10115,1\n",
      [
        { zip: "01234", id: "12345678901234567890" },
        { zip: "10115", id: "1" },
      ],
    ],
    [
      "with one other value is text",
      "p,q\n1,\nn/a,\n",
      [
        { p: "1", q: "" },
        { p: "n/a", q: "" },
      ],
    ],
    [
      "of 1e5, 0x1, Infinity or blanks is text",
      "a,b,c,d\n1e5,0x1,Infinity, 1\n",
      { a: "1e5", b: "0x1", c: "Infinity", d: " 1" },
    ],
  ];
  test.each(cases)("%s", async (_name, content, value) => {
    const { call } = await withStored({ "t.csv": content });
    const all = result<QueryData>(await call("query", { path: "t.csv", expression: "$" })).data.result;
    expect(all).toEqual(Array.isArray(value) ? value : [value]);
  });
});

describe("a document of the workspace", () => {
  const cases: [path: string, found: unknown][] = [
    ["data/orders.csv", 250],
    ["./data/orders.csv", 250],
    ["both.json", "stored"],
    [".toolhost/context/both.json", "stored"],
    ["./.toolhost/context/both.json", "stored"],
  ];
  test.each(cases)("is found as %s", async (path, found) => {
    const { call } = await openWorkspace({
      "data/orders.csv": "id,price\n1,100\n2,150\n",
      "both.json": '"of the workspace"',
      ".toolhost/context/both.json": '"stored"',
    });
    const expression = typeof found === "number" ? "$sum(price)" : "$";
    expect(result<QueryData>(await call("query", { path, expression })).data.result).toBe(found);
  });

  test("goes through the gate: a secret asks, and what lies outside", async () => {
    const { call, asked } = await openWorkspace({ ".env.json": '{"key": "s3cret"}', "a.json": "1" });
    for (const path of [".env.json", "../elsewhere.json"]) {
      const outcome = await call("query", { path, expression: "$" }, { as: "model", answer: false, mode: "default" });
      expect({ path, ...failed(outcome) }).toMatchObject({ path, type: "denied" });
    }
    expect(asked).toHaveLength(2);
  });

  test("that is nowhere is reported with the similar names of both places", async () => {
    const { call } = await openWorkspace({ "data/orders.csv": "a\n", ".toolhost/context/data/order.csv": "a\n" });
    expect(failed(await call("query", { path: "data/ordrs.csv", expression: "$" }))).toEqual({
      type: "source_not_found",
      message: "data/ordrs.csv: there is no such file in the workspace or the context store.",
      hint: "Did you mean data/order.csv? Or: Did you mean data/orders.csv?",
    });
  });
});

describe("an error of an expression names the sentence that helps, not the whole syntax reference:", () => {
  const cases: [expression: string, advice: string][] = [
    ["name > 99", "$number(field)"],
    ["$sum(name)", "$map(price, $number)"],
    ["$[price == 1]", "Compare with = instead of =="],
    ["name * 2", "$number(field)"],
    ["count($)", "Functions begin with $"],
    ["mixed^(v)", "$number(field)"],
    ["${ unclosed", "Close every bracket"],
    ["($x := [1, 2]; $sum($x * 2))", "$sum($.(price*quantity))"],
    ["$^(>price)[0..2]", "[[0..2]]"],
    ["SELECT name, SUM(price) FROM rows", "This is SQL."],
    [".rows | length", "This is jq."],
    ["rows | length", "This is jq."],
  ];
  test.each(cases)("%s", async (expression, advice) => {
    const rows = '[{"name": "Ada", "price": 1}, {"name": "Bob", "price": 2}]';
    const { call } = await withStored({ "rows.json": rows, "mixed.json": '{"mixed": [{"v": 1}, {"v": "a"}]}' });
    const path = expression.startsWith("mixed") ? "mixed.json" : "rows.json";
    const { hint = "" } = failed(await call("query", { path, expression }));
    expect(hint).toContain(advice);
    expect(hint).toContain("The expression ? returns the syntax reference.");
    expect(hint.length).toBeLessThan(250);
  });
});

describe("what is not read as it is written is said in one line:", () => {
  const cases: [path: string, content: string, value: unknown, note: string][] = [
    [
      "a.json",
      '{"x": 1,\n "x": 2}',
      { x: 2 },
      'Line 2 repeats the key "x" of its object: only the last value is read.',
    ],
    [
      "a.jsonl",
      '{"x": 1}\n{"y": 1, "y": {"z": 1, "z": 2}}',
      [{ x: 1 }, { y: { z: 2 } }],
      'Line 2 repeats the key "y" of its object, and 1 more key is repeated: only the last value of each is read.',
    ],
    [
      "a.csv",
      "x,x,x_2\n1,2,3\n",
      [{ x: 1, x_3: 2, x_2: 3 }],
      'Column names are repeated: column 2 "x" is read as "x_3".',
    ],
    [
      "a.tsv",
      "x\tx\tx\tx\tx\n1\t2\t3\t4\t5\n",
      [{ x: 1, x_2: 2, x_3: 3, x_4: 4, x_5: 5 }],
      'Column names are repeated: column 2 "x" is read as "x_2"; column 3 "x" is read as "x_3"; column 4 "x" is read as "x_4"; and 1 more.',
    ],
  ];
  const others: typeof cases = [
    [
      "tsconfig.json",
      '{\n  // why\n  "strict": true, /* all */\n}',
      { strict: true },
      "Comments and trailing commas were left out.",
    ],
    ["a.json", '{"x": 1}\n{"x": 2}\n', [{ x: 1 }, { x: 2 }], "Read as JSON Lines."],
    [
      "a.csv",
      "a;b\n1;x\n2;y\n",
      [
        { a: 1, b: "x" },
        { a: 2, b: "y" },
      ],
      "Columns are separated by ;.",
    ],
  ];
  test.each([...cases, ...others])("%s", async (path, content, value, note) => {
    const { call } = await withStored({ [path]: content });
    const { text, data } = result<QueryData>(await call("query", { path, expression: "$" }));
    expect([data.result, data.note]).toEqual([value, note]);
    expect(text.endsWith(`\n[${note}]`)).toBe(true);
    const stored = result<QueryData>(await call("query", { path, expression: "$", output_path: "out.json" }));
    expect([stored.text.endsWith(`\n[${note}]`), stored.data.note]).toEqual([true, note]);
  });
});

test.each([
  ['packages["node_modules/a"].version', /^A name in brackets is a filter\..*backquotes/],
  ["$.packages[*].version", /^\[\*\] is JSONPath\./],
])("%s, which selects nothing in JSONata, is told how to be written", async (expression, note) => {
  const { call } = await withStored({ "lock.json": '{"packages": {"node_modules/a": {"version": "1.2.3"}}}' });
  const { data } = result<QueryData>(await call("query", { path: "lock.json", expression }));
  expect([data.result, data.note]).toEqual([null, expect.stringMatching(note)]);
});

describe("a field that the document does not have is said, since its absence looks like a result:", () => {
  const cases: [expression: string, value: unknown, note: string | undefined][] = [
    ["$sum(amont)", null, 'Nothing in the document has the field "amont" (did you mean "amount"?).'],
    ["$count($[state = 'paid'])", 0, 'Nothing in the document has the field "state".'],
    [
      "$[0].{'mail': mail, 'zip': zip}",
      {},
      'Nothing in the document has the field "mail" (did you mean "email"?) or "zip".',
    ],
    ["a.b.c.d.e", null, 'Nothing in the document has the field "a" or "b" or "c", or 2 others.'],
    ["$[amount > 900]", null, undefined],
    ["{'day': $count($)}.day", 3, undefined],
    ["$match('a1', /[0-9]/).index", 1, undefined],
    ["$map($, function($order) { $order.amount })", [50, 150, 250], undefined],
  ];
  test("in 80 characters, however long its name is", async () => {
    const { call } = await withStored({ "orders.json": SAMPLE });
    const { data } = result<QueryData>(await call("query", { path: "orders.json", expression: "x".repeat(5_000) }));
    expect(data.note).toBe(`Nothing in the document has the field "${"x".repeat(80)}" (and 4920 more characters).`);
  });
  test("and an empty document has none", async () => {
    const { call } = await withStored({ "empty.yaml": "# nothing\n" });
    const { data } = result<QueryData>(await call("query", { path: "empty.yaml", expression: "name" }));
    expect(data).toEqual({
      result: null,
      result_type: "null",
      note: 'Nothing in the document has the field "name".',
    });
  });

  test.each(cases)("%s", async (expression, value, note) => {
    const { call } = await withStored({ "orders.json": SAMPLE });
    const { data } = result<QueryData>(await call("query", { path: "orders.json", expression }));
    expect([data.result, data.note]).toEqual([value, note]);
  });
});

test.each([
  ["a.json", "ghp_Xk29dLqPz71RbTmWvY4hNcEfGs8JuA03oiKQ", "Unexpected token 'g'"],
  ["a.json", '{"a": ghp_Xk29dLqPz71RbTmWvY4hNcEfGs8JuA03oiKQ}', "Unexpected token 'g' at column 7"],
  [
    "a.json",
    '{"first": 1,\n "second": ghp_Xk29dLqPz71RbTmWvY4hNcEfGs8JuA03oiKQ}',
    "Unexpected token 'g' at line 2, column 12",
  ],
  ["a.jsonl", '1\n{"key": ghp_Xk29dLqPz71RbTmWvY4hNcEfGs8JuA03oiKQ}', "line 2: Unexpected token 'g' at column 9"],
])("a mistake in %s (%j) is told by its place, without what is around it", async (path, content, message) => {
  const { call } = await withStored({ [path]: content });
  const error = failed(await call("query", { path, expression: "$" }));
  expect(error.message).toContain(message);
  expect(JSON.stringify(error)).not.toContain("ghp_");
});

test("a result that is longer than an answer is given to the door, which pages it", async () => {
  const { call } = await withStored({ "rows.json": JSON.stringify(Array.from({ length: 30_000 }, (_, at) => at)) });
  const { text, data } = result<QueryData>(await call("query", { path: "rows.json", expression: "$" }));
  expect([text.length > 150_000, data.result_count]).toEqual([true, 30_000]);
});

describe("it fails, and says what to do:", () => {
  const cases: [name: string, input: Record<string, unknown>, type: string, message: string, hint: string][] = [
    [
      "no such document",
      { path: "nothing.json", expression: "$" },
      "source_not_found",
      "nothing.json",
      "ls shows what is in the workspace",
    ],
    ["a near name", { path: "order.json", expression: "$" }, "source_not_found", "order.json", "orders.json"],
    ["a folder", { path: "folder", expression: "$" }, "is_directory", "folder", "context_tree"],
    [
      "too large a document",
      { path: "orders.json", expression: "$", max_input_bytes: 5 },
      "source_too_large",
      "at most 5",
      "max_input_bytes",
    ],
    ["prose", { path: "prose.md", expression: "$" }, "invalid_json", "prose.md is not JSON", "Check it with read"],
    ["a bad line", { path: "bad.jsonl", expression: "$" }, "invalid_json", "line 2", "Check it with read"],
    [
      "a bad table",
      { path: "bad.csv", expression: "$" },
      "invalid_json",
      "line 2: a quoted field is not closed",
      "Check it with read",
    ],
    ["bad YAML", { path: "bad.yaml", expression: "$" }, "invalid_json", "is not YAML", "Check it with read"],
    [
      "a cut-off last line",
      { path: "cut.jsonl", expression: "$" },
      "invalid_json",
      "cut.jsonl is not JSON Lines: line 3: ",
      "Check it with read",
    ],
    [
      "a key twice in YAML",
      { path: "twice.yaml", expression: "$" },
      "invalid_json",
      "Map keys must be unique at line 3, column 3",
      "Check it with read",
    ],
    [
      "a key twice in a later document of YAML",
      { path: "later.yaml", expression: "$" },
      "invalid_json",
      "Map keys must be unique at line 3",
      "Check it with read",
    ],
    ["YAML of aliases", { path: "bomb.yaml", expression: "$" }, "invalid_json", "alias", "Check it with read"],
    ["bytes", { path: "bytes.json", expression: "$" }, "invalid_json", "is not a text file", "JSON"],
    [
      "an unclosed brace",
      { path: "orders.json", expression: "${ unclosed" },
      "invalid_expression",
      "compile",
      "? returns the syntax reference",
    ],
    [
      "an operator there is not",
      { path: "orders.json", expression: "$[amount == 1]" },
      "invalid_expression",
      "at character",
      "? returns the syntax reference",
    ],
    ["a wrong argument", { path: "orders.json", expression: "$sum(email)" }, "evaluation_error", "sum", ""],
    ["a function there is not", { path: "orders.json", expression: "$nothing(1)" }, "evaluation_error", "", ""],
    ["a function as the result", { path: "orders.json", expression: "$sum" }, "evaluation_error", "function", ""],
    [
      "a lambda as the result",
      { path: "orders.json", expression: "function($x) {$x}" },
      "evaluation_error",
      "function",
      "",
    ],
    ["the id of a paged result", { path: "r0123456789ab", expression: "$" }, "invalid_input", "paged result", "pipe"],
    ["another system's id of one", { path: "lr_1", expression: "$" }, "invalid_input", "paged result", "pipe"],
    [
      "a path that leads out",
      { path: "../../x", expression: "$" },
      "outside_workspace",
      "../../x",
      "inside the workspace",
    ],
    [
      "an expression of 100 KB",
      { path: "orders.json", expression: "1+".repeat(50_000) },
      "invalid_input",
      "expression",
      "expression",
    ],
    [
      "a result that is too long",
      { path: "orders.json", expression: "$pad('x', 2000000)" },
      "too_large",
      "characters",
      "output_path",
    ],
    [
      "a place that is taken",
      { path: "orders.json", expression: "$", output_path: "prose.md" },
      "path_conflict",
      "prose.md",
      "on_conflict='overwrite'",
    ],
  ];
  const stored: FileTree = {
    "orders.json": SAMPLE,
    "prose.md": "Not JSON at all.",
    "bad.jsonl": '{"x": 1}\n{x: 2}\n',
    "bad.csv": 'a,b\n"open,1\n',
    "bad.yaml": "x: [1, 2\ny: }",
    "cut.jsonl": '{"x": 1}\n\n{"x": 2',
    "twice.yaml": "a:\n  x: 1\n  x: 2\n",
    "later.yaml": "x: 1\n---\n{y: 1, y: 2}\n",
    "bomb.yaml": [
      "a0: &a0 [1, 1, 1, 1]",
      ...[1, 2, 3, 4, 5, 6].map((n) => `a${n}: &a${n} [${`*a${n - 1}, `.repeat(8)}]`),
    ].join("\n"),
    "bytes.json": Uint8Array.from([1, 0, 0, 2]),
    folder: undefined,
  };
  test.each(cases)("%s", async (_name, input, type, message, hint) => {
    const { call } = await withStored(stored);
    const error = failed(await call("query", input));
    expect(error).toMatchObject({ type });
    expect(error.message).toContain(message);
    expect(error.hint ?? "").toContain(hint);
  });
});

test.each(["?", "   ", "", " ? "])(
  "the expression %j gives the syntax reference, whether there is a document or not",
  async (expression) => {
    const { call } = await withStored({});
    const { text, data } = result<QueryData>(await call("query", { path: "nothing/at all", expression }));
    expect(text).toContain("JSONata syntax reference");
    expect(data).toEqual({ message: text });
    expect(JSONATA_PRIMER.length).toBeLessThanOrEqual(1_800);
  },
);

test("with output_path the result is stored, and another query goes on from there", async () => {
  const { call, bytes } = await withStored({ "orders.json": SAMPLE });
  const { data } = result<QueryData>(
    await call("query", { path: "orders.json", expression: "$distinct(email)", output_path: "mails.json" }),
  );
  const written = await bytes(".toolhost/context/mails.json");
  expect(data).toEqual({ path: "mails.json", bytes_written: written.length, preview: written.toString() });
  expect(data.preview).toContain("a@x.com");
  expect(JSON.parse(written.toString())).toEqual(["a@x.com", "b@x.com"]);
  expect(
    result<QueryData>(await call("query", { logical_path: "mails.json", expression: "$count($)" })).data.result,
  ).toBe(2);
  result(
    await call("query", {
      path: "orders.json",
      expression: "$count($)",
      output_logical_path: "mails.json",
      on_conflict: "overwrite",
    }),
  );
  expect((await bytes(".toolhost/context/mails.json")).toString()).toBe("3");
});

test("a document is read as it is and stays as it is: an expression changes a copy", async () => {
  const { call, bytes } = await withStored({ "orders.json": SAMPLE });
  result(await call("query", { path: "orders.json", expression: '$ ~> |$|{"amount": 0}|' }));
  expect((await bytes(".toolhost/context/orders.json")).toString()).toBe(SAMPLE);
});

describe("a result", () => {
  const rows = Array.from({ length: 3 }, (_, at) => ({ name: `${"long ".repeat(20)}${at}`, tags: [at] }));
  test.each([
    { what: "that is short, in one line", expression: "$[0].tags", json: "[0]" },
    {
      what: "an array, with a line for each entry",
      expression: "$",
      json: `[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]`,
    },
    {
      what: "an object, with a line for each field",
      expression: '{"first": $[0], "last": $[-1], "of": $string}',
      json: `{\n"first": ${JSON.stringify(rows[0])},\n"last": ${JSON.stringify(rows[2])}\n}`,
    },
  ])("$what", async ({ expression, json }) => {
    const { call } = await withStored({ "rows.json": JSON.stringify(rows) });
    const { text } = result<QueryData>(await call("query", { path: "rows.json", expression }));
    expect(text.startsWith(json)).toBe(true);
  });

  test.each([
    "$[[0..1]]",
    "$.name",
    "$^(>name)",
    "$filter($, function($r) { 0 in $r.tags or 1 in $r.tags })",
    "$map($, function($r) { $r.name })",
    "$.{'name': name, 'none': $string}",
    "**.name",
    "$append($, $)",
    "$reverse($)",
    "$distinct($.name)",
    "[$.tags, $string, nothing]",
    "{'all': $.name, 'none': nothing, 'of': [$string]}",
    "$each($[0], function($v, $k) { {$k: $v} })",
    "$spread($)",
  ])("of %s is what JSONata gives, and nothing else", async (expression) => {
    const { call } = await withStored({ "rows.json": JSON.stringify(rows) });
    const { text, data } = result<QueryData>(await call("query", { path: "rows.json", expression }));
    const expected: unknown = await jsonata(expression).evaluate(rows);
    const plain = data.note === undefined ? text : text.slice(0, -`\n[${data.note}]`.length);
    expect(JSON.parse(plain.slice(0, plain.lastIndexOf("\n[")))).toEqual(
      JSON.parse(JSON.stringify(expected, (_key, item: unknown) => (isLambda(item) ? undefined : item))),
    );
  });
});

function isLambda(item: unknown): boolean {
  return (
    typeof item === "function" ||
    (typeof item === "object" && item !== null && ("_jsonata_lambda" in item || "_jsonata_function" in item))
  );
}
