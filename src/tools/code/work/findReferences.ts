import type { Code, CodePlace, CodeSource } from "../../../ports/code.js";
import type { Files } from "../../../ports/files.js";
import { isBuilt } from "../../../text/builtFile.js";
import { compareCodeUnits } from "../../../text/nearest.js";
import { isTest } from "../../../text/testFile.js";
import { shownName } from "../../../text/shownName.js";
import { shownText } from "../../../text/symbolNames.js";
import { count } from "../../../text/words.js";
import { countFitting } from "../../fs/answerSize.js";
import { sourceRemarks, theAnswer } from "../answers.js";
import { findCallers } from "./callers.js";
import { locate, type LocatedSymbol, type WantedSymbol } from "./locate.js";
import { SourceLines } from "./sourceLines.js";

type Kind = "references" | "definition" | "implementations" | "callers";

interface ReferencesInput extends WantedSymbol {
  kind?: Kind | undefined;
  depth?: number | undefined;
  detail?: boolean | undefined;
  limit: number;
  offset?: number | undefined;
}

/** A place in an answer. */
interface Place {
  path: string;
  line: number;
  column: number;
  end_line: number;
  test: boolean;
  caller?: string;
  depth?: number;
}

interface Row extends Place {
  text: string;
}

interface Given {
  files: Files;
  code: Code;
  signal: AbortSignal;
}

interface ReferencesAnswer {
  text: string;
  data: {
    symbol: string;
    places: Row[];
    total: number;
    files: number;
    next_offset: number | null;
    by: CodeSource;
    partial: boolean;
    hover?: string;
  };
}

/** Finds where a symbol is used, defined, implemented or called. @throws ToolError those of `locate` and `theAnswer` */
export async function findReferences(
  input: ReferencesInput,
  { files, code, signal }: Given,
): Promise<ReferencesAnswer> {
  const { kind = "references", depth = 1, detail = false, limit, offset = 0 } = input;
  const found = await locate(input, { code, files, signal });
  const all = await placesOf(kind, depth, found, { files, code, signal });
  // What a build wrote comes behind all else: where names alone are compared, its copies seem to use the source.
  const areAlike = isBuilt(found.at.path) || (kind === "callers" && depth > 1);
  const rows = areAlike ? all.rows : all.rows.toSorted((a, b) => Number(isBuilt(a.path)) - Number(isBuilt(b.path)));
  const wanted = await withTexts(rows.slice(offset, offset + limit), new SourceLines(files, signal));
  const fitting = countFitting(wanted.map(({ text, path }) => text.length + path.length + 12));
  const page = wanted.slice(0, fitting);
  const next = offset + fitting < rows.length && fitting > 0 ? offset + fitting : null;
  const hover = detail ? await code.hover(found.at, found.position, signal) : undefined;
  const fileCount = new Set(rows.map(({ path }) => path)).size;
  return {
    text: [
      heading(kind, found, rows.length, fileCount),
      ...shownRows(page, kind, areAlike),
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
}

async function placesOf(
  kind: Kind,
  depth: number,
  { at, position, name }: LocatedSymbol,
  { files, code, signal }: Given,
): Promise<{ rows: Place[]; by: "server" | "syntax"; partial?: string | undefined }> {
  if (kind === "callers") {
    const { rows, by, partial } = await findCallers({ at, position, name }, depth, { files, code, signal });
    return { rows: rows.map((each) => ({ ...each, end_line: each.line, test: isTest(each.path) })), by, partial };
  }
  const answer = theAnswer(await code.places(kind, at, position, name, signal));
  const sorted = [...answer.value].sort(inOrder);
  const rows = sorted.map(({ path, range: { start, end } }): Place => ({
    ...{ path, line: start.line, column: start.column, end_line: kind === "references" ? start.line : end.line },
    test: isTest(path),
  }));
  return { rows, by: answer.by, partial: answer.partial };
}

/** Adds the lines, one file after another: a symbol may be used in thousands. */
async function withTexts(places: readonly Place[], lines: SourceLines): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { path, line, ...place } of places) {
    rows.push({ path, line, ...place, text: await lines.shown(path, line) });
  }
  return rows;
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

function heading(kind: Kind, found: LocatedSymbol, total: number, files: number): string {
  const { declared, at, position } = found;
  const what = `${declared === undefined ? "" : `${declared.kind} `}${shownText(fullName(found))} (${shownName(at.path)}:${position.line})`;
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

/** @param areAlike whether what a build wrote is shown as all else */
function shownRows(rows: readonly Row[], kind: Kind, areAlike: boolean): string[] {
  const shown: string[] = [];
  let before: Row | undefined;
  const sources = areAlike ? rows : rows.filter(({ path }) => !isBuilt(path));
  for (const row of sources) {
    if (kind === "callers") {
      const line = `${"  ".repeat((row.depth ?? 1) - 1)}${shownText(row.caller ?? "")}, ${shownName(row.path)}:${row.line}: ${row.text}`;
      // Several on one line are shown once.
      shown.push(...(line === shown.at(-1) ? [] : [line]));
      continue;
    }
    if (row.test && before?.test !== true) {
      shown.push("In tests:");
    }
    if (row.path !== before?.path) {
      shown.push(shownName(row.path));
    }
    const lines = row.end_line > row.line ? `${row.line}-${row.end_line}` : `${row.line}`;
    if (row.path !== before?.path || row.line !== before.line) {
      shown.push(`  ${lines}: ${row.text}`);
    }
    before = row;
  }
  return [...shown, ...inBuild(areAlike ? [] : rows.filter(({ path }) => isBuilt(path)))];
}

/** Shows the lines of what a build wrote by their numbers alone: nobody changes them. */
function inBuild(rows: readonly Row[]): string[] {
  const lines = [...new Set(rows.map(({ path }) => path))].map((path) => {
    const some = rows.filter((row) => row.path === path).map(({ line }) => line);
    return `${shownName(path)}: ${[...new Set(some)].join(", ")}`;
  });
  return lines.length === 0 ? [] : ["In build output:", ...lines];
}
