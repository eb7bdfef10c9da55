import { describe, expect, test } from "vitest";
import { isCalm } from "../../../../src/text/output/calmLines.js";

/** Lines as the programs wrote them (recorded in November 2026). */
const CALM: Readonly<Record<string, string[]>> = {
  vitest: [" ✓ |main| src/utils/body.test.ts (39 tests) 285ms", "       ✓ handles extremely large input  916ms"],
  jest: ["PASS src/sum.test.js (5.1 s)", "    ✓ adds up (3 ms)"],
  "mocha, node:test": ["      ✔ adds up", "✔ adds up (1.5ms)"],
  pytest: [
    "tests/test_a.py::test_one[x-1] PASSED                              [ 50%]",
    "tests/test_a.py::test_two PASSED",
    "tests/test_options.py ........F.....x                               [ 12%]",
    "........................................................................ [ 21%]",
  ],
  unittest: ["test_one (test_a.Sums.test_one) ... ok"],
  "go test": ["=== RUN   TestSum/two", "    --- PASS: TestSum/two (0.00s)"],
  cargo: ["test tests::adds_up ... ok", "   Compiling serde v1.0.203", "   Compiling app v0.1.0 (/work/app)"],
  TAP: ["ok 12 - adds up", "    ok 1 adds up"],
  ctest: ["      Start  1: cJSON_test", " 1/23 Test  #1: cJSON_test .......................   Passed    0.01 sec"],
  maven: [
    "[INFO] Running com.example.OrderTest",
    "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in com.example.OrderTest",
    "[INFO] Downloading from central: https://repo.maven.apache.org/maven2/a.pom",
  ],
  gradle: ["OrdersTest > adds up PASSED", "> Task :compileJava", "> Task :test UP-TO-DATE"],
  phpunit: ["...............................................................  63 / 240 ( 26%)"],
  cmake: [
    "-- Performing Test FLAG_SUPPORTED_Wall - Success",
    "-- Detecting C compiler ABI info - done",
    "[  1%] Building C object CMakeFiles/cjson.dir/cJSON.c.o",
    "[100%] Built target misc_utils_tests",
  ],
  ninja: ["[12/340] Building CXX object src/a.cc.o"],
  make: ["make[1]: Entering directory '/work/app'"],
  pip: ["Collecting attrs>=21", "  Downloading attrs-23.2.0-py3-none-any.whl (60 kB)"],
  apt: [
    "Get:1 http://deb.debian.org/debian bookworm/main amd64 jq amd64 1.6-2.1 [64.9 kB]",
    "Setting up jq (1.6-2.1) ...",
  ],
};

/** What says something else, or may be a line of a file. */
const OTHERS = [
  "",
  " × adds up 3ms",
  " ❯ src/a.test.ts (15 tests | 5 failed) 313ms",
  "FAIL src/sum.test.js",
  "tests/test_a.py::test_one FAILED                                   [ 50%]",
  "not ok 12 - adds up",
  "ok 3 - adds up # TODO not yet",
  "ok 4 - adds up # SKIP no network",
  " 2/23 Test  #2: parse ............................***Failed    0.01 sec",
  "test tests::adds_up ... FAILED",
  "test_one (test_a.Sums.test_one) ... FAIL",
  "    --- FAIL: TestSum (0.00s)",
  "[INFO] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in com.example.OrderTest",
  "> Task :test FAILED",
  "-- Performing Test FLAG_SUPPORTED_Wcomma - Failed",
  "-- Looking for pthread_create - not found",
  "-- Build files have been written to: /work/build",
  "100% tests passed, 0 tests failed out of 23",
  "cJSON.c:12:3: warning: unused variable",
  "   Compiling takes long",
  "ok",
  "const ok = 1;",
];

describe.each(Object.entries(CALM))("%s", (_program, lines) => {
  test.each(lines)("%s", (line) => {
    expect(isCalm(line)).toBe(true);
  });
});

test.each(OTHERS)("not calm: %j", (line) => {
  expect(isCalm(line)).toBe(false);
});

test.each(["a::b PASSED", "✓ ", "/ ", " Passed", "... ok", "F".repeat(40), "[  ", ", Time", "Test  #1: "])(
  "lines of many %j are read in linear time",
  (part) => {
    const line = `${part.repeat(2_000)}\u0000`;
    for (const start of [
      "",
      " ",
      "1/2 Test #1: ",
      "a (b)",
      "-- Detecting ",
      "a::",
      "test ",
      "[INFO] Tests run: 1, Failures: 0, Errors: 0, ",
    ]) {
      expect(isCalm(start + line)).toBe(start === "-- Detecting " || (start.trim() === "" && part === "✓ "));
    }
  },
);
