import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { OutputDigest } from "../../../../../src/text/output/digest.js";
import { expandReports } from "../../../../../src/text/output/reports/expandReports.js";

/** Real JSON reports, and what failed in them (`record.mjs` above it). */
const RECORDED = join(import.meta.dirname, "../../../../fixtures/output/json");
const names = readdirSync(RECORDED).flatMap((file) => (file.endsWith(".txt.gz") ? [file.slice(0, -7)] : []));

const SUMMARIES: Readonly<Record<string, string>> = {
  eslint: "[JSON report of eslint: 5 errors, 6000 warnings.]",
  jest: "[JSON report of jest or vitest: 15 failed, 2385 passed.]",
  mocha: "[JSON report of mocha: 15 failed, 2385 passed.]",
  rspec: "[JSON report of rspec: 2400 examples, 15 failures.]",
  vitest: "[JSON report of jest or vitest: 15 failed, 2385 passed.]",
};

describe.each(names)("the recorded JSON report of %s", (name) => {
  const text = gunzipSync(readFileSync(join(RECORDED, `${name}.txt.gz`))).toString("utf8");
  const failures = JSON.parse(readFileSync(join(RECORDED, `${name}.json`), "utf8")) as Record<string, string>[];
  const digest = new OutputDigest(23_500);
  digest.push(expandReports(text) ?? text);
  const shown = digest.end({ known: 6_000, other: 12_000 });

  test("keeps the name, message and place of every failure, and the counts", () => {
    expect(failures.length).toBeGreaterThan(3);
    const parts = failures.flatMap(({ place = "", line = "", ...rest }) => [
      ...Object.values(rest),
      place + (line && `:${line}`),
    ]);
    expect(parts.filter((part) => shown?.text.includes(part) !== true)).toEqual([]);
    expect(shown?.text).toContain(SUMMARIES[name]);
    expect(shown?.promise).toMatch(/^Every .*failure \(.*JSON report\) is shown/);
  });

  test("is short", () => {
    // jest reports all failures as text, too.
    expect(shown?.text.length).toBeLessThan(name === "jest" ? 16_000 : 8_000);
  });
});

const SAMPLES: { name: string; value: unknown; text: string }[] = [
  {
    name: "stylelint",
    value: [
      {
        source: "a.css",
        warnings: [{ line: 1, column: 2, rule: "color-no-invalid-hex", severity: "error", text: "Unexpected hex" }],
      },
      { source: "b.css", warnings: [] },
    ],
    text: "» a.css:1:2 error color-no-invalid-hex: Unexpected hex\n[JSON report of stylelint: 1 error.]",
  },
  {
    name: "rubocop",
    value: {
      files: [
        {
          path: "a.rb",
          offenses: [
            {
              severity: "convention",
              message: "Use x.",
              cop_name: "Style/X",
              location: { start_line: 3, start_column: 1 },
            },
          ],
        },
      ],
      summary: {},
    },
    text: "» a.rb:3:1 error Style/X: Use x.\n[JSON report of rubocop: 1 error.]",
  },
  {
    name: "ruff",
    value: [{ filename: "/w/a.py", location: { row: 4, column: 5 }, code: "F821", message: "Undefined name `x`" }],
    text: "» /w/a.py:4:5 error F821: Undefined name `x`\n[JSON report of ruff: 1 error.]",
  },
  {
    name: "pylint",
    value: [
      {
        path: "a.py",
        line: 1,
        column: 0,
        symbol: "missing-docstring",
        type: "convention",
        message: "Missing docstring",
      },
      { path: "a.py", line: 9, column: 4, symbol: "undefined-variable", type: "error", message: "Undefined variable" },
    ],
    text:
      "· a.py:1:0 convention missing-docstring: Missing docstring\n» a.py:9:4 error undefined-variable: Undefined variable\n" +
      "[JSON report of pylint: 1 error, 1 warning.]",
  },
  {
    name: "shellcheck, of which all are warnings",
    value: [
      { file: "a.sh", line: 2, column: 3, level: "info", code: 2086, message: "Double quote to prevent globbing." },
    ],
    text: "» a.sh:2:3 info 2086: Double quote to prevent globbing.\n[JSON report of shellcheck: 0 errors, 1 warning.]",
  },
  {
    name: "golangci-lint",
    value: {
      Issues: [
        { FromLinter: "errcheck", Text: "not checked", Severity: "", Pos: { Filename: "a.go", Line: 7, Column: 2 } },
      ],
      Report: {},
    },
    text: "» a.go:7:2 error errcheck: not checked\n[JSON report of golangci-lint: 1 error.]",
  },
  {
    name: "pyright",
    value: {
      generalDiagnostics: [
        {
          file: "/w/a.py",
          severity: "error",
          message: 'Not assignable\n  "str" is not "int"',
          range: { start: { line: 4, character: 2 } },
          rule: "reportAssignmentType",
        },
      ],
    },
    text: '» /w/a.py:5:2 error reportAssignmentType: Not assignable\n      "str" is not "int"\n[JSON report of pyright: 1 error.]',
  },
  {
    name: "SARIF",
    value: {
      version: "2.1.0",
      runs: [
        {
          results: [
            {
              ruleId: "js/sqli",
              level: "error",
              message: { text: "Query built from input" },
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: "src/a.js" },
                    region: { startLine: 12, startColumn: 3 },
                  },
                },
              ],
            },
          ],
        },
      ],
    },
    text: "» src/a.js:12:3 error js/sqli: Query built from input\n[JSON report of SARIF: 1 error.]",
  },
  {
    name: "pytest-json-report",
    value: {
      summary: { total: 2, failed: 1 },
      tests: [
        { nodeid: "t.py::test_a", outcome: "passed" },
        {
          nodeid: "t.py::test_b",
          outcome: "failed",
          call: {
            outcome: "failed",
            crash: { path: "/w/t.py", lineno: 3, message: "assert 1 == 2" },
            longrepr: "E   assert 1 == 2",
          },
        },
      ],
    },
    text: "» t.py::test_b (/w/t.py:3)\n    assert 1 == 2\n    E   assert 1 == 2\n[JSON report of pytest: 1 failed of 2.]",
  },
  {
    name: "playwright",
    value: {
      stats: { unexpected: 1 },
      suites: [
        {
          title: "a.spec.ts",
          suites: [
            {
              title: "login",
              specs: [
                { title: "works", ok: true, file: "a.spec.ts", line: 3 },
                {
                  title: "fails",
                  ok: false,
                  file: "a.spec.ts",
                  line: 9,
                  tests: [{ results: [{ error: { message: "no", stack: "Error: no\n    at /w/a.spec.ts:10:5" } }] }],
                },
              ],
            },
          ],
        },
      ],
    },
    text: "» a.spec.ts › login › fails (a.spec.ts:9)\n    Error: no\n        at /w/a.spec.ts:10:5\n[JSON report of playwright: 1 failed.]",
  },
  {
    name: "jest, of a file that could not be run",
    value: {
      numFailedTests: 0,
      numPassedTests: 1,
      testResults: [
        { name: "/w/a.test.js", status: "failed", message: "\u001b[31mSyntaxError\u001b[0m: x", assertionResults: [] },
      ],
    },
    text: "» /w/a.test.js\n    SyntaxError: x\n[JSON report of jest or vitest: 0 failed, 1 passed.]",
  },
];

describe("a JSON report", () => {
  test.each(SAMPLES)("of $name is read", ({ value, text }) => {
    expect(expandReports(JSON.stringify(value))).toBe(text);
    expect(expandReports(`> lint\n\n${JSON.stringify(value, undefined, 2)}\nnpm error code 1`)).toBe(
      `> lint\n\n${text}\nnpm error code 1`,
    );
  });

  test("of go test, cargo and mypy is the text of its lines", () => {
    const lines = [
      { Time: "t", Action: "run", Package: "p", Test: "TestA" },
      { Time: "t", Action: "output", Package: "p", Test: "TestA", Output: "--- FAIL: TestA (0.00s)\n" },
      { Time: "t", Action: "output", Package: "p", Test: "TestA", Output: "    a_test.go:5: wrong\n" },
      { reason: "compiler-artifact", package_id: "p" },
      {
        reason: "compiler-message",
        package_id: "p",
        message: { rendered: "error[E0425]: no x\n --> src/a.rs:1:2\n\n" },
      },
      { reason: "build-finished", success: false },
      {
        file: "a.py",
        line: 3,
        column: 1,
        message: "Incompatible types",
        hint: null,
        code: "assignment",
        severity: "error",
      },
    ];
    expect(expandReports(`${lines.map((line) => JSON.stringify(line)).join("\n")}\n`)).toBe(
      "--- FAIL: TestA (0.00s)\n    a_test.go:5: wrong\nerror[E0425]: no x\n --> src/a.rs:1:2\n\na.py:3: error: Incompatible types  [assignment]\n",
    );
  });

  test.each([
    "no JSON at all",
    '{"a": 1}',
    "[]",
    "[1, 2]",
    '[{"file": "a", "message": "a log, without a line"}]',
    '[{"filePath": "a.js", "messages": "none"}]',
    '{"testResults": []}',
    '{"version": "1", "runs": [{"results": [{"message": {"text": "no file"}}]}]}',
    "{\n  not json\n}",
    '[{"filePath": "a.js", "messages": [{"message": "x"',
    "{\n".repeat(5_000),
    "[".repeat(100_000),
  ])("is not seen in %.40j", (text) => {
    expect(expandReports(text)).toBeUndefined();
  });
});
