import { count } from "../../words.js";
import type { Report, ReportedProblem } from "./report.js";
import { at, firstText, listAt, textAt } from "./values.js";

/** Where a linter's JSON report has what. Paths are those of `at`. */
interface LinterShape {
  program: string;
  /** The list of problems, or of files if there is `inner`. Empty if the report is that list. */
  list: string;
  /** The list of a file's problems. */
  inner?: string;
  /** Of a problem or, with `inner`, of a file. */
  file: string;
  line: string;
  /** What the first line is. Default 1. */
  firstLine?: number;
  column: string;
  rule: string;
  message: string;
  /** Absent if every problem fails the run. */
  severity?: string;
}

/** Severities that do not fail a run. */
const MILD = new Set<unknown>([
  ...["warning", "warn", "info", "information", "note", "style", "convention", "refactor", "hint", "none"],
  ...[0, 1],
]);

const PLACE = { line: "line", column: "column" };

const SHAPES: readonly LinterShape[] = [
  {
    program: "eslint",
    list: "",
    inner: "messages",
    file: "filePath",
    ...PLACE,
    rule: "ruleId",
    message: "message",
    severity: "severity",
  },
  {
    program: "stylelint",
    list: "",
    inner: "warnings",
    file: "source",
    ...PLACE,
    rule: "rule",
    message: "text",
    severity: "severity",
  },
  {
    program: "rubocop",
    list: "files",
    inner: "offenses",
    file: "path",
    line: "location.start_line",
    column: "location.start_column",
    rule: "cop_name",
    message: "message",
  },
  {
    program: "ruff",
    list: "",
    file: "filename",
    line: "location.row",
    column: "location.column",
    rule: "code",
    message: "message",
  },
  {
    program: "pylint",
    list: "",
    file: "path",
    ...PLACE,
    rule: "symbol",
    message: "message",
    severity: "type",
  },
  {
    program: "shellcheck",
    list: "",
    file: "file",
    ...PLACE,
    rule: "code",
    message: "message",
    severity: "level",
  },
  {
    program: "golangci-lint",
    list: "Issues",
    file: "Pos.Filename",
    line: "Pos.Line",
    column: "Pos.Column",
    rule: "FromLinter",
    message: "Text",
    severity: "Severity",
  },
  {
    program: "pyright",
    list: "generalDiagnostics",
    file: "file",
    line: "range.start.line",
    firstLine: 0,
    column: "range.start.character",
    rule: "rule",
    message: "message",
    severity: "severity",
  },
];

/** SARIF has a list of results for each run. */
const SARIF: Omit<LinterShape, "list"> = {
  program: "SARIF",
  file: "locations.0.physicalLocation.artifactLocation.uri",
  line: "locations.0.physicalLocation.region.startLine",
  column: "locations.0.physicalLocation.region.startColumn",
  rule: "ruleId",
  message: "message.text",
  severity: "level",
};

/** Reads a linter's JSON report; undefined if it is none. */
export function readLinterReport(value: unknown): Report | undefined {
  const runs = listAt(value, "runs")?.flatMap((run) => listAt(run, "results") ?? []);
  if (runs !== undefined && textAt(value, "version") !== "") {
    return reportOf(SARIF, runs);
  }
  for (const shape of SHAPES) {
    const entries =
      shape.list === "" ? (Array.isArray(value) ? (value as unknown[]) : undefined) : listAt(value, shape.list);
    if (entries !== undefined && entries.length > 0) {
      const report = reportOf(shape, entries);
      if (report !== undefined) {
        return report;
      }
    }
  }
  return undefined;
}

function reportOf(shape: Omit<LinterShape, "list">, entries: readonly unknown[]): Report | undefined {
  const { inner, file, program } = shape;
  const problems: ReportedProblem[] = [];
  for (const entry of entries) {
    const found = inner === undefined ? [entry] : listAt(entry, inner);
    const name = textAt(entry, file);
    if (found === undefined || name === "") {
      return undefined;
    }
    for (const each of found) {
      const problem = problemOf(shape, name, each);
      // Other lists have files and messages, too.
      if (problem === undefined || (inner === undefined && typeof at(each, shape.line) !== "number")) {
        return undefined;
      }
      problems.push(problem);
    }
  }
  const failed = problems.filter(({ isFailure }) => isFailure).length;
  const rest = problems.length - failed;
  return { program, problems, counts: `${count(failed, "error")}${rest === 0 ? "" : `, ${count(rest, "warning")}`}` };
}

function problemOf(
  { line, firstLine = 1, column, rule, message, severity }: Omit<LinterShape, "list">,
  file: string,
  value: unknown,
): ReportedProblem | undefined {
  const [text, row, start, kind, code] = [
    textAt(value, message),
    at(value, line),
    at(value, column),
    severity === undefined ? undefined : at(value, severity),
    at(value, rule),
  ];
  // A problem of a whole file has no line.
  if (text === "" || (typeof row !== "number" && row !== undefined && row !== null)) {
    return undefined;
  }
  const where = typeof row === "number" ? `:${row + 1 - firstLine}${typeof start === "number" ? `:${start}` : ""}` : "";
  const isFailure = !MILD.has(kind);
  const named = typeof code === "string" || typeof code === "number" ? ` ${code}:` : "";
  const level = isFailure ? "error" : firstText(typeof kind === "string" ? kind : "", "warning");
  const [first = "", ...more] = text.trim().split("\n");
  return { title: `${file}${where} ${level}${named} ${first}`, details: more, isFailure };
}
