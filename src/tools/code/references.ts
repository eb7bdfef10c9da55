import * as z from "zod";
import type { Aliases } from "../../core/aliases.js";
import { choice } from "../../core/aliases.js";
import { defineTool } from "../../core/defineTool.js";
import type { Code, CodePlace } from "../../ports/code.js";
import type { Files } from "../../ports/files.js";
import { compareCodeUnits } from "../../text/nearest.js";
import { shownName } from "../../text/shownName.js";
import { count } from "../../text/words.js";
import { countFitting } from "../fs/answerSize.js";
import { SERVER_TIMEOUT, sourceRemarks, theAnswer } from "./answers.js";
import { findCallers, type CallerRow } from "./callers.js";
import { locate, SYMBOL_ALIASES, SYMBOL_FIELDS, type LocatedSymbol } from "./locate.js";
import { SourceLines } from "./sourceLines.js";

/** Places in an answer by default, and at most. */
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;
/** Levels of callers of callers. */
const MAX_DEPTH = 4;

const KINDS = ["references", "definition", "implementations", "callers"] as const;
type Kind = (typeof KINDS)[number];

const ALIASES: Aliases = {
  ...SYMBOL_ALIASES,
  text: "symbol",
  ...{ find: "kind", what: "kind", relation: "kind" },
  kind: choice({
    usages: { kind: "references" },
    uses: { kind: "references" },
    definitions: { kind: "definition" },
    declaration: { kind: "definition" },
    implementation: { kind: "implementations" },
    incoming_calls: { kind: "callers" },
    calls: { kind: "callers" },
  }),
};

export const references = defineTool({
  name: "references",
  group: "code",
  title: "Find references",
  description:
    "Find all references of a symbol, its definition, its implementations or its callers. " +
    "The language server knows them: no other things of the same name, comments or strings. Name the symbol, or give a line where it is used. " +
    "If several symbols have the name, the error lists them.",
  input: () =>
    z.object({
      ...SYMBOL_FIELDS(),
      kind: z.enum(KINDS).optional().describe("What to find. Default: references."),
      depth: z.int().min(1).max(MAX_DEPTH).optional().describe("callers: levels of callers. Default: 1."),
      detail: z.boolean().optional().describe("definition: also its type and documentation."),
      limit: z.int().min(1).max(MAX_LIMIT).optional().describe(`Places to return. Default: ${DEFAULT_LIMIT}.`),
      offset: z.int().min(0).optional().describe("Places to skip."),
    }),
  aliases: ALIASES,
  output: () =>
    z.object({
      symbol: z.string().describe("The symbol, with the names around it if they are known."),
      places: z
        .array(
          z.object({
            path: z.string().describe("The file; absolute if it is outside the workspace."),
            line: z.int().describe("1-based."),
            column: z.int().describe("1-based."),
            end_line: z.int().describe("Last line of a definition; else the same line."),
            text: z.string().describe("The line; empty if it cannot be read."),
            test: z.boolean().describe("Its file is a test, by its name."),
            caller: z.string().optional().describe("callers: the function that calls."),
            depth: z.int().optional().describe("callers: 1 for direct ones."),
          }),
        )
        .describe("The places returned."),
      total: z.int().describe("All that were found."),
      files: z.int().describe("Files with any of these."),
      next_offset: z.int().nullable().describe("null when nothing follows."),
      by: z.enum(["server", "syntax"]).describe("Whether a language server or only a parser knows."),
      partial: z.boolean().describe("There may be more."),
      hover: z.string().optional().describe("With detail, in Markdown."),
    }),
  needs: ["files", "code"],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  positional: ["symbol", "path"],
  touches: ({ path = "." }) => [
    { kind: "read", path },
    { kind: "read", path: ".", deep: true },
  ],
  summary: ({ symbol, kind = "references" }) => `Find ${kind} of ${symbol}`,
  timeout: SERVER_TIMEOUT,
  expose: "default",
  execute: async (input, { files, code, signal }) => {
    const { kind = "references", depth = 1, detail = false, limit = DEFAULT_LIMIT, offset = 0 } = input;
    const found = await locate(input, { code, files, signal });
    const all = await placesOf(kind, depth, found, { files, code, signal });
    const rows = all.rows;
    const fitting = countFitting(
      rows.slice(offset, offset + limit).map(({ text, path }) => text.length + path.length + 12),
    );
    const page = rows.slice(offset, offset + fitting);
    const next = offset + fitting < rows.length && fitting > 0 ? offset + fitting : null;
    const hover = detail ? await code.hover(found.at, found.position, signal) : undefined;
    const fileCount = new Set(rows.map(({ path }) => path)).size;
    return {
      text: [
        heading(kind, found, rows.length, fileCount),
        ...shownRows(page, kind),
        ...(page.length < rows.length
          ? [
              `[${offset + 1}-${offset + fitting} of ${rows.length}.${next === null ? "" : ` Continue with offset=${next}.`}]`,
            ]
          : []),
        ...(hover === undefined ? [] : [hover]),
        ...sourceRemarks(all.by, all.partial),
      ].join("\n"),
      data: {
        symbol: fullName(found),
        places: page,
        ...{ total: rows.length, files: fileCount, next_offset: next, by: all.by, partial: all.partial !== undefined },
        ...(hover !== undefined && { hover }),
      },
    };
  },
});

/** A place in an answer. */
interface Row {
  path: string;
  line: number;
  column: number;
  end_line: number;
  text: string;
  test: boolean;
  caller?: string;
  depth?: number;
}

interface Given {
  files: Files;
  code: Code;
  signal: AbortSignal;
}

async function placesOf(
  kind: Kind,
  depth: number,
  { at, position, name }: LocatedSymbol,
  { files, code, signal }: Given,
): Promise<{ rows: Row[]; by: "server" | "syntax"; partial?: string | undefined }> {
  const lines = new SourceLines(files, signal);
  if (kind === "callers") {
    const { rows, by, partial } = await findCallers({ at, position, name }, depth, { files, code, signal });
    const shown = await Promise.all(
      rows.map(async (each: CallerRow): Promise<Row> => ({
        ...{ ...each, end_line: each.line, test: isTest(each.path) },
        text: await lines.shown(each.path, each.line),
      })),
    );
    return { rows: shown, by, partial };
  }
  const answer = theAnswer(await code.places(kind, at, position, name, signal));
  const sorted = [...answer.value].sort(inOrder);
  const rows = await Promise.all(
    sorted.map(async ({ path, range: { start, end } }): Promise<Row> => ({
      ...{ path, line: start.line, column: start.column, end_line: kind === "references" ? start.line : end.line },
      text: await lines.shown(path, start.line),
      test: isTest(path),
    })),
  );
  return { rows, by: answer.by, partial: answer.partial };
}

/** Tests last, then by file and line. */
function inOrder(a: CodePlace, b: CodePlace): number {
  return (
    Number(isTest(a.path)) - Number(isTest(b.path)) ||
    compareCodeUnits(a.path, b.path) ||
    a.range.start.line - b.range.start.line ||
    a.range.start.column - b.range.start.column
  );
}

function isTest(path: string): boolean {
  return /(?:^|\/)(?:tests?|__tests__|specs?)\/|[._-](?:test|spec)s?\.[^/.]+$|(?:^|\/)test_[^/]*$|_test\.[^/.]+$/i.test(
    path,
  );
}

function heading(kind: Kind, found: LocatedSymbol, total: number, files: number): string {
  const { declared, at, position } = found;
  const what = `${declared === undefined ? "" : `${declared.kind} `}${fullName(found)} (${shownName(at.path)}:${position.line})`;
  const noun = {
    references: "reference",
    definition: "definition",
    implementations: "implementation",
    callers: "caller",
  }[kind];
  return total === 0
    ? `No ${noun} of ${what}.`
    : `${count(total, noun)} of ${what}${total > 1 ? ` in ${count(files, "file")}` : ""}:`;
}

function fullName({ declared, name }: LocatedSymbol): string {
  return declared === undefined ? name : [...declared.container, declared.name].join(".");
}

function shownRows(rows: readonly Row[], kind: Kind): string[] {
  const shown: string[] = [];
  let before: Row | undefined;
  for (const row of rows) {
    if (kind === "callers") {
      shown.push(
        `${"  ".repeat((row.depth ?? 1) - 1)}${row.caller ?? ""}, ${shownName(row.path)}:${row.line}: ${row.text}`,
      );
      continue;
    }
    if (row.test && before?.test !== true) {
      shown.push("In tests:");
    }
    if (row.path !== before?.path) {
      shown.push(shownName(row.path));
    }
    const lines = row.end_line > row.line ? `${row.line}-${row.end_line}` : `${row.line}`;
    // Several on one line are shown once.
    if (row.path !== before?.path || row.line !== before.line) {
      shown.push(`  ${lines}: ${row.text}`);
    }
    before = row;
  }
  return shown;
}
