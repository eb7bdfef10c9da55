// Changes of a whole declaration in a text: what belongs to it, and how a new text fits in its place.
import { endOfAbove, topOf } from "./aboveDeclaration.js";
import { detectEol, withEol } from "./eol.js";
import { TextPlaces } from "./textPlaces.js";

interface Place {
  line: number;
  column: number;
}

/** A declaration's lines, 1-based. */
export interface DeclarationLines {
  /** Its first line, with comments and decorators above it. */
  top: number;
  /** Its first line without comments. */
  first: number;
  last: number;
  /** Whether these lines have nothing else, nor a part of a statement that goes on in others. */
  isWhole: boolean;
  indent: string;
}

/** What may stand before a declaration's range on its line: modifiers and keywords. */
const MODIFIERS = /^\s*(?:[\w()]+\s+)*$/;

/**
 * Returns the lines of a declaration. What servers and grammars give may leave out modifiers before it and the
 * semicolon behind, or begin with its comments.
 *
 * @param nameLine the line of its name
 * @param path the file's name, which tells comments from code
 */
export function declarationLines(
  text: string | TextPlaces,
  { start, end }: { start: Place; end: Place },
  nameLine: number,
  path: string,
): DeclarationLines {
  const places = typeof text === "string" ? new TextPlaces(text) : text;
  const line = (number: number): string => places.line(number) ?? "";
  let first = start.line;
  while (first < nameLine) {
    const end = line(first).trim() === "" ? first : endOfAbove(places, first, path);
    if (end === undefined || end >= nameLine) {
      break;
    }
    first = end + 1;
  }
  const top = topOf(places, Math.min(first, start.line), path);
  // A range may end at the start of the next line.
  const last = end.column === 1 && end.line > first ? end.line - 1 : end.line;
  const before = first === start.line ? line(first).slice(0, start.column - 1) : "";
  const behind = last === end.line ? line(last).slice(end.column - 1) : "";
  // One of several in a statement: `const a = 1,` has the keyword of those below, `b = 2;` the end of those above.
  const isPartOfStatement = (): boolean => {
    const isFirst = before.trim() !== "" && /^\s*,/.test(behind);
    const follows = line(last + 1).trim() || line(last + 2).trim();
    const precedes = line(top - 1).trim() || line(top - 2).trim();
    const isLast = /,(?:\s*\/\/.*)?$/.test(precedes) && !/^\s*,/.test(behind) && !/^[}\])]/.test(follows);
    return isFirst || isLast;
  };
  return {
    ...{ top, first, last },
    isWhole: MODIFIERS.test(before) && /^\s*[;,]?\s*(?:\/\/.*)?$/.test(behind) && !isPartOfStatement(),
    indent: /^\s*/.exec(line(first))?.[0] ?? "",
  };
}

/** In Python, how lines below a declaration's first one go on in its column: further in, or as the end of its head. */
const HEAD = /^[\s)\]}]/;
const HEAD_OF_DECORATED = /^(?:[\s)\]}@]|(?:async\s+)?def\b|class\b)/;

/**
 * Whether the lines after the first have the indentation of a place, as when the first was copied from its name on. In
 * Python the body of a declaration is further in than its first line, so a line of it in that column is not in place.
 */
function areInPlace([first = "", ...rest]: readonly string[], indent: string, path: string): boolean {
  if (!/\.pyi?$/i.test(path)) {
    return rest.length > 0 && (rest.at(-1) ?? "").startsWith(indent);
  }
  const inColumn = first.startsWith("@") ? HEAD_OF_DECORATED : HEAD;
  return rest.every(
    (line) => line.trim() === "" || (line.startsWith(indent) && inColumn.test(line.slice(indent.length))),
  );
}

/** Gives a declaration the indentation of its place, unless it has one. */
function indented(text: string, indent: string, path: string): string {
  const lines = text
    .replace(/^(?:[ \t]*(?:\r\n|\n|\r))+/, "")
    .trimEnd()
    .split(/\r\n|\n|\r/);
  const [first = "", ...rest] = lines;
  if (indent === "" || /^\s/.test(first)) {
    return lines.join("\n");
  }
  // Only the first line may lack it: it was copied from its name on.
  const isInPlace = areInPlace(lines, indent, path);
  return [indent + first, ...rest.map((line) => (isInPlace || line === "" ? line : indent + line))].join("\n");
}

export type SymbolEdit = "replace" | "insert_before" | "insert_after" | "delete";

/**
 * Returns a text with a declaration replaced or removed, or with another one next to it.
 *
 * @param path the file's name, which tells how its blocks are written
 */
export function editDeclaration(
  text: string,
  lines: DeclarationLines,
  edit: SymbolEdit,
  given: string,
  path: string,
): string {
  const eol = detectEol(text);
  const places = new TextPlaces(text);
  const startOf = (line: number): number => places.offset({ line, column: 1 }) ?? text.length;
  const splice = (from: number, to: number, part: string): string =>
    text.slice(0, from) + withEol(part, eol) + text.slice(to);
  const endOf = (line: number): number => startOf(line) + (places.line(line)?.length ?? 0);
  const isBlank = (line: number): boolean => (places.line(line) ?? "").trim() === "";
  const fitting = indented(given, lines.indent, path);
  const gap = fitting.includes("\n") || lines.last > lines.first ? "\n\n" : "\n";
  switch (edit) {
    case "replace":
      return splice(startOf(lines.first), endOf(lines.last), fitting);
    case "insert_before":
      return splice(startOf(lines.top), startOf(lines.top), `${fitting}${gap}`);
    case "insert_after":
      return splice(endOf(lines.last), endOf(lines.last), `${gap}${fitting}`);
    case "delete": {
      const isLast = lines.last >= places.lineCount;
      const isFirst = lines.top === 1 || isBlank(lines.top - 1) || /[{([:]\s*$/.test(places.line(lines.top - 1) ?? "");
      const between = !isLast && isBlank(lines.last + 1) && isFirst;
      const to = isLast
        ? text.length
        : startOf(lines.last + 1 + (between && lines.last + 1 < places.lineCount ? 1 : 0));
      const rest = splice(startOf(lines.top), to, "");
      // Nothing separates the last declaration from the end any more.
      return text.slice(to).trim() === "" ? rest.replace(/(?<=\r\n|\n|\r)\s+$/, "") : rest;
    }
  }
}
