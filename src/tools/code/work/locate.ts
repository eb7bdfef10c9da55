import { ToolError } from "../../../core/errors.js";
import { contains } from "../../../features/code/ranges.js";
import type { Code, CodePosition, CodeSource, CodeSymbol, FoundSymbol } from "../../../ports/code.js";
import type { Files, GatedPath } from "../../../ports/files.js";
import { isBuilt } from "../../../text/builtFile.js";
import { nearestNames } from "../../../text/nearest.js";
import { shownName } from "../../../text/shownName.js";
import { isNamed, nameAt, nameParts, placesInLine, shownSymbol, shownText } from "../../../text/symbolNames.js";
import { TextPlaces } from "../../../text/textPlaces.js";
import { namedLines } from "../../../text/words.js";
import { resolveFrom } from "../../../core/paths/resolveFrom.js";
import { statExisting } from "../../fs/existing.js";
import { theAnswer } from "../answers.js";
import { textOf } from "./sourceLines.js";

/** Maximum number of symbols that an error lists. */
const MAX_LISTED = 20;

export interface WantedSymbol {
  symbol: string;
  path?: string | undefined;
  line?: number | undefined;
}

/** A symbol that a call means. */
export interface LocatedSymbol {
  at: GatedPath;
  /** Where its name is. */
  position: CodePosition;
  /** Its own name, as it is there. */
  name: string;
  /** Its declaration, unless the place is a use. */
  declared?: CodeSymbol;
  by: CodeSource;
}

interface Given {
  code: Code;
  files: Files;
  signal: AbortSignal;
  /** Whether it will be changed: then what looks like a build's output counts like everything else. */
  isExact?: boolean;
}

/**
 * Finds the symbol that a call means, and never guesses between several.
 *
 * @throws ToolError `not_unique` with each of several, `not_found` with similar names, `no_match` for a line without it,
 *   and those of `theAnswer`
 */
export async function locate(wanted: WantedSymbol, given: Given): Promise<LocatedSymbol> {
  const { files } = given;
  const at = await files.resolve(wanted.path ?? ".");
  const isFile = (await statExisting(files, at)).kind !== "directory";
  if (nameParts(wanted.symbol).length === 0 && wanted.line === undefined) {
    throw new ToolError("invalid_input", "symbol has no name.", "Give a name such as Router.match.");
  }
  if (isFile) {
    return locateInFile(wanted, at, given);
  }
  if (wanted.line !== undefined) {
    throw new ToolError("invalid_input", "line needs the path of a file.", "Give the file as path.");
  }
  return locateInFolder(wanted, at, given);
}

/**
 * Finds a symbol by its declaration in a file's outline.
 *
 * @param isOne whether the declarations of one function, and the parts of one property, are taken as one
 *
 * @returns also all of these, and the file's outline, in the order of the text
 */
export async function declaredIn(
  { symbol, line }: WantedSymbol,
  at: GatedPath,
  { code, signal }: Given,
  isOne = true,
): Promise<LocatedSymbol & { declared: CodeSymbol; parts: readonly CodeSymbol[]; outline: readonly CodeSymbol[] }> {
  const { value: outline, by, partial } = theAnswer(await code.outline(at, signal));
  const parts = nameParts(symbol);
  const named = outline.filter((each) => isNamed(parts, each));
  const onLine =
    line === undefined
      ? named
      : [
          named.filter((each) => each.nameAt.line === line),
          named.filter((each) => contains(each.range, { line, column: 1 })),
        ].find((some) => some.length > 0);
  const distinct = isOne ? withoutOverloads(onLine ?? [], at.path) : (onLine ?? []);
  const [found] = distinct;
  if (found === undefined) {
    throw notFound(symbol, at, named, { outline, partial });
  }
  if (distinct.length > 1) {
    throw several(
      symbol,
      distinct.map((each) => ({ ...each, path: at.path })),
    );
  }
  return { at, position: found.nameAt, name: found.name, declared: found, parts: onLine ?? [], outline, by };
}

async function locateInFile(wanted: WantedSymbol, at: GatedPath, given: Given): Promise<LocatedSymbol> {
  const { symbol, line } = wanted;
  if (line === undefined) {
    return declaredIn(wanted, at, given);
  }
  const text = new TextPlaces(await textOf(given.files, at, given.signal));
  const shown = text.line(line);
  if (shown === undefined) {
    throw new ToolError("invalid_input", `${shownName(at.path)} has ${text.lineCount} lines, not ${line}.`);
  }
  const columns = placesInLine(shown, symbol.trim());
  const [column] = columns;
  if (column === undefined) {
    return await declaredIn(wanted, at, given).catch((error: unknown) => {
      throw error instanceof ToolError && error.type === "not_found" ? notInLine(symbol, line, at, text) : error;
    });
  }
  if (columns.length > 1) {
    throw new ToolError(
      "not_unique",
      `${shownName(at.path)}: line ${line} has ${shownText(symbol)} ${columns.length} times (columns ${columns.join(", ")}).`,
      "Give a longer piece of the line, up to the end of the name that is meant.",
    );
  }
  return { at, position: { line, column }, name: nameAt(shown, column) ?? symbol, by: "server" };
}

async function locateInFolder(wanted: WantedSymbol, within: GatedPath, given: Given): Promise<LocatedSymbol> {
  const { code, files, signal, isExact } = given;
  const parts = nameParts(wanted.symbol);
  const answer = theAnswer(await code.find({ name: parts.at(-1) ?? "", exact: true, within }, signal));
  const all = answer.value.filter((each) => isNamed(parts, each));
  const named =
    all.length > 0 || parts.length < 3 ? all : answer.value.filter((each) => isNamed(parts.slice(-2), each));
  const every = withoutOverloads(named, within.path);
  // What a build wrote of a declaration is not another one that may be meant.
  const sources = every.filter(({ path }) => !isBuilt(path));
  const distinct = sources.length > 0 && isExact !== true ? sources : every;
  const [found] = distinct;
  if (found === undefined) {
    const where = within.path === "." ? "the workspace" : shownName(within.path);
    const others = answer.value.map(
      ({ container, name, path, nameAt }) => `${shownSymbol({ container, name })} (${shownName(path)}:${nameAt.line})`,
    );
    throw new ToolError(
      "not_found",
      `${shownText(wanted.symbol)}: no such symbol is declared in ${where}${answer.by === "syntax" ? ", by syntax" : ""}.${answer.partial === undefined ? "" : ` ${answer.partial}`}`,
      others.length > 0
        ? `There is ${others.slice(0, MAX_LISTED).join(", ")}.`
        : "Give the file as path, or search the text with grep.",
    );
  }
  if (distinct.length > 1) {
    throw several(wanted.symbol, distinct, answer.partial);
  }
  const at = found.path.startsWith("/")
    ? await files.resolve(found.path)
    : await resolveFrom(files, within, found.path);
  return { at, position: found.nameAt, name: found.name, declared: found, by: answer.by };
}

/** Languages in which functions of one name and place are one function, declared several times. */
const ONE_FUNCTION = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|pyi?)$/i;

/** Takes the declarations of one function, and the parts of one property, as one: the last of them has the body. */
function withoutOverloads<Some extends CodeSymbol>(symbols: readonly Some[], at: string): Some[] {
  const last = new Map<string, Some>();
  for (const symbol of symbols) {
    const path = "path" in symbol ? String(symbol.path) : at;
    const isFunction = ONE_FUNCTION.test(path) && /function|method|constructor|property|accessor/.test(symbol.kind);
    const key = isFunction
      ? `${path}:${symbol.container.join(".")}`
      : `${path}:${symbol.nameAt.line}:${symbol.nameAt.column}`;
    last.set(key, symbol);
  }
  return [...last.values()];
}

function several(symbol: string, found: readonly FoundSymbol[], partial?: string): ToolError {
  const shown = found
    .slice(0, MAX_LISTED)
    .map(
      ({ kind, container, name, path, nameAt }) =>
        `- ${kind} ${shownSymbol({ container, name })}, ${shownName(path)}:${nameAt.line}`,
    );
  const rest = found.length - shown.length;
  return new ToolError(
    "not_unique",
    [
      `${shownText(symbol)} is the name of ${partial === undefined ? "" : "at least "}${found.length} symbols:`,
      ...shown,
      ...(rest > 0 ? [`and ${rest} more`] : []),
    ].join("\n"),
    "Give its path, its line, or the names around it.",
  );
}

function notFound(
  symbol: string,
  at: GatedPath,
  named: readonly CodeSymbol[],
  { outline, partial }: { outline: readonly CodeSymbol[]; partial?: string | undefined },
): ToolError {
  const parts = nameParts(symbol);
  const near =
    [parts.join("."), parts.at(-1) ?? symbol]
      .map((name) =>
        nearestNames(name, new Set(outline.map((each) => (name.includes(".") ? shownSymbol(each) : each.name)))),
      )
      .find((names) => names.length > 0) ?? [];
  const elsewhere = named.map(({ nameAt }) => nameAt.line);
  return new ToolError(
    "not_found",
    `${shownName(at.path)} declares no ${shownText(symbol)}${elsewhere.length > 0 ? ` there, but at ${namedLines(elsewhere)}` : ""}.${partial === undefined ? "" : ` ${partial}`}`,
    near.length > 0 && elsewhere.length === 0
      ? `Did you mean ${near.map(shownText).join(" or ")}?`
      : "symbols lists what it declares. For a use, give its line.",
  );
}

function notInLine(symbol: string, line: number, at: GatedPath, text: TextPlaces): ToolError {
  const others = Array.from({ length: text.lineCount }, (_, index) => index + 1)
    .filter((number) => placesInLine(text.line(number) ?? "", symbol.trim()).length > 0)
    .sort((a, b) => Math.abs(a - line) - Math.abs(b - line))
    .slice(0, 5);
  return new ToolError(
    "no_match",
    `${shownName(at.path)}: line ${line} does not have ${shownText(symbol)}.`,
    others.length > 0 ? `It is in ${namedLines(others.sort((a, b) => a - b))}.` : "Read the line again.",
  );
}
