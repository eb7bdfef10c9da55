import * as z from "zod";
import { choice } from "../../core/aliases.js";
import { defineTool } from "../../core/defineTool.js";
import type { ReportedProblem } from "../../ports/languageServers.js";
import { shorten } from "../../text/clip.js";
import { compareCodeUnits } from "../../text/nearest.js";
import { shownName } from "../../text/shownName.js";
import { count } from "../../text/words.js";
import { countFitting } from "../fs/answerSize.js";
import { statExisting } from "../fs/existing.js";
import { SERVER_TIMEOUT } from "./answers.js";

/** Problems in an answer by default, and at most. */
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;
/** Maximum characters of a message, and number of related places shown. */
const MAX_MESSAGE = 500;
const MAX_RELATED = 3;

const SEVERITIES = ["error", "warning", "information", "hint"] as const;

export const diagnostics = defineTool({
  name: "diagnostics",
  group: "code",
  title: "List problems",
  description:
    "List the errors and warnings that language servers and linters report, in a file or in a folder's open files. " +
    "Tools that change files report new ones themselves.",
  input: () =>
    z.object({
      path: z.string().optional().describe("File or folder. Default: the workspace."),
      severity: z
        .enum(SEVERITIES)
        .optional()
        .describe("Least severity: error, warning, information or hint. Default: warning."),
      limit: z.int().min(1).max(MAX_LIMIT).optional().describe(`Problems to return. Default: ${DEFAULT_LIMIT}.`),
      offset: z.int().min(0).optional().describe("Problems to skip."),
    }),
  aliases: {
    ...{ filePath: "path", file_path: "path", file: "path", filePaths: "path", uri: "path" },
    severity: choice({
      info: { severity: "information" },
      errors: { severity: "error" },
      warnings: { severity: "warning" },
    }),
  },
  output: () =>
    z.object({
      problems: z
        .array(
          z.object({
            path: z.string().describe("The file."),
            line: z.int().describe("1-based."),
            column: z.int().describe("1-based."),
            end_line: z.int().describe("Its last line."),
            severity: z.enum(SEVERITIES).describe("How bad it is."),
            message: z.string().describe("What is wrong."),
            source: z.string().optional().describe("Who reports it: ts, eslint."),
            code: z.string().optional().describe("Its code there."),
          }),
        )
        .describe("The problems returned."),
      total: z.int().describe("All of that severity."),
      next_offset: z.int().nullable().describe("null when nothing follows."),
      checked: z.boolean().describe("A server was seen to check the file; false for folders."),
    }),
  needs: ["files", "languageServers"],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  positional: ["path"],
  touches: ({ path = "." }) => [{ kind: "read", path, deep: true }],
  summary: ({ path }) => `List problems${path === undefined ? "" : ` in ${path}`}`,
  timeout: SERVER_TIMEOUT,
  expose: "optional",
  execute: async (
    { path = ".", severity = "warning", limit = DEFAULT_LIMIT, offset = 0 },
    { files, languageServers, signal },
  ) => {
    const at = await files.resolve(path);
    const isFile = (await statExisting(files, at)).kind !== "directory";
    const { problems, isChecked = false } = await languageServers.problems(at, isFile, signal);
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
  },
});

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
