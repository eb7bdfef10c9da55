import { describe, expect, test } from "vitest";
import { ProcessExpressions } from "../../../src/hosts/node/jsonata/expressions.js";
import { lighterForm } from "../../../src/hosts/node/jsonata/lighter.js";
import { tempFolder } from "../../unit/tools/workspace.js";
import { expressions, workerFolder } from "../../unit/hosts/jsonataWorker.js";

const never = new AbortController().signal;
const document = { text: "[1, 2, 3]", format: "json" } as const;

/** What a good evaluation still gives while others are ended. */
const sum = { json: "6", type: "number" };

describe("an expression is ended that", () => {
  const quick = new ProcessExpressions(workerFolder, { evaluation: 300, memory: 64 });
  const cases: [name: string, expression: string, message: RegExp][] = [
    ["calls itself last, for ever", "($f := function($x) {$f($x + 1)}; $f(1))", /stopped after 0\.3 s/],
    [
      "calls itself in the middle, for ever",
      "($f := function($x) {1 + $f($x)}; $f(1))",
      /stopped|memory|failed|stack/i,
    ],
    ["makes more and more", '($f := function($s) {$f($s & $s)}; $f("0123456789"))', /stopped|memory|length|failed/i],
    ["matches a pattern that backtracks", '$match($join([1..40].("a")) & "!", /^(a+)+$/)', /stopped after/],
  ];
  test.each(cases)("%s", async (_name, expression, message) => {
    const ended = quick.evaluate(expression, document, never);
    const [, other] = await Promise.all([
      expect(ended).rejects.toMatchObject({
        type: "evaluation_error",
        message: expect.stringMatching(message) as string,
      }),
      expressions.evaluate("$sum($)", document, never),
    ]);
    expect(other).toEqual(sum);
  });

  test("runs for five seconds, as it is used", async () => {
    const started = Date.now();
    await expect(expressions.evaluate("($f := function($x) {$f($x)}; $f(1))", document, never)).rejects.toMatchObject({
      type: "evaluation_error",
      message: expect.stringContaining("5 s") as string,
      hint: "$f calls itself: make sure that every call comes nearer to its end.",
    });
    expect(Date.now() - started).toBeGreaterThanOrEqual(4_900);
  });

  test("its caller cancels", async () => {
    const cancellation = new AbortController();
    const ended = expressions.evaluate("($f := function($x) {$f($x)}; $f(1))", document, cancellation.signal);
    setTimeout(() => cancellation.abort(), 100);
    await expect(ended).rejects.toMatchObject({ type: "cancelled" });
    await expect(expressions.evaluate("$sum($)", document, never)).resolves.toEqual(sum);
  });
});

test.each([
  ["($f := function($x) {$f($x + 1)}; $f(1))", "$f calls itself"],
  ["$.**.price", "** visits every value"],
  ['$match("aaa!", /^(a+)+$/)', "repeat once"],
  ["$map($, function($a) {$filter($, function($b) {$b.id = $a.id})})", "$lookup($by, key)"],
  ["$^(>amount)[[0..9]]", "filter first, $[amount > 100]^(>amount)"],
  ["$reduce($, function($all, $n) {$append($all, $n)})", "$reduce copies"],
  ["${day: $sum(amount)}", "Group fewer entries"],
  ['$contains($string($), "^(")', "Take a part of the document"],
])("what to change in %s, should it take too long", (expression, advice) => {
  expect(lighterForm(expression)).toContain(advice);
});

test("a document that takes more memory than there is ends its own thread, and nothing else", async () => {
  const small = new ProcessExpressions(workerFolder, { memory: 16 });
  const text = JSON.stringify(Array.from({ length: 400_000 }, (_, index) => ({ index })));
  await expect(small.evaluate("$count($)", { text, format: "json" }, never)).rejects.toMatchObject({
    message: expect.stringContaining("memory") as string,
  });
});

test("an expression sees no environment, and reaches nothing of the process", async () => {
  for (const expression of [
    "process",
    "$process",
    "constructor",
    "__proto__",
    "$.constructor.constructor",
    '$lookup($, "constructor")',
  ]) {
    expect((await expressions.evaluate(expression, { text: '{"a": 1}', format: "json" }, never)).json).toMatch(
      /^(null|\{\})$/,
    );
  }
});

test("20 MB are read and counted", async () => {
  const line = JSON.stringify({ name: "x".repeat(80), size: 1 });
  const text = `[${Array.from({ length: 200_000 }, () => line).join(",")}]`;
  expect(text.length).toBeGreaterThan(19_000_000);
  await expect(expressions.evaluate("$sum(size)", { text, format: "json" }, never)).resolves.toEqual({
    json: "200000",
    type: "number",
  });
});

describe("the process of an expression", () => {
  const worker = `process.once("message", () => { process.send({ kind: "done", result: { json: JSON.stringify(process.env), type: "object" } }, () => process.disconnect()); });`;

  test("runs as Node where the program is Electron, and with nothing else of the user's environment", async () => {
    const folder = await tempFolder({ "jsonata-worker.js": worker });
    process.env["TOOLHOST_TEST_SECRET"] = "sesame";
    try {
      const { json } = await new ProcessExpressions(folder).evaluate("$", document, never);
      const { ELECTRON_RUN_AS_NODE, ...rest } = JSON.parse(json) as Record<string, string>;
      expect(ELECTRON_RUN_AS_NODE).toBe("1");
      // What Node adds to talk to it, and what the system itself puts into every process.
      expect(Object.keys(rest).filter((name) => !/^(NODE_CHANNEL_|SystemRoot$|__CF)/.test(name))).toEqual([]);
    } finally {
      delete process.env["TOOLHOST_TEST_SECRET"];
    }
  });

  test.each([
    ["is not there", {}, "with exit code 1"],
    ["ends at once", { "jsonata-worker.js": "process.exit(3)" }, "with exit code 3"],
    ["is killed", { "jsonata-worker.js": 'process.kill(process.pid, "SIGKILL")' }, "by the signal SIGKILL"],
    ["is no program", { "jsonata-worker.js": "}{" }, "with exit code 1"],
  ])(
    "that %s is an error that says how it ended and advises no simpler expression, and no call that hangs",
    async (_name, files, how) => {
      const folder = await tempFolder(files);
      await expect(new ProcessExpressions(folder).evaluate("$", document, never)).rejects.toMatchObject({
        type: "evaluation_error",
        message: `The evaluating process ended ${how} without a result, so the result is unknown.`,
        hint: expect.stringMatching(/^Try again\./) as string,
      });
    },
  );
});
