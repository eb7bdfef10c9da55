import type { Files } from "../../../ports/files.js";
import type { LanguageServers, ReportedProblem } from "../../../ports/languageServers.js";
import { shorten } from "../../../text/clip.js";
import { compareCodeUnits } from "../../../text/nearest.js";
import { shownName } from "../../../text/shownName.js";
import { count } from "../../../text/words.js";
import { countFitting } from "../../fs/answerSize.js";
import { statExisting } from "../../fs/existing.js";
import { SEVERITIES } from "../severities.js";

/** Maximum characters of a message, and number of related places shown. */
const MAX_MESSAGE = 500;
const MAX_RELATED = 3;

interface ProblemsInput {
  path?: string | undefined;
  severity?: (typeof SEVERITIES)[number] | undefined;
  limit: number;
  offset?: number | undefined;
}

interface ProblemRow {
  path: string;
  line: number;
  column: number;
  end_line: number;
  severity: (typeof SEVERITIES)[number];
  message: string;
  source?: string;
  code?: string;
}

interface ProblemsAnswer {
  text: string;
  data: { problems: ProblemRow[]; total: number; next_offset: number | null; checked: boolean };
}

/** Lists the problems that language servers and linters report in a file, or in a folder's open files. */
export async function listProblems(
  { path = ".", severity = "warning", limit, offset = 0 }: ProblemsInput,
  { files, languageServers, signal }: { files: Files; languageServers: LanguageServers; signal: AbortSignal },
): Promise<ProblemsAnswer> {
  const at = await files.resolve(path);
  const isFile = (await statExisting(files, at)).kind !== "directory";
  const { problems, isChecked = false, restricted } = await languageServers.problems(at, isFile, signal);
  const least = SEVERITIES.indexOf(severity);
  const all = problems.filter((each) => SEVERITIES.indexOf(each.severity) <= least).sort(inOrder);
  const page = all.slice(offset, offset + limit);
  const rows = page.map((each) => described(each));
  const fitting = countFitting(rows.map(({ length }) => length));
  const next = offset + fitting < all.length && fitting > 0 ? offset + fitting : null;
  return {
    text: [
      ...rows.slice(0, fitting),
      ...remarks({ total: all.length, offset, fitting, next, isFile, isChecked, name: shownName(at.path) }),
      ...(restricted === undefined
        ? []
        : [
            `[${restricted} symbols, references, read and grep work; the user can trust the workspace (command “Workspaces: Manage Workspace Trust”).]`,
          ]),
    ].join("\n"),
    data: {
      problems: page
        .slice(0, fitting)
        .map(({ path: file, range: { start, end }, severity: bad, message, source, code }) => ({
          ...{ path: file, line: start.line, column: start.column, end_line: end.line, severity: bad, message },
          ...(source !== undefined && { source }),
          ...(code !== undefined && { code }),
        })),
      ...{ total: all.length, next_offset: next, checked: isChecked },
    },
  };
}

interface Told {
  total: number;
  offset: number;
  fitting: number;
  next: number | null;
  isFile: boolean;
  isChecked: boolean;
  name: string;
}

function remarks({ total, offset, fitting, next, isFile, isChecked, name }: Told): string[] {
  const counted =
    total === 0
      ? isChecked
        ? `[No problem in ${name}.]`
        : isFile
          ? `[No problem reported in ${name}, but no server was seen to check it.]`
          : "[No problem reported.]"
      : `[${next === null && offset === 0 ? count(total, "problem") : `Problems ${offset + 1}-${offset + fitting} of ${total}`}.${next === null ? "" : ` Continue with offset=${next}.`}]`;
  return [
    counted,
    ...(isFile ? [] : ["[Most servers check only files that are open. Give a file to have it checked.]"]),
  ];
}

function described({ path, range: { start }, severity, message, source, code, related }: ReportedProblem): string {
  const origin = [source, code].filter((part) => part !== undefined).join(" ");
  const where = related
    .slice(0, MAX_RELATED)
    .map((each) => `\n  ${shownName(each.path)}:${each.line}: ${oneLine(each.message)}`);
  return `${shownName(path)}:${start.line}:${start.column} ${severity}: ${oneLine(message)}${origin === "" ? "" : ` (${origin})`}${where.join("")}`;
}

function oneLine(message: string): string {
  return shorten(message.replace(/\s+/g, " "), MAX_MESSAGE);
}

/** Errors first, then by file and line. */
function inOrder(a: ReportedProblem, b: ReportedProblem): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    compareCodeUnits(a.path, b.path) ||
    a.range.start.line - b.range.start.line
  );
}
