import { scanImports, type JsxRule, type SpecifierPlace } from "./importsScan.js";

/** Characters of a file whose imports are read: more is made by a program, which makes it again. */
const MAX_TEXT = 2_000_000;

/** A relative module specifier in a file. */
export interface ImportPlace extends SpecifierPlace {
  specifier: string;
  /** 1-based. */
  line: number;
}

export interface FoundImports {
  /** In the order of the text. */
  places: ImportPlace[];
  /** false when a part of the text was not understood, or it is too long: there may be more. */
  complete: boolean;
}

/** How files are read that may import others, by extension. */
const READERS: Readonly<Record<string, JsxRule | "markup" | "astro">> = {
  ts: "none",
  mts: "none",
  cts: "none",
  tsx: "tsx",
  // JSX is usual in all of these, and in none of them anything else.
  js: "jsx",
  jsx: "jsx",
  mjs: "jsx",
  cjs: "jsx",
  vue: "markup",
  svelte: "markup",
  astro: "astro",
};

/** Extensions of files that may import others, without the dot. */
export const IMPORTING_EXTENSIONS = Object.keys(READERS);

/** Whether a file is of a kind that imports others. */
export function mayImport(path: string): boolean {
  return readerOf(path) !== undefined;
}

/**
 * The relative module specifiers (`./`, `../`) of a file: of imports, exports, `import()`, `require()`, mocks of test runners
 * and references. In Vue, Svelte and Astro files those of their scripts. Total and linear.
 *
 * @param path tells by its extension how the text is read
 */
export function findImports(path: string, text: string): FoundImports {
  const reader = readerOf(path);
  if (reader === undefined) {
    return { places: [], complete: true };
  }
  if (text.length > MAX_TEXT) {
    return { places: [], complete: false };
  }
  const parts = reader === "markup" || reader === "astro" ? scriptsOf(text, reader === "astro") : [{ start: 0, end: text.length }];
  const jsx = reader === "markup" || reader === "astro" ? "none" : reader;
  const scanned = parts.map(({ start, end }) => scanImports(text, jsx, start, end));
  return {
    places: withLines(text, scanned.flatMap(({ places }) => places)),
    complete: scanned.every(({ complete }) => complete),
  };
}

/** The text with other specifiers at some places, all else byte for byte as it was. */
export function rewriteImports(text: string, changes: readonly { place: SpecifierPlace; specifier: string }[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { place, specifier } of [...changes].sort((a, b) => a.place.start - b.place.start)) {
    parts.push(text.slice(done, place.start), specifier);
    done = place.end;
  }
  return parts.join("") + text.slice(done);
}

function readerOf(path: string): (typeof READERS)[string] | undefined {
  const extension = /\.([a-z]+)$/.exec(path)?.[1] ?? "";
  return Object.hasOwn(READERS, extension) ? READERS[extension] : undefined;
}

function withLines(text: string, places: readonly SpecifierPlace[]): ImportPlace[] {
  const found: ImportPlace[] = [];
  let line = 1;
  let at = 0;
  for (const place of places) {
    for (; at < place.start; at++) {
      line += text[at] === "\n" || (text[at] === "\r" && text[at + 1] !== "\n") ? 1 : 0;
    }
    const specifier = text.slice(place.start, place.end);
    if (/^\.\.?(\/|$)/.test(specifier) || (place.isReference && /^[^/\\:]+(\/|$)/.test(specifier))) {
      found.push({ ...place, specifier, line });
    }
  }
  return found;
}

/** The scripts of a file of markup, and the code above an Astro file's. */
function scriptsOf(text: string, isAstro: boolean): { start: number; end: number }[] {
  const parts: { start: number; end: number }[] = [];
  let at = 0;
  const fence = isAstro ? /^\s*---[ \t]*\r?\n/.exec(text)?.[0].length : undefined;
  if (fence !== undefined) {
    const end = text.slice(fence).search(/^---[ \t]*$/m);
    if (end >= 0) {
      parts.push({ start: fence, end: fence + end });
      at = fence + end + 3;
    }
  }
  const opening = /<!--|<script(?=[\s>])/gi;
  const closing = /<\/script/gi;
  for (;;) {
    opening.lastIndex = at;
    const found = opening.exec(text);
    if (found === null) {
      return parts;
    }
    if (found[0] === "<!--") {
      const end = text.indexOf("-->", opening.lastIndex);
      at = end < 0 ? text.length : end + 3;
      continue;
    }
    const start = tagEnd(text, opening.lastIndex);
    closing.lastIndex = start;
    const end = closing.exec(text)?.index ?? text.length;
    if (end < text.length) {
      parts.push({ start, end });
    }
    at = end;
  }
}

/** Behind the `>` of a tag; one in a quoted attribute ends nothing (Vue's `generic="T extends A<B>"`). */
function tagEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const character = text[at] ?? "";
    if (character === ">") {
      return at + 1;
    }
    if (character === '"' || character === "'") {
      const end = text.indexOf(character, at + 1);
      at = end < 0 ? text.length : end;
    }
  }
  return text.length;
}
