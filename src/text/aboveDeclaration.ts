// What stands above a declaration and belongs to it: comments, attributes, decorators. Never a neighbour that only looks
// like one: `#count = 0;`, `*items() {}`, `[Symbol.iterator]() {}`, `@Input() name = 1;`.
import type { TextPlaces } from "./textPlaces.js";

/** Maximum lines and characters of a comment or decorator. */
const MAX_LINES = 200;
const MAX_LENGTH = 20_000;

/** Languages in which `#` begins a comment, and those in which `#[` begins an attribute; in others it is a private name. */
const HASH_COMMENTS = /\.(?:pyi?|rb|rake|php|sh|pl|exs?|jl)$/i;
const HASH_ATTRIBUTES = /\.(?:rs|php)$/i;
/** Languages with attributes in brackets. */
const BRACKETS = /\.cs$/i;

/** Returns the first of the lines above a line that belong to what it declares; the line itself if there are none. */
export function topOf(places: TextPlaces, first: number, path: string): number {
  let top = first;
  for (;;) {
    const begin = beginOfAbove(places, top - 1, path);
    if (begin === undefined) {
      return top;
    }
    top = begin;
  }
}

/** Returns the last line of the comment, attribute or decorator that begins at a line; undefined if none does. */
export function endOfAbove(places: TextPlaces, line: number, path: string): number | undefined {
  const text = places.line(line) ?? "";
  if (isOneLine(text, path)) {
    return line;
  }
  const isComment = /^\s*\/\*/.test(text);
  if (!isComment && !/^\s*(?:@\w|#\[|\[)/.test(text)) {
    return undefined;
  }
  let all = text;
  for (let last = line; last < line + MAX_LINES && last <= places.lineCount; last++) {
    all = last === line ? text : `${all}\n${places.line(last) ?? ""}`;
    if (all.length > MAX_LENGTH) {
      return undefined;
    }
    if (isComment ? all.includes("*/") : isBalanced(all)) {
      return isWhole(all, path) ? last : undefined;
    }
  }
  return undefined;
}

/** Returns where the comment, attribute or decorator begins that ends at a line; undefined if none does. */
function beginOfAbove(places: TextPlaces, line: number, path: string): number | undefined {
  const text = places.line(line);
  if (text === undefined || text.trim() === "") {
    return undefined;
  }
  if (isOneLine(text, path)) {
    return line;
  }
  // The end of a longer one: what begins above must end exactly here.
  if (!/(?:\*\/|[)\]])\s*(?:\/\/.*)?$/.test(text)) {
    return undefined;
  }
  for (let begin = line - 1; begin > 0 && begin > line - MAX_LINES; begin--) {
    const start = places.line(begin) ?? "";
    if (/^\s*(?:\/\*|@\w|#\[|\[)/.test(start)) {
      return endOfAbove(places, begin, path) === line ? begin : undefined;
    }
  }
  return undefined;
}

function isOneLine(line: string, path: string): boolean {
  return line.length <= MAX_LENGTH && isWhole(line, path);
}

/** Whether a text is comments, attributes or decorators, and nothing else. */
function isWhole(text: string, path: string): boolean {
  let rest = text.trimStart();
  while (rest !== "") {
    const next = withoutFirst(rest, path)?.trimStart();
    if (next === undefined) {
      return false;
    }
    rest = next;
  }
  return text.trim() !== "";
}

/** Returns what follows the comment, attribute or decorator at the start of a text; undefined if there is none. */
function withoutFirst(text: string, path: string): string | undefined {
  if (text.startsWith("/*")) {
    const end = text.indexOf("*/", 2);
    return end < 0 ? undefined : text.slice(end + 2);
  }
  if (text.startsWith("//")) {
    return text.replace(/^.*/, "");
  }
  const decorator = /^@[\w.]+(?:<[^()<>]*>)?/.exec(text)?.[0];
  if (decorator !== undefined) {
    const rest = text.slice(decorator.length);
    return /^\s*\(/.test(rest) ? withoutBrackets(rest.trimStart()) : rest;
  }
  if (text.startsWith("#[") && HASH_ATTRIBUTES.test(path)) {
    return withoutBrackets(text.slice(1));
  }
  // `#!` names the program of a script.
  if (/^#(?!!)/.test(text) && HASH_COMMENTS.test(path)) {
    return text.replace(/^.*/, "");
  }
  return text.startsWith("[") && BRACKETS.test(path) ? withoutBrackets(text) : undefined;
}

/** Returns what follows the brackets with which a text begins; undefined if they do not end. */
function withoutBrackets(text: string): string | undefined {
  let depth = 0;
  for (const { 0: part, index } of text.matchAll(BRACKETS_AND_STRINGS)) {
    depth += "([{".includes(part) ? 1 : ")]}".includes(part) ? -1 : 0;
    if (depth === 0) {
      return text.slice(index + part.length);
    }
  }
  return undefined;
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const [part] of text.matchAll(BRACKETS_AND_STRINGS)) {
    depth += "([{".includes(part) ? 1 : ")]}".includes(part) ? -1 : 0;
  }
  return depth <= 0;
}

/** Brackets, and strings and comments, which may have some. */
const BRACKETS_AND_STRINGS =
  /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`|\/\/.*|\/\*[^]*?\*\/|[()[\]{}]/g;
