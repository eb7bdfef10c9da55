import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OutputDigest, type Digest, type Enough } from "../../../../src/text/output/digest.js";

/** Real outputs, and what failed in them (`record.mjs` there). */
const RECORDED = join(import.meta.dirname, "../../../fixtures/output");
const MAX = 23_500;

interface Failure {
  name: string;
  message: string;
  place: string;
}

function digestOf(text: string, max = MAX, chunk = 65_536, enough?: Enough): Digest | undefined {
  const digest = new OutputDigest(max);
  for (let at = 0; at < text.length; at += chunk) {
    digest.push(text.slice(at, at + chunk));
  }
  return digest.end(enough);
}

function recorded(name: string): { text: string; failures: Failure[] } {
  return {
    // Two lines of MSBuild's end in CRLF, of which the digest keeps the line.
    text: gunzipSync(readFileSync(join(RECORDED, `${name}.txt.gz`)))
      .toString("utf8")
      .replaceAll("\r\n", "\n"),
    failures: JSON.parse(readFileSync(join(RECORDED, `${name}.json`), "utf8")) as Failure[],
  };
}

const names = readdirSync(RECORDED).flatMap((file) => (file.endsWith(".txt.gz") ? [file.slice(0, -7)] : []));

/** Lines of the summary, where the program writes one. */
const SUMMARIES: Readonly<Record<string, RegExp>> = {
  vitest: /Tests {2}15 failed \| 2385 passed \(2400\)/,
  jest: /^Tests: {7}15 failed, 2385 passed, 2400 total$/m,
  mocha: /^ {2}15 failing$/m,
  "node-test": /^ℹ fail 15$/m,
  "node-tap": /^# fail 15$/m,
  pytest: /15 failed, 2385 passed in/,
  unittest: /^FAILED \(failures=15\)$/m,
  cargo: /^test result: FAILED\. 2385 passed; 15 failed/m,
  "cargo-build": /could not compile `orders` \(lib\) due to 15 previous errors/,
  dotnet: /^ +15 Error\(s\)$/m,
  eslint: /✖ 24015 problems \(15 errors, 24000 warnings\)/,
  mypy: /Found 15 errors in 15 files/,
  "ruff-full": /Found 15 errors\./,
  ruff: /Found 15 errors\./,
  ctest: /% tests passed, \d+ tests failed/,
  maven: /Tests run: 2400, Failures: 15, Errors: 0/,
  gradle: /^2400 tests completed, 15 failed$/m,
  rspec: /^2400 examples, 15 failures$/m,
  phpunit: /^Tests: 2400, Assertions: 2400, Failures: 15\.$/m,
};

test("20 recorded outputs are of 1 to 20 MB, one of nearly 20", () => {
  const megabytes = names.map((name) => recorded(name).text.length / 1e6);
  expect(megabytes.filter((size) => size >= 1 && size <= 20).length).toBeGreaterThanOrEqual(20);
  expect(Math.max(...megabytes)).toBeGreaterThan(19);
});

describe.each(names)("the recorded output of %s", (name) => {
  const { text, failures } = recorded(name);
  const digest = digestOf(text);

  test("keeps the name, message and place of every failure, and the summary", () => {
    expect(failures.length).toBeGreaterThan(3);
    const missing = failures.flatMap((failure) =>
      [failure.name, failure.message, failure.place].filter((part) => digest?.text.includes(part) !== true),
    );
    expect(missing).toEqual([]);
    expect(digest?.text).toMatch(SUMMARIES[name] ?? /./);
    // go cannot tell a failure's message from what the test logs.
    expect(digest?.promise).toMatch(
      /^Every line with the name, message or place of a failure \(.*\) is shown\.( \d+ lines of these are shortened \(…\)\.)?$/,
    );
  });

  test("fits, begins and ends as the output, and shows only lines of it, in their order", () => {
    expect(digest?.text.length).toBeLessThanOrEqual(MAX);
    const lines = text.split("\n");
    const shown = digest?.text.split("\n") ?? [];
    expect(shown[0]).toBe(lines[0]);
    expect(shown.at(-1)).toBe(lines.findLast((line, at) => line !== "" || at < lines.length - 1));
    let at = 0;
    let omitted = 0;
    let kept = 0;
    for (const line of shown) {
      const gap = /^\[… (\d+) lines? …\]$/.exec(line)?.[1];
      if (gap !== undefined) {
        at += Number(gap);
        omitted += Number(gap);
      } else {
        const whole = lines[at++] ?? "";
        expect(line === whole || (line.endsWith("…") && whole.startsWith(line.slice(0, -1)))).toBe(true);
        kept += line === whole ? line.length + 1 : line.length - 1;
      }
    }
    expect(omitted).toBe(digest?.omitted.lines);
    expect(digest?.omitted.characters).toBe(text.length + (text.endsWith("\n") ? 0 : 1) - kept);
  });
});

describe.each(names)("the recorded output of %s, of which less than fits is enough", (name) => {
  const { text, failures } = recorded(name);
  const [whole, digest] = [digestOf(text), digestOf(text, MAX, 65_536, { known: 6_000, other: 6_000 })];

  test("keeps the name, message and place of every failure, and the summary, all the same", () => {
    const missing = failures.flatMap((failure) =>
      [failure.name, failure.message, failure.place].filter((part) => digest?.text.includes(part) !== true),
    );
    expect(missing).toEqual([]);
    expect(digest?.text).toMatch(SUMMARIES[name] ?? /./);
    expect(digest?.promise).toMatch(/^Every (?:line with the name, message or place of a )?failure \(.*\) is shown/);
    expect(digest?.text.split("\n")[0]).toBe(text.split("\n")[0]);
  });

  test("is shorter by details, head and tail", () => {
    expect(digest?.text.length).toBeLessThanOrEqual(Math.min(19_000, whole?.text.length ?? 0));
  });
});

describe("tests that passed and steps that were done", () => {
  const steps = Array.from({ length: 300 }, (_, at) => `[${at}/300] Building CXX object src/a${at}.cc.o\n`).join("");

  test("are left out, and nothing else", () => {
    const digest = digestOf(`configured\n${steps}src/b.cc:3: note: a remark\n${steps}done\n`);
    expect(digest?.text).toBe("configured\n[… 300 lines …]\nsrc/b.cc:3: note: a remark\n[… 300 lines …]\ndone");
    expect(digest).toMatchObject({
      isCalm: true,
      isKnown: false,
      omitted: { lines: 600, characters: 2 * steps.length },
    });
  });

  test("are shown as the first and the last line", () => {
    expect(digestOf(steps)?.text).toBe(
      "[0/300] Building CXX object src/a0.cc.o\n[… 298 lines …]\n[299/300] Building CXX object src/a299.cc.o",
    );
  });

  test("are shown where they are a failure's own lines", () => {
    const text = `${steps}src/b.cc:3:1: error: no such thing\n    3 | thing();\n      | ^~~~~\n${steps}`;
    const digest = digestOf(text);
    expect(digest?.text).toContain("src/b.cc:3:1: error: no such thing");
    expect(digest).toMatchObject({ isKnown: true });
  });

  test("are not all that is left out if something else does not fit", () => {
    expect(digestOf(`${steps}${"some text\n".repeat(5_000)}`)?.isCalm).toBe(false);
  });
});

describe("too many failures for the room", () => {
  test.each(["vitest", "pytest", "eslint", "gcc", "cargo"])(
    "%s keeps every name, and says what is shortened",
    (name) => {
      const { text, failures } = recorded(name);
      const digest = digestOf(text, 6_000);
      expect(digest?.text.length).toBeLessThanOrEqual(6_000);
      expect(failures.filter((failure) => digest?.text.includes(failure.name) !== true)).toEqual([]);
    },
  );

  test("of which not even the names fit: as many as fit, and the number of the others", () => {
    const text = Array.from({ length: 5_000 }, (_, at) => `src/file${at}.ts(1,2): error TS2322: Wrong ${at}.\n`).join(
      "",
    );
    const digest = digestOf(text);
    expect(digest?.text.length).toBeLessThanOrEqual(MAX);
    // Each that is shown is whole.
    const [, shown] = /^(\d+) of 5000 failures \(tsc\) are shown\.$/.exec(digest?.promise ?? "") ?? [];
    expect(digest?.text.match(/error TS2322/g)?.length).toBe(Number(shown));
    expect(5_000 - Number(shown)).toBeLessThan(4_850);
  });
});

describe("a form that is not recorded (written as its documentation shows it)", () => {
  const noise = Array.from({ length: 2_000 }, (_, at) => `ok, step ${at} is done, and nothing is wrong with it\n`).join(
    "",
  );
  const samples: { name: string; program: string; text: string; keeps: string[] }[] = [
    {
      name: "rspec",
      program: "rspec",
      text: "Failures:\n\n  1) Order adds up\n     Failure/Error: expect(sum).to eq(3)\n\n       expected: 3\n            got: 4\n     # ./spec/order_spec.rb:5:in `block'\n\nFinished in 0.1 seconds\n3 examples, 1 failure\n\nrspec ./spec/order_spec.rb:4 # Order adds up\n",
      keeps: ["  1) Order adds up", "expected: 3", "./spec/order_spec.rb:5", "3 examples, 1 failure"],
    },
    {
      name: "gradle's tests",
      program: "gradle",
      text: "> Task :test FAILED\n\nOrderTest > addsUp() FAILED\n    org.opentest4j.AssertionFailedError: expected: <3> but was: <4>\n        at app//OrderTest.addsUp(OrderTest.java:12)\n\n3 tests completed, 1 failed\n\nBUILD FAILED in 2s\n",
      keeps: [
        "OrderTest > addsUp() FAILED",
        "expected: <3> but was: <4>",
        "OrderTest.java:12",
        "3 tests completed, 1 failed",
      ],
    },
    {
      name: "dotnet test",
      program: "dotnet",
      text: "  Failed Orders.Tests.AddsUp [12 ms]\n  Error Message:\n   Assert.Equal() Failure: Values differ\nExpected: 3\n  Stack Trace:\n     at Orders.Tests.AddsUp() in /src/OrderTests.cs:line 12\n\nFailed!  - Failed:     1, Passed:     2, Skipped:     0\n",
      keeps: [
        "Failed Orders.Tests.AddsUp [12 ms]",
        "Assert.Equal() Failure: Values differ",
        "OrderTests.cs:line 12",
        "Failed!  - Failed:     1",
      ],
    },
    {
      name: "dotnet build",
      program: "dotnet",
      text: "/src/Order.cs(3,5): error CS1002: ; expected [/src/Order.csproj]\n",
      keeps: ["/src/Order.cs(3,5): error CS1002: ; expected"],
    },
    {
      name: "tsc with pretty",
      program: "tsc",
      text: "src/a.ts:3:5 - error TS2322: Type 'string' is not assignable.\n\n3   a = \"\";\n    ~\n\nFound 1 error in src/a.ts:3\n",
      keeps: ["src/a.ts:3:5 - error TS2322: Type 'string' is not assignable.", "Found 1 error"],
    },
    {
      name: "the linker",
      program: "gcc or clang",
      text: "/usr/bin/ld: a.o: in function `main':\na.c:(.text+0x9): undefined reference to `missing'\ncollect2: error: ld returned 1 exit status\nmake: *** [Makefile:2: a] Error 1\n",
      keeps: [
        "undefined reference to `missing'",
        "collect2: error: ld returned 1 exit status",
        "make: *** [Makefile:2: a] Error 1",
      ],
    },
    {
      name: "JUnit XML",
      program: "JUnit XML",
      text: [
        '        <testcase classname="a.test.ts" name="adds up" time="0.01"></testcase>',
        '        <testcase classname="a.test.ts" name="takes away" time="0.01">',
        '            <failure message="expected 3 to be 4" type="AssertionError">',
        "AssertionError: expected 3 to be 4",
        " ❯ src/a.test.ts:3:62",
        "            </failure>",
        "        </testcase>",
        "",
      ].join("\n"),
      keeps: ['name="takes away"', 'message="expected 3 to be 4"', "src/a.test.ts:3:62"],
    },
    {
      name: "vitest that was cut off",
      program: "vitest",
      text: "   × adds up 3ms\n     → expected 3 to be 4\n",
      keeps: ["   × adds up 3ms"],
    },
  ];
  test.each(samples)("$name", ({ program, text, keeps }) => {
    const digest = digestOf(`${noise}${text}${noise}`, 6_000);
    expect(keeps.filter((part) => digest?.text.includes(part) !== true)).toEqual([]);
    expect(digest?.promise).toContain(program);
  });
});

describe("the output of an unknown program", () => {
  const quiet = Array.from({ length: 5_000 }, (_, at) => `step ${at}: all is well, 0 errors, no failures\n`);

  test("keeps lines that look like errors", () => {
    const lines = [...quiet];
    lines[2_500] = "step 2500: ERROR the disk is on fire\n";
    const digest = digestOf(lines.join(""));
    expect(digest?.text).toContain("step 2500: ERROR the disk is on fire");
    expect(digest?.promise).toBe("The only line that looks like an error is shown.");
  });

  test.each([
    "E: Unable to locate package zlib",
    "Segmentation fault (core dumped)",
    "✗ should do it",
    "npm ERR! code E404",
    "ld.lld: undefined symbol, undefined reference to foo",
    "thread 'main' panicked at src/main.rs:2:5:",
    "bash: foo: command not found",
    "cat: x: No such file or directory",
    "git@host: Permission denied (publickey).",
    "curl: (6) Could not resolve host: x",
    "Unable to connect to the server: the request timed out",
  ])("keeps %j", (line) => {
    const lines = [...quiet];
    lines[2_500] = `${line}\n`;
    const digest = digestOf(lines.join(""));
    expect(digest?.text).toContain(`\n${line}\n`);
    expect(digest?.promise).toBe("The only line that looks like an error is shown.");
  });

  test.each([
    {
      what: "Node",
      trace: ["Uncaught TypeError: x is not a function", "    at foo (/work/a.js:3:4)", "    at bar (/work/a.js:9:1)"],
      keeps: 3,
    },
    {
      what: "Python",
      trace: [
        "Traceback (most recent call last):",
        '  File "a.py", line 3, in <module>',
        "    foo()",
        '  File "b.py", line 9, in foo',
        "    raise ValueError(3)",
        "ValueError: bad thing",
      ],
      keeps: 4,
    },
    {
      what: "Java",
      trace: [
        "java.lang.IllegalStateException: x",
        ...Array.from({ length: 90 }, (_, at) => `\tat a.B.c(B.java:${at})`),
      ],
      keeps: 6,
    },
  ])("keeps the first places of a trace of $what", ({ trace, keeps }) => {
    const lines = [...quiet];
    lines.splice(2_500, 1, ...trace.map((line) => `${line}\n`));
    const digest = digestOf(lines.join(""));
    const places = trace.filter((line) => !line.startsWith("    foo") && !line.startsWith("    raise"));
    expect(places.filter((line) => digest?.text.includes(line) === true)).toEqual(places.slice(0, keeps));
  });

  test("that names failures as a known one does keeps what looks like errors, too, and promises no more", () => {
    const lines = [...quiet];
    lines[2_000] = "FAIL test_adds\n";
    lines[2_001] = "  the sum could not be computed\n";
    lines[3_000] = "FAIL test_subtracts\n";
    const digest = digestOf(lines.join(""));
    expect(digest?.text).toContain("FAIL test_adds\n  the sum could not be computed\n");
    expect(digest?.text).toContain("FAIL test_subtracts\n");
    expect(digest?.promise).toBe(
      "Every line with the name of a failure (jest), or that looks like an error, is shown.",
    );
  });

  test("has no digest if nothing looks like one", () => {
    expect(digestOf(quiet.join(""))).toBeUndefined();
  });

  test("with very many such lines keeps the first and the last", () => {
    const digest = digestOf(Array.from({ length: 100_000 }, (_, at) => `error number ${at}\n`).join(""));
    expect(digest?.text.length).toBeLessThanOrEqual(MAX);
    expect(digest?.text).toContain("error number 0\n");
    expect(digest?.text).toMatch(/error number 99999$/);
    expect(digest?.promise).toMatch(/ of 100000 lines that look like errors are shown\.$/);
  });
});

test("chunks may end anywhere", () => {
  const { text } = recorded("mypy");
  const whole = digestOf(text);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), (chunk) => {
      expect(digestOf(text, MAX, chunk)).toEqual(whole);
    }),
    { numRuns: 20 },
  );
});

test("nothing is said of lines too long to hold: the report of a whole run as JSON in one of them", () => {
  const report = JSON.stringify({
    tests: Array.from({ length: 900 }, (_, at) => ({ name: `test ${at}`, ok: at !== 700 })),
  });
  expect(digestOf(`   Compiling alpha v1.0.0\n${report}\n`)).toBeUndefined();
});

test("a line of megabytes is cut, and counted", () => {
  const text = `${"x".repeat(5_000_000)}\nerror: it failed\n${"y".repeat(5_000_000)}\n`;
  const digest = digestOf(text);
  expect(digest?.text.length).toBeLessThanOrEqual(MAX);
  expect(digest?.text).toContain("\nerror: it failed\n");
  expect(digest?.omitted.characters).toBeGreaterThan(9_990_000);
});

test("a line that looks like an error and is too long to hold is said to be shortened", () => {
  const report = `{"tests":[${'{"status":"failed"},'.repeat(4_000)}]}`;
  expect(digestOf(`${report}\n`)?.promise).toBe(
    "The only line that looks like an error is shown. 1 line of these is shortened (…).",
  );
});

test.each([
  ["pytest's summary", `= t${" error s".repeat(120)}${" in s".repeat(220)}`],
  ["pytest's progress", `.${"AILED.py::".repeat(199)}`],
  ["mypy's errors", `a${":0: error: ".repeat(180)}`],
  ["dotnet's tests", ` Failed a${"[(".repeat(990)}`],
  ["ctest's list", `\t0 - (${" (ExceptionU".repeat(160)}`],
  ["gcc's places", `a${":1".repeat(990)}`],
])("a hostile program whose lines nearly are %s does not hold up the thread that reads", (_what, line) => {
  const digest = digestOf(`${line}\u0000\n`.repeat(2_000));
  expect(digest?.text.length ?? 0).toBeLessThanOrEqual(MAX);
});

/** Returns the lines of a digest, those with several names once for each: `customer {1 | 2}`. */
function unfolded(text = ""): string[] {
  return text.split("\n").flatMap((line) => {
    const [, head = "", parts, tail = ""] = /^(.*?)\{(.* \| .*)\}(.*)$/.exec(line) ?? [];
    return parts === undefined ? [line] : parts.split(" | ").map((part) => head + part + tail);
  });
}

test("hundreds of failures of pytest are shown by their list, with each kind of message", () => {
  const failures = Array.from({ length: 150 }, (_, index) => ({
    name: `test_case_number_${index}`,
    message:
      index % 50 === 0
        ? `TypeError: kind${"x".repeat(index / 50)} is not callable`
        : `AssertionError: assert ${index} == 1`,
  }));
  const sections = failures.map(
    ({ name, message }, index) =>
      `${"_".repeat(30)} ${name} ${"_".repeat(30)}\n\n    def ${name}(runner):\n        """doc"""\n>       assert f(${index}) == 1\nE       ${message}\n\ntests/test_options.py:${index}: Error\n`,
  );
  const list = failures.map(({ name, message }) => `FAILED tests/test_options.py::${name} - ${message}\n`);
  const digest = digestOf(
    `${"=".repeat(30)} FAILURES ${"=".repeat(30)}\n${sections.join("")}${"=".repeat(20)} short test summary info ${"=".repeat(20)}\n${list.join("")}${"=".repeat(20)} 150 failed in 2.31s ${"=".repeat(20)}\n`,
  );
  for (const { name } of failures) {
    expect(unfolded(digest?.text).filter((line) => line.includes(`::${name} - `))).toHaveLength(1);
  }
  for (const kind of ["AssertionError: assert", "kind is", "kindx is", "kindxx is"]) {
    expect(digest?.text).toMatch(new RegExp(`^E {7}.*${kind}`, "m"));
  }
});

describe("many failures of one cause", () => {
  const noise = "some output of the program that is tested\n".repeat(200);
  const vitest = (names: readonly string[], message: (at: number) => string, place: (at: number) => string): string =>
    `⎯⎯⎯⎯⎯⎯⎯ Failed Tests ${names.length} ⎯⎯⎯⎯⎯⎯⎯\n${names
      .map(
        (name, at) =>
          ` FAIL  test/order.test.ts > ${name}\nTypeError: ${message(at)}\n ❯ total src/order.ts:7:13\n ❯ sum src/sum.ts:3:5\n ❯ ${place(at)}\n\n⎯⎯⎯⎯[${at}/9]⎯\n`,
      )
      .join("\n")} Test Files  1 failed (1)\n      Tests  ${names.length} failed (${names.length})\n`;
  const names = Array.from({ length: 63 }, (_, at) => `adds up the orders of customer ${at}`);
  const enough = { known: 6_000, other: 12_000 };

  test("have their message and trace once, and every name", () => {
    const text = vitest(
      names,
      (at) => `Cannot read '${at}' of undefined (reading ${at})`,
      () => "test/order.test.ts:9:3",
    );
    const digest = digestOf(noise + text, MAX, 65_536, enough);
    const lines = unfolded(digest?.text);
    expect(names.filter((name) => !lines.includes(` FAIL  test/order.test.ts > ${name}`))).toEqual([]);
    expect(digest?.text.match(/src\/order\.ts:7:13/g)).toHaveLength(1);
    expect(digest?.text).toMatch(
      /\n FAIL {2}test\/order\.test\.ts > adds up the orders of customer \{3 \| 4 \|.* \| 62\}\n\[… \d+ lines, as of FAIL {2}test\/order\.test\.ts > adds up the orders of customer 0 …\]\n/,
    );
    expect(digest?.text.length).toBeLessThan(6_500);
    expect(digest?.promise).toBe(
      "Every failure (vitest) is shown with its name and place; a message or trace that several share is shown once. Messages of 60 failures differ from one shown in numbers or quoted texts alone. Names that differ in a part are on one line: {one | another}.",
    );
  });

  test("that vitest lists above one trace are on one line", () => {
    const lines = (file: number): string[] => [
      ...names.map((name) => ` FAIL  test/order${file}.test.ts > ${name}`),
      "TypeError: Cannot read x of undefined",
      " ❯ total src/order.ts:7:13",
      "      6|   let sum = 0;",
      "      7|   sum += order.x.y;",
      "       |                ^",
      ` ❯ test/order${file}.test.ts:9:3`,
      "",
      `⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[${file}/3]⎯`,
      "",
    ];
    const text = [...lines(1), ...lines(2), ...lines(3), " Test Files  3 failed (3)", ""].join("\n");
    const digest = digestOf(text, MAX, 65_536, enough);
    expect(digest?.text).not.toContain("⎯");
    expect(digest?.text.match(/order\.x\.y/g)).toHaveLength(1);
    expect(digest?.text.match(/order\d\.test\.ts:9:3/g)).toHaveLength(3);
    const shown = unfolded(digest?.text);
    expect([1, 2, 3].flatMap(lines).filter((line) => line.startsWith(" FAIL") && !shown.includes(line))).toEqual([]);
    expect(digest?.text.length).toBeLessThan(2_000);
    const gaps = [...(digest?.text.matchAll(/^\[… (\d+) lines?/gm) ?? [])].reduce(
      (sum, [, lines]) => sum + Number(lines),
      0,
    );
    expect(gaps).toBe(digest?.omitted.lines);
  });

  test("are named with the first ones and the last one if there are too many, and the others counted", () => {
    const many = Array.from({ length: 2_000 }, (_, at) => `adds up the orders of customer ${at}`);
    const text = vitest(
      many,
      () => "Cannot read x of undefined",
      () => "test/order.test.ts:9:3",
    );
    const digest = digestOf(text, MAX, 65_536, enough);
    const [, counted] = /… (\d+) more … \| 1999\}\n/.exec(digest?.text ?? "") ?? [];
    const shown = new Set(unfolded(digest?.text));
    expect(many.filter((name) => !shown.has(` FAIL  test/order.test.ts > ${name}`))).toHaveLength(Number(counted));
    expect(digest?.promise).toMatch(
      new RegExp(`^${2_000 - Number(counted)} of 2000 failures \\(vitest\\) are shown\\.`),
    );
    expect(digest?.promise).not.toContain("left out");
    expect(digest?.text.length).toBeLessThan(9_000);
  });

  test("keep their own places", () => {
    const digest = digestOf(
      vitest(
        names,
        () => "Cannot read x of undefined",
        (at) => `test/order.test.ts:${at}:3`,
      ),
      MAX,
      65_536,
      enough,
    );
    expect(names.filter((_, at) => digest?.text.includes(` ❯ test/order.test.ts:${at}:3`) !== true)).toEqual([]);
    expect(digest?.text.match(/src\/sum\.ts:3:5/g)).toHaveLength(1);
  });

  test("of another message are shown with it", () => {
    const text = vitest(
      names,
      (at) => (at === 41 ? "the disk is full" : "Cannot read x of undefined"),
      () => "test/order.test.ts:9:3",
    );
    expect(digestOf(text, MAX, 65_536, enough)?.text).toContain(
      `> ${names[41]}\nTypeError: the disk is full\n ❯ total src/order.ts:7:13\n`,
    );
  });

  test("keep their values while they are few", () => {
    const few = names.slice(0, 20).map((name) => `${name}${" and all the others".repeat(10)}`);
    const text = vitest(
      few,
      (at) => `expected ${at} to be 3`,
      () => "test/order.test.ts:9:3",
    );
    const digest = digestOf(text, MAX, 65_536, enough);
    expect(few.filter((_, at) => digest?.text.includes(`expected ${at} to be 3`) !== true)).toEqual([]);
  });

  test("are not taken for one if their messages were cut", () => {
    const long = Array.from({ length: 30 }, (_, at) => `- line ${at} of a value that is long enough\n`).join("");
    const text = names
      .map(
        (name, at) => ` FAIL  test/order.test.ts > ${name}\nTypeError: x\n${long}+ but it is word${"y".repeat(at)}\n\n`,
      )
      .join("");
    const digest = digestOf(text, MAX, 65_536, enough);
    expect(digest?.text).not.toContain("the same");
    expect(names.filter((name) => digest?.text.includes(`> ${name}\n`) !== true)).toEqual([]);
  });
});

describe("hundreds of errors that differ in their places alone", () => {
  const enough = { known: 6_000, other: 12_000 };

  test("are on few lines, and those left out are counted", () => {
    const text = Array.from(
      { length: 720 },
      (_, at) => `src/module${Math.floor(at / 12)}.ts(${(at % 12) + 1},14): error TS2322: Type 'a' is not type 'b'.\n`,
    ).join("");
    const digest = digestOf(text, MAX, 65_536, enough);
    expect(digest?.text).toMatch(
      /^\{src\/module0\.ts\(1,14\) \| \(2,14\) \|.* \| src\/module1\.ts\(1,14\) \|.*\}: error TS2322: Type 'a' is not type 'b'\.\n/,
    );
    expect(digest?.text.length).toBeLessThan(7_500);
    const places = digest?.text.match(/\(\d+,14\)/g)?.length ?? 0;
    expect(digest?.promise).toContain(`${places} of 720 failures (tsc) are shown.`);
    expect(digest?.promise).not.toContain("left out");
    expect(digest?.isCalm).toBe(false);
  });

  test.each([
    ["src/my dir/f", ".py:", "mypy", (file: string) => `${file}7: error: Name "x" is not defined  [name-defined]`],
    [
      "C:\\Program Files (x86)\\new one\\f",
      ".ts(",
      "tsc",
      (file: string) => `${file}7,5): error TS2304: Cannot find x.`,
    ],
  ])("are on few lines if their path has spaces: %s", (begin, end, program, error) => {
    const text = Array.from({ length: 200 }, (_, at) => `${error(`${begin}${at}${end}`)}\n`).join("");
    const digest = digestOf(text, MAX, 65_536, enough);
    const [rest = ""] = /:? .*$/.exec(error("")) ?? [];
    expect(digest?.text.startsWith(`{${begin}0${end}7`)).toBe(true);
    expect(digest?.text).toContain(` | ${begin}1${end}7`);
    expect(digest?.text.split(rest).length).toBeLessThan(10);
    expect(digest?.promise).toMatch(new RegExp(`\\(${program}\\).* (?:is|are) shown`));
  });

  test.each([
    [
      "ruff",
      "my dir/Note Book.ipynb:cell 1:1:8: F401 [*] `os` imported but unused\nmy dir/my file.py:2:5: F821 Undefined name `x`\nFound 2 errors.\n",
      ["Note Book.ipynb:cell 1:1:8: F401", "my file.py:2:5: F821"],
    ],
    [
      "pytest",
      `=== FAILURES ===\n____ test_a ____\n\n    def test_a():\n>       assert 1 == 2\nE       assert 1 == 2\n\n${"    a line of code\n".repeat(2_000)}\nmy dir/test_a b.py:2: AssertionError\n=== short test summary info ===\nFAILED my dir/test_a b.py::test_a - assert 1 == 2\n=== 1 failed in 0.26s ===\n`,
      ["E       assert 1 == 2", "my dir/test_a b.py:2: AssertionError", "FAILED my dir/test_a b.py::test_a"],
    ],
    [
      "rspec",
      "Failures:\n\n  1) adds\n     Failure/Error: expect(1).to eq(2)\n     # ./spec/my dir/a_spec.rb:3:in `block'\n\nFinished in 0.01 seconds\n1 example, 1 failure\n\nFailed examples:\n\nrspec ./spec/my dir/a_spec.rb:3 # adds\n",
      ["# ./spec/my dir/a_spec.rb:3:in", "rspec ./spec/my dir/a_spec.rb:3 # adds"],
    ],
  ])("are read if their path has spaces: %s", (program, failures, shown) => {
    const rest = Array.from({ length: 20_000 }, (_, at) => `a line of another step ${at}\n`).join("");
    const digest = digestOf(rest + failures + rest);
    expect(shown.filter((text) => digest?.text.includes(text) !== true)).toEqual([]);
    expect(digest?.promise).toContain(`(${program})`);
  });

  test("are not taken for ones in files whose path has spaces if it is a time that differs", () => {
    const text = Array.from({ length: 200 }, (_, at) => `not ok ${at + 1} - opens at ${at % 24}:30 on Mondays\n`).join(
      "",
    );
    expect(digestOf(text, MAX, 65_536, enough)?.text).toMatch(/^not ok 1 - opens at 0:30 on Mondays\n|opens at \{/);
  });

  test("stay under the name of their file, and what is only shortened is not called calm", () => {
    const file = (at: number): string =>
      `/project/src/file${at}.ts\n${[1, 2, 3, 4, 5, 6].map((line) => `  ${line}:7  error  'x' is assigned a value but never used  no-unused-vars\n`).join("")}  9:9  error  'y${at}' is not defined  no-undef\n\n`;
    const text = `${Array.from({ length: 60 }, (_, at) => file(at)).join("")}✖ 420 problems (420 errors, 0 warnings)\n`;
    const digest = digestOf(text, 9_000, 65_536, enough);
    expect(digest?.text).toMatch(
      /\/file7\.ts\n {2}\{1:7 \| 2:7 \| 3:7 \| 4:7 \| 5:7 \| 6:7\} {2}error {2}'x' is .*\n {2}9:9 {2}error {2}'y7' /,
    );
    expect(digest?.isCalm).toBe(false);
    expect(digest?.promise).not.toContain("node:test");
  });

  test("are not said to be whole if there were too many messages to hold", () => {
    const text = Array.from(
      { length: 1_600 },
      (_, at) => `src/module${at}.c:${at + 1}:5: error: too few arguments\n      |   ^${"~".repeat(1_900)}\n`,
    ).join("");
    // Every line that is held has room.
    expect(digestOf(text, 5_000_000, 65_536, enough)?.promise).toMatch(
      /^\d+ of 1600 failures \(gcc or clang\) are shown, some without their messages and places\./,
    );
  });

  test("are shown once with their source", () => {
    const text = `${Array.from(
      { length: 300 },
      (_, at) =>
        `src/f${at % 20}.c:${at + 1}:5: error: too few arguments to 'f'\n  ${at + 1} |   f();\n      |   ^~~\n`,
    ).join("")}make: *** [Makefile:2: all] Error 1\n`;
    const digest = digestOf(text, MAX, 65_536, enough);
    expect(digest?.text).toMatch(/^src\/f0\.c:1:5: error: .*\n {2}1 \| {3}f\(\);\n.*\n\{src\/f1\.c:2:5 \| /);
    expect(digest?.promise).toMatch(/^Every failure \(gcc or clang\) is shown/);
  });
});

describe("hundreds of failures of node:test", () => {
  const enough = { known: 6_000, other: 12_000 };
  const suite = (name: (at: number) => string, message: (at: number) => string): string => {
    const all = Array.from({ length: 700 }, (_, at) => at);
    const time = (at: number): string => `(${(at * 7919) % 13}.${at}ms)`;
    return [
      ...all.map((at) => `✖ ${name(at)} ${time(at)}`),
      "ℹ tests 700",
      "ℹ fail 700",
      "",
      "✖ failing tests:",
      ...all.map(
        (at) =>
          `\ntest at a.test.js:2:1\n✖ ${name(at)} ${time(at)}\n  Error: ${message(at)}\n      at f (a.test.js:3:4)`,
      ),
      "",
    ].join("\n");
  };

  test("of one cause are on few lines, in spite of the time that each took", () => {
    const digest = digestOf(
      suite(
        (at) => `parses order ${at} of the file`,
        () => "the total is wrong",
      ),
      MAX,
      65_536,
      enough,
    );
    expect(digest?.text).toMatch(/\{1 \| 2 \| 3 \|.*\} of the file\n/);
    expect(digest?.promise).toMatch(/^Every failure \(node:test\) is shown with its name and place;/);
    expect(digest?.promise).not.toContain("look like errors");
    expect(digest?.text.length).toBeLessThan(7_000);
  });

  test("of as many causes are named whole, as many as fit, and the others counted", () => {
    const word = (at: number): string =>
      String(at).replaceAll(/\d/g, (digit) => "abcdefghij".charAt(Number(digit)).repeat(20));
    const digest = digestOf(
      suite(word, (at) => `cannot read ${word(at * 7)}`),
      8_000,
      65_536,
      enough,
    );
    const named = digest?.text.match(/^test at .*\n✖ /gm)?.length ?? 0;
    expect(named).toBe(digest?.text.match(/^test at /gm)?.length);
    expect(digest?.promise).toMatch(
      new RegExp(`^${named} of 700 failures \\(node:test\\) are shown, some without their messages and places\\.`),
    );
  });
});

test.each([
  [
    "rspec",
    `Failures:\n\n${Array.from({ length: 90 }, (_, at) => `  ${at + 1}) Cart ${"item ".repeat(30)}${at}\n     Failure/Error: expect(${at}).to eq 2\n       expected: 2\n     # ./spec/a_spec.rb:${at}:in 'x'\n\n`).join("")}Finished in 1 s\n90 examples, 90 failures\n\n${Array.from({ length: 90 }, (_, at) => `rspec ./spec/a_spec.rb:${at} # Cart ${"item ".repeat(30)}${at}\n`).join("")}`,
  ],
  [
    "ctest",
    `${Array.from({ length: 90 }, (_, at) => `${at + 1}/90 Test #${at + 1}: ${"case_".repeat(30)}${at} .....***Failed 0.01 sec\n`).join("")}0% tests passed, 90 tests failed out of 90\n\nThe following tests FAILED:\n${Array.from({ length: 90 }, (_, at) => `\t ${at + 1} - ${"case_".repeat(30)}${at} (Failed)\n`).join("")}`,
  ],
  [
    "maven",
    `${Array.from({ length: 90 }, (_, at) => `[ERROR] ${"org.example.".repeat(9)}ATest.m${at}  Time elapsed: 0.01 s  <<< FAILURE!\njava.lang.AssertionError: ${at} of ${"y".repeat(at)}\n`).join("")}[ERROR] Tests run: 90, Failures: 90\n[ERROR] Failed to execute goal\n`,
  ],
])("what %s says twice of a failure is counted once", (program, text) => {
  const digest = digestOf(text, 3_000, 65_536, { known: 3_000, other: 3_000 });
  expect(digest?.promise).toContain(` of 90 failures (${program}) are shown`);
});

test("tests that passed are left out of pytest's lists", () => {
  const tests = Array.from({ length: 200 }, (_, at) => `test_order.py::test_adds_up[${at}]`);
  const digest = digestOf(
    `collected 200 items\n\n${tests.map((each) => `${each} PASSED   [ 50%]\n`).join("")}==== PASSES ====\n${tests.map((each) => `PASSED ${each}\n`).join("")}==== 200 passed in 0.44s ====\n`,
  );
  expect(digest?.text).toBe(
    "collected 200 items\n\n[… 200 lines …]\n==== PASSES ====\n[… 200 lines …]\n==== 200 passed in 0.44s ====",
  );
  expect(digest?.isCalm).toBe(true);
});

describe("what fails beside a known program", () => {
  const lines = (many: number): string =>
    Array.from({ length: many }, (_, at) => `[INFO] step ${at} of a build`).join("\n");
  const TSC = "src/x.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.";
  const around = (...parts: string[]): string =>
    parts.flatMap((part) => [lines(2_000), part]).join("\n") + `\n${lines(2_000)}\n`;
  const ENOUGH = { known: 6_000, other: 6_000 };

  test.each([
    ["before it", around("Error: connect ECONNREFUSED 10.0.0.5:5432", TSC), ["ECONNREFUSED", "TS2322"]],
    [
      "after it",
      around(
        "a.c:3:5: error: expected ';' before 'return'",
        'Traceback (most recent call last):\n  File "gen.py", line 3, in <module>\nValueError: bad table row 17',
        "make: *** [Makefile:20: table.h] Error 1",
      ),
      ["expected ';'", "bad table row 17", 'File "gen.py", line 3', "table.h] Error 1"],
    ],
    ["of another kind", around(TSC, 'psql: FATAL:  role "app" does not exist'), ["TS2322", "FATAL"]],
    [
      "that only seems one",
      around("panic: runtime gone", "Segmentation fault (core dumped)"),
      ["panic", "Segmentation"],
    ],
  ])("is shown, too: %s", (_, text, shown) => {
    const digest = digestOf(text, MAX, 65_536, ENOUGH);
    expect(shown.filter((each) => digest?.text.includes(each) !== true)).toEqual([]);
    expect(digest?.text.length).toBeLessThan(8_000);
    expect(digest?.promise).not.toContain("omitted");
  });

  test("is counted where it does not fit", () => {
    const errors = Array.from({ length: 3_000 }, (_, at) => `worker ${"x".repeat(at % 50)}: error ${at}`).join("\n");
    const digest = digestOf(around(TSC, errors), MAX, 65_536, ENOUGH);
    expect(digest?.text).toContain("TS2322");
    expect(digest?.promise).toMatch(/\d+ other lines that look like errors are omitted\.$/);
  });

  test("is not what passed", () => {
    const text = around(TSC, "✓ shows an error when the network fails (3 ms)", "ok 7 - fails without a name");
    expect(digestOf(text, MAX, 65_536, ENOUGH)?.promise).not.toContain("look");
  });
});
