import type { Report, ReportedProblem } from "./report.js";
import { at, firstText, listAt, textAt } from "./values.js";

/** Levels of Playwright's suites that are read. */
const MAX_DEPTH = 20;

/** Reads a test runner's JSON report; undefined if it is none. */
export function readTestReport(value: unknown): Report | undefined {
  return readJest(value) ?? readMocha(value) ?? readRspec(value) ?? readPytest(value) ?? readPlaywright(value);
}

/** Jest's format, which Vitest writes, too. */
function readJest(value: unknown): Report | undefined {
  const files = listAt(value, "testResults");
  const [failed, passed] = [at(value, "numFailedTests"), at(value, "numPassedTests")];
  if (files === undefined || typeof failed !== "number" || typeof passed !== "number") {
    return undefined;
  }
  const problems = files.flatMap((file) => {
    const path = textAt(file, "name");
    const tests = (listAt(file, "assertionResults") ?? []).filter((test) => at(test, "status") === "failed");
    const line = (test: unknown): string => {
      const found = at(test, "location.line");
      return typeof found === "number" ? `:${found}` : "";
    };
    return tests.length === 0 && at(file, "status") === "failed"
      ? [failure(path, textAt(file, "message"))]
      : tests.map((test) =>
          failure(
            `${firstText(textAt(test, "fullName"), textAt(test, "title"))} (${path}${line(test)})`,
            (listAt(test, "failureMessages") ?? []).join("\n"),
          ),
        );
  });
  return { program: "jest or vitest", problems, counts: `${failed} failed, ${passed} passed` };
}

function readMocha(value: unknown): Report | undefined {
  const failures = listAt(value, "failures");
  const passed = at(value, "stats.passes");
  if (failures === undefined || typeof passed !== "number") {
    return undefined;
  }
  const problems = failures.map((test) => {
    const [stack, message] = [textAt(test, "err.stack"), textAt(test, "err.message")];
    return failure(
      `${textAt(test, "fullTitle")} (${textAt(test, "file")})`,
      stack.includes(message) ? stack : `${message}\n${stack}`,
    );
  });
  return { program: "mocha", problems, counts: `${problems.length} failed, ${passed} passed` };
}

function readRspec(value: unknown): Report | undefined {
  const summary = textAt(value, "summary_line");
  const examples = listAt(value, "examples");
  if (examples === undefined || summary === "") {
    return undefined;
  }
  const problems = examples
    .filter((example) => at(example, "status") === "failed")
    .map((example) => {
      const place = `${textAt(example, "file_path")}:${String(at(example, "line_number"))}`;
      return failure(`${textAt(example, "full_description")} (${place})`, textAt(example, "exception.message"));
    });
  return { program: "rspec", problems, counts: summary };
}

/** The format of pytest-json-report. */
function readPytest(value: unknown): Report | undefined {
  const tests = listAt(value, "tests");
  const total = at(value, "summary.total");
  if (tests === undefined || typeof total !== "number") {
    return undefined;
  }
  const isBad = (phase: unknown): boolean => ["failed", "error"].includes(textAt(phase, "outcome"));
  const problems = [...(listAt(value, "collectors") ?? []), ...tests].filter(isBad).map((test) => {
    const phase = ["setup", "call", "teardown"].map((name) => at(test, name)).find(isBad);
    const place = `${textAt(phase, "crash.path")}:${String(at(phase, "crash.lineno"))}`;
    return failure(
      `${textAt(test, "nodeid")}${phase === undefined ? "" : ` (${place})`}`,
      [textAt(phase, "crash.message"), textAt(phase, "longrepr"), textAt(test, "longrepr")].join("\n"),
    );
  });
  return { program: "pytest", problems, counts: `${problems.length} failed of ${total}` };
}

function readPlaywright(value: unknown): Report | undefined {
  const suites = listAt(value, "suites");
  const failed = at(value, "stats.unexpected");
  if (suites === undefined || typeof failed !== "number") {
    return undefined;
  }
  const problems: ReportedProblem[] = [];
  const collect = (suite: unknown, titles: readonly string[], depth: number): void => {
    const path = [...titles, textAt(suite, "title")];
    for (const spec of listAt(suite, "specs") ?? []) {
      if (at(spec, "ok") === false) {
        const results = (listAt(spec, "tests") ?? []).flatMap((test) => listAt(test, "results") ?? []);
        const error = results.map((result) => at(result, "error")).findLast((each) => each !== undefined);
        const place = `${textAt(spec, "file")}:${String(at(spec, "line"))}`;
        const name = [...path, textAt(spec, "title")].filter((part) => part !== "").join(" › ");
        problems.push(failure(`${name} (${place})`, firstText(textAt(error, "stack"), textAt(error, "message"))));
      }
    }
    if (depth < MAX_DEPTH) {
      (listAt(suite, "suites") ?? []).forEach((inner) => collect(inner, path, depth + 1));
    }
  };
  suites.forEach((suite) => collect(suite, [], 0));
  return { program: "playwright", problems, counts: `${failed} failed` };
}

function failure(title: string, message: string): ReportedProblem {
  return { title: title.trim().replaceAll("\n", " "), details: message.trim().split("\n"), isFailure: true };
}
