// Adds one entry to a file of tools; everything else stays as it is, comments included.
import { applyEdits, createScanner, findNodeAtLocation, modify, parseTree, type Node } from "jsonc-parser";
import type { NewEntry } from "./form.js";

/** Values that fit on a line of this length stay on one. */
const LINE = 100;
/** jsonc-parser's kind of token for a comma, and the end (`SyntaxKind`, a const enum). */
const [COMMA, LINE_COMMENT, BLOCK_COMMENT, END] = [5, 12, 13, 17];

/** A file with a new entry, and where that is. */
export interface Inserted {
  text: string;
  /** In UTF-16 code units. */
  offset: number;
  length: number;
}

/**
 * Adds an entry at the end of its list.
 *
 * @param before the file's text, which is good JSON with comments; undefined for a new file
 */
export function insertEntry(before: string | undefined, { list, entry }: NewEntry): Inserted {
  const old = before === undefined || before.trim() === "" ? "{}\n" : before;
  const eol = old.includes("\r\n") ? "\r\n" : "\n";
  const unit = /\n([ \t]+)\S/.exec(old)?.[1] ?? "  ";
  const array = findNodeAtLocation(parseTree(old, [], { allowTrailingComma: true }) ?? NONE, [list]);
  const written = (indent: string): string => compact(entry, unit, indent).replaceAll("\n", eol);
  if (array === undefined) {
    const edits = modify(old, [list], [STAND_IN], { formattingOptions: { insertSpaces: true, tabSize: 2, eol } });
    const text = applyEdits(old, edits);
    const at = text.lastIndexOf(JSON.stringify(STAND_IN));
    const indent = /[ \t]*$/.exec(text.slice(0, at))?.[0] ?? "";
    return placed(text.slice(0, at), written(indent), text.slice(at + JSON.stringify(STAND_IN).length));
  }
  const last = array.children?.at(-1);
  const from = last === undefined ? array.offset + 1 : last.offset + last.length;
  const { comma, comments, end } = tokensAfter(old, from, array.offset + array.length - 1);
  const head = old.slice(0, from) + (last === undefined || comma ? "" : ",") + old.slice(from, end);
  const tail = old.slice(end);
  const beside = last === undefined ? undefined : indentAt(old, last.offset);
  if (last !== undefined && beside === undefined && !comments) {
    return placed(`${head} `, written(unit.repeat(2)), (comma ? "," : "") + tail);
  }
  const indent = beside ?? lineIndent(old, array.offset) + unit;
  // The bracket is on a line of its own.
  const closed = /^[ \t]*\r?\n/.test(tail) ? tail : `${eol}${lineIndent(old, array.offset)}${tail.trimStart()}`;
  return placed(`${head}${eol}${indent}`, written(indent), (comma ? "," : "") + closed);
}

/** Stands for the new entry while its place is made. */
const STAND_IN = "\u0000new entry";
const NONE: Node = { type: "null", offset: 0, length: 0 };

function placed(head: string, entry: string, tail: string): Inserted {
  return { text: head + entry + tail, offset: head.length, length: entry.length };
}

/** Returns whether a comma and comments follow, and where the last of them ends. */
function tokensAfter(text: string, from: number, stop: number): { comma: boolean; comments: boolean; end: number } {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  let [comma, comments, end] = [false, false, from];
  for (let token: number = scanner.scan(); token !== END && scanner.getTokenOffset() < stop; token = scanner.scan()) {
    if (token === COMMA || token === LINE_COMMENT || token === BLOCK_COMMENT) {
      comma ||= token === COMMA;
      comments ||= token !== COMMA;
      end = scanner.getTokenOffset() + scanner.getTokenLength();
    }
  }
  return { comma, comments, end };
}

/** Returns the white space before a place at the start of a line; undefined if something else is there. */
function indentAt(text: string, offset: number): string | undefined {
  const before = text.slice(lineStart(text, offset), offset);
  return before.trim() === "" ? before : undefined;
}

function lineIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? "";
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** Formats a value like prettier: what fits on a line stays on one. Fields of the entry itself are a line each. */
function compact(value: unknown, unit: string, indent: string, isWhole = true): string {
  const plain = spaced(value);
  if (typeof value !== "object" || value === null || (!isWhole && indent.length + plain.length <= LINE)) {
    return plain;
  }
  const inner = indent + unit;
  const parts = Array.isArray(value)
    ? value.map((each) => compact(each, unit, inner, false))
    : Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${compact(each, unit, inner, false)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${close}`;
}

/** Returns JSON on one line, with spaces where people write them. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(spaced).join(", ")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const parts = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${spaced(each)}`);
    return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
  }
  return JSON.stringify(value) ?? "null";
}

/** Returns an entry as it is written into a file. */
export function writtenEntry({ entry }: NewEntry): string {
  return compact(entry, "  ", "");
}
