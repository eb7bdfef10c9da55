import { plainTerminalText } from "../../terminal/text.js";
import { readLinterReport } from "./linters.js";
import type { Report } from "./report.js";
import { readTestReport } from "./testRunners.js";
import { at, textAt } from "./values.js";

/** Maximum characters of an output whose reports are read. */
export const MAX_REPORT = 10_000_000;
/** Maximum number of values over several lines that are tried: each may go to the end of the output. */
const MAX_TRIED = 10;
/** Before a failure's title: the form `JSON report` (../forms.ts). */
const FAILURE = "» ";
const WARNING = "· ";
const DETAIL = "    ";

/**
 * Rewrites JSON in an output as the lines in which a program would report the same: the reports of linters and test
 * runners, and the lines of `go test -json`, cargo and mypy. Everything else stays as it is.
 *
 * @returns undefined if there is nothing to rewrite
 */
export function expandReports(output: string): string | undefined {
  if (!/^\s*[[{]/m.test(output)) {
    return undefined;
  }
  const lines = output.split("\n");
  const result: string[] = [];
  let isAny = false;
  let tried = 0;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    let expanded: string[] | undefined;
    if (/^\s*[[{]/.test(line)) {
      expanded = expand(parsed(line));
      const isOpen = expanded === undefined && /^[[{]/.test(line) && !/[\]}]\s*$/.test(line.slice(1));
      if (isOpen && tried++ < MAX_TRIED) {
        const end = lines.findIndex((other, at) => at > index && /^[\]}]\s*$/.test(other));
        expanded = end < 0 ? undefined : expand(parsed(lines.slice(index, end + 1).join("\n")));
        index = expanded === undefined ? index : end;
      }
    }
    isAny ||= expanded !== undefined;
    result.push(...(expanded ?? [line]));
  }
  return isAny ? result.join("\n") : undefined;
}

/** Returns the lines that say what a JSON value says; undefined if it is not a report. */
function expand(value: unknown): string[] | undefined {
  if (typeof value !== "object" || value === null) {
    return undefined;
  }
  const event = eventLines(value);
  if (event !== undefined) {
    return event;
  }
  const report = readTestReport(value) ?? readLinterReport(value);
  return report === undefined ? undefined : linesOf(report);
}

/** Returns what is meant by a line of JSON that a program writes for each event. */
function eventLines(value: object): string[] | undefined {
  if (textAt(value, "Action") !== "" && textAt(value, "Time") + textAt(value, "Package") !== "") {
    return plainLines(textAt(value, "Output"));
  }
  if (textAt(value, "reason") !== "" && (at(value, "package_id") ?? at(value, "success")) !== undefined) {
    return plainLines(textAt(value, "message.rendered"));
  }
  const [file, severity, message] = [textAt(value, "file"), textAt(value, "severity"), textAt(value, "message")];
  const line = at(value, "line");
  return file !== "" && severity !== "" && message !== "" && typeof line === "number" && "hint" in value
    ? [`${file}:${line}: ${severity}: ${message.replaceAll("\n", " ")}  [${textAt(value, "code")}]`]
    : undefined;
}

function plainLines(text: string): string[] {
  return text === "" ? [] : plainTerminalText(text).replace(/\n$/, "").split("\n");
}

function linesOf({ program, problems, counts }: Report): string[] {
  // Without failures, its warnings are what there is to see.
  const isFailed = problems.some(({ isFailure }) => isFailure);
  return [
    ...problems.flatMap(({ title, details, isFailure }) => [
      (isFailure || !isFailed ? FAILURE : WARNING) + plainLines(title).join(" "),
      ...details.flatMap((detail) => plainLines(detail).map((line) => DETAIL + line)),
    ]),
    `[JSON report of ${program}: ${counts}.]`,
  ];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
