import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import type { CodeSymbol, FoundSymbol } from "../../ports/code.js";
import { compareCodeUnits } from "../../text/nearest.js";
import { shownName } from "../../text/shownName.js";
import { isNamed, nameParts } from "../../text/symbolNames.js";
import { count } from "../../text/words.js";
import { countFitting } from "../fs/answerSize.js";
import { statExisting } from "../fs/existing.js";
import { SERVER_TIMEOUT, sourceRemarks, theAnswer } from "./answers.js";
import { SourceLines } from "./sourceLines.js";

/** Symbols in an answer by default, and at most. */
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

export const symbols = defineTool({
  name: "symbols",
  group: "code",
  title: "List symbols",
  description:
    "Outline a file: its classes, functions and other symbols, nested, each with its lines and first line of code. " +
    "Or, with query, find where symbols are declared in the workspace or a folder, by name or part of a name.",
  input: () =>
    z.object({
      path: z.string().optional().describe("File to outline, or folder to search. Default: the workspace."),
      query: z.string().optional().describe("Name to find: Router, Router.match."),
      kind: z.string().optional().describe("Only this kind: class, function, method, interface or another."),
      limit: z.int().min(1).max(MAX_LIMIT).optional().describe(`Symbols to return. Default: ${DEFAULT_LIMIT}.`),
      offset: z.int().min(0).optional().describe("Symbols to skip."),
    }),
  aliases: {
    ...{ name: "query", symbol: "query", pattern: "query", filePath: "path", file_path: "path", file: "path" },
    ...{ relative_path: "path", folder: "path", max_results: "limit" },
  },
  output: () =>
    z.object({
      symbols: z
        .array(
          z.object({
            name: z.string(),
            kind: z.string().describe("class, method, variable, …"),
            container: z.string().describe("Names around it, joined by dots; empty at the top."),
            path: z.string().describe("The file."),
            line: z.int().describe("Line of its name, 1-based."),
            end_line: z.int().describe("Its last line."),
            text: z.string().describe("The line of its name; empty if it cannot be read."),
          }),
        )
        .describe("The symbols returned."),
      total: z.int().describe("All that were found."),
      next_offset: z.int().nullable().describe("null when nothing follows."),
      by: z.enum(["server", "syntax"]).describe("Whether a language server or only a parser knows."),
      partial: z.boolean().describe("There may be more."),
    }),
  needs: ["files", "code"],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  positional: ["path", "query"],
  touches: ({ path = ".", query }) => [{ kind: "read", path, ...(query !== undefined && { deep: true }) }],
  summary: ({ path, query }) =>
    query === undefined
      ? `Outline ${path ?? "a file"}`
      : `Find symbol ${query}${path === undefined ? "" : ` in ${path}`}`,
  timeout: SERVER_TIMEOUT,
  expose: "default",
  execute: async ({ path, query, kind, limit = DEFAULT_LIMIT, offset = 0 }, { files, code, signal }) => {
    const at = await files.resolve(path ?? ".");
    const isFolder = (await statExisting(files, at)).kind === "directory";
    if (isFolder && (query === undefined || nameParts(query).length === 0)) {
      throw new ToolError(
        "invalid_input",
        "A folder has no outline.",
        "Give a file as path, or the name of a symbol as query.",
      );
    }
    const parts = nameParts(query ?? "");
    const answer = isFolder
      ? theAnswer(await code.find({ name: parts.at(-1) ?? "", exact: false, within: at }, signal))
      : theAnswer(await code.outline(at, signal));
    const found = answer.value
      .map((symbol): FoundSymbol => ({ path: at.path, ...symbol }))
      .filter((symbol) => kind === undefined || symbol.kind === kind.toLowerCase())
      .filter((symbol) => query === undefined || isWanted(parts, symbol));
    const ordered = isFolder ? found.sort((a, b) => compare(a, b, parts.at(-1) ?? "")) : found;
    const lines = new SourceLines(files, signal);
    const page = ordered.slice(offset, offset + limit);
    const texts = await Promise.all(page.map(({ path: file, nameAt }) => lines.shown(file, nameAt.line)));
    const rows = page.map((symbol, index) => row(symbol, texts[index] ?? "", isFolder || query !== undefined));
    const fitting = countFitting(rows.map((each) => each.length));
    const next = offset + fitting < ordered.length && fitting > 0 ? offset + fitting : null;
    const kinds = kind === undefined ? "" : `${kind} `;
    return {
      text: [
        ...rows.slice(0, fitting),
        fitting === 0
          ? `[No ${kinds}symbol${query === undefined ? "" : ` with ${query} in its name`}${offset > 0 ? " from that offset on" : ""}.]`
          : `[${next === null && offset === 0 ? count(ordered.length, "symbol") : `Symbols ${offset + 1}-${offset + fitting} of ${ordered.length}`}.${next === null ? "" : ` Continue with offset=${next}.`}]`,
        ...sourceRemarks(answer.by, answer.partial),
      ].join("\n"),
      data: {
        symbols: page.slice(0, fitting).map((symbol, index) => ({
          ...{ name: symbol.name, kind: symbol.kind, container: symbol.container.join("."), path: symbol.path },
          ...{ line: symbol.nameAt.line, end_line: symbol.range.end.line, text: texts[index] ?? "" },
        })),
        ...{ total: ordered.length, next_offset: next, by: answer.by, partial: answer.partial !== undefined },
      },
    };
  },
});

/** Whether a symbol has the queried name, or a part of it; names around it must be whole. */
function isWanted(parts: readonly string[], symbol: CodeSymbol): boolean {
  const last = (parts.at(-1) ?? "").toLowerCase();
  const around = parts.slice(0, -1);
  const [name = "", ...container] = [symbol.name, ...symbol.container];
  return (
    name.toLowerCase().includes(last) &&
    (around.length === 0 || isNamed(around, { name: container.at(-1) ?? "", container: container.slice(0, -1) }))
  );
}

/** Whole names first, then names that begin so; those of one file together. */
function compare(a: FoundSymbol, b: FoundSymbol, name: string): number {
  return rank(a.name, name) - rank(b.name, name) || compareCodeUnits(a.path, b.path) || a.nameAt.line - b.nameAt.line;
}

function rank(name: string, wanted: string): number {
  const [one, other] = [name.toLowerCase(), wanted.toLowerCase()];
  return name === wanted ? 0 : one === other ? 1 : one.startsWith(other) ? 2 : 3;
}

function row({ kind, name, container, path, nameAt, range }: FoundSymbol, text: string, isListed: boolean): string {
  const { line } = nameAt;
  const lines = range.end.line > line ? `${line}-${range.end.line}` : `${line}`;
  const full = [...container, name].join(".");
  if (isListed) {
    return `${kind} ${full}, ${shownName(path)}:${lines}${text === "" ? "" : `: ${text}`}`;
  }
  return `${"  ".repeat(container.length)}${lines} ${text === "" ? `${kind} ${name}` : text}`;
}
