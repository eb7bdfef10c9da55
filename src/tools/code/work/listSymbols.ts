import { ToolError } from "../../../core/errors.js";
import type { Code, CodeSource, CodeSymbol, FoundSymbol } from "../../../ports/code.js";
import type { Files } from "../../../ports/files.js";
import { compareCodeUnits } from "../../../text/nearest.js";
import { shownName } from "../../../text/shownName.js";
import { isNamed, nameParts, shownSymbol, shownText } from "../../../text/symbolNames.js";
import { count } from "../../../text/words.js";
import { countFitting } from "../../fs/answerSize.js";
import { statExisting } from "../../fs/existing.js";
import { sourceRemarks, theAnswer } from "../answers.js";
import { SourceLines } from "./sourceLines.js";

interface SymbolsInput {
  path?: string | undefined;
  query?: string | undefined;
  kind?: string | undefined;
  limit: number;
  offset?: number | undefined;
}

interface SymbolRow {
  name: string;
  kind: string;
  container: string;
  path: string;
  line: number;
  end_line: number;
  text: string;
}

interface SymbolsAnswer {
  text: string;
  data: { symbols: SymbolRow[]; total: number; next_offset: number | null; by: CodeSource; partial: boolean };
}

/** Outlines a file, or finds symbols by name. @throws ToolError `invalid_input` for a folder without a name, and those of `theAnswer` */
export async function listSymbols(
  { path, query, kind, limit, offset = 0 }: SymbolsInput,
  { files, code, signal }: { files: Files; code: Code; signal: AbortSignal },
): Promise<SymbolsAnswer> {
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
  const texts: string[] = [];
  for (const { path: file, nameAt } of page) {
    texts.push(await lines.shown(file, nameAt.line));
  }
  const rows = page.map((symbol, index) => row(symbol, texts[index] ?? "", isFolder || query !== undefined));
  const fitting = countFitting(rows.map((each) => each.length));
  const next = offset + fitting < ordered.length && fitting > 0 ? offset + fitting : null;
  const kinds = kind === undefined ? "" : `${kind} `;
  return {
    text: [
      ...rows.slice(0, fitting),
      fitting === 0
        ? `[No ${kinds}symbol${query === undefined ? "" : ` with ${shownText(query)} in its name`}${offset > 0 ? " from that offset on" : ""}.]`
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
}

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
  if (isListed) {
    return `${kind} ${shownSymbol({ container, name })}, ${shownName(path)}:${lines}${text === "" ? "" : `: ${text}`}`;
  }
  return `${"  ".repeat(container.length)}${lines} ${text === "" ? `${kind} ${shownText(name)}` : text}`;
}
