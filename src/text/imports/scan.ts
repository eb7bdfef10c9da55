/** Maximum characters of a file whose imports are read: a longer file is generated, and will be generated again. */
const MAX_TEXT = 2_000_000;
/** Maximum characters of type arguments between a function's name and its parenthesis. */
const MAX_TYPE_ARGUMENTS = 500;

/** Extensions of files that may import others, without the dot. */
export const IMPORTING_EXTENSIONS = ["ts", "mts", "cts", "tsx", "js", "jsx", "mjs", "cjs", "vue", "svelte", "astro"];

/** A relative module specifier in a file, between its quotes. */
export interface ImportPlace {
  start: number;
  end: number;
  specifier: string;
  /** 1-based. */
  line: number;
}

export interface FoundImports {
  /** In the order of the text. */
  places: ImportPlace[];
  /** Whether the text was read; false if it is too long, so that it may contain imports. */
  complete: boolean;
}

const BEFORE = String.raw`(?<![\p{ID_Continue}$#]|(?<!\.\.)\.)`;
const GAP = String.raw`\s*(?:(?:\/\*[^*]{0,200}\*\/|\/\/[^\r\n]{0,200}[\r\n])\s*){0,10}`;
const QUOTED = String.raw`(["'])(?<name>\.\.?(?:\/[^"'\\\r\n]*)?)`;
/** Functions of test runners that name a module by its path. */
const MOCK = String.raw`(?:jest|vi)\s*\.\s*(?:mock|doMock|unmock|doUnmock|dontMock|setMock|requireActual|requireMock|importActual|importMock)\s*`;
const MOCK_WITH_TYPES = new RegExp(`${BEFORE}${MOCK}<[^;]*>$`, "u");
/**
 * Alternatives, of which the first that matches counts: specifiers, then texts in which no specifiers are searched for.
 * Anything never closed is skipped in one step.
 */
const TOKENS = new RegExp(
  [
    String.raw`${BEFORE}(?:import|from)(?![\p{ID_Continue}$])${GAP}${QUOTED}\1`,
    String.raw`(?:${BEFORE}(?:import|require(?:\.resolve)?|${MOCK})\s*|(?<typed>(?<=>)))\(${GAP}${QUOTED.replace("<name>", "<argument>")}\4(?=${GAP}[,)])`,
    String.raw`"(?:[^"\\\r\n]|\\[^])*"?`,
    String.raw`'(?:[^'\\\r\n]|\\[^])*'?`,
    String.raw`(?<=^|[\s;{}(),])\/\/[^\r\n]*`,
    String.raw`(?<=^|[\s;{}(),])\/\*[^]*?(?:\*\/|$)`,
  ].join("|"),
  "dgu",
);
/** Everything that may precede a file's code. */
const HEAD = /^(?:#![^\r\n]*)?(?:\s|\/\/[^\r\n]*|\/\*[^]*?(?:\*\/|$))*/;
const REFERENCE = /^\/\/\/[ \t]*<reference[ \t]+path[ \t]*=[ \t]*(["'])([^"'\r\n/\\:]+(?:\/[^"'\r\n]*)?)\1/dgm;

/** Whether files of this kind can import others. */
export function mayImport(path: string): boolean {
  return IMPORTING_EXTENSIONS.includes(/\.([a-z]+)$/.exec(path)?.[1] ?? "");
}

/**
 * Finds a file's relative module specifiers (`./`, `../`): of imports, exports, `import()`, `require()`, test runner
 * mocks and references. It does not parse the language: it skips comments and strings as far as a single line shows
 * them, but also finds matches in templates and element text. Before rewriting one, check that it resolves to the
 * intended file. Accepts any text; linear time.
 */
export function findImports(path: string, text: string): FoundImports {
  if (!mayImport(path) || text.length > MAX_TEXT) {
    return { places: [], complete: text.length <= MAX_TEXT || !mayImport(path) };
  }
  const head = HEAD.exec(text)?.[0] ?? "";
  const references = [...head.matchAll(REFERENCE)].map(({ indices }) => indices?.[2]);
  const imports = [...text.matchAll(TOKENS)].flatMap(({ index, groups, indices }) => {
    const range = indices?.groups?.["name"] ?? indices?.groups?.["argument"];
    const isImport =
      range !== undefined &&
      (groups?.["typed"] === undefined ||
        MOCK_WITH_TYPES.test(text.slice(Math.max(0, index - MAX_TYPE_ARGUMENTS), index)));
    return isImport ? [range] : [];
  });
  return { places: withLines(text, [...references, ...imports]), complete: true };
}

/** Replaces specifiers at some places and leaves everything else byte for byte as it was. */
export function rewriteImports(
  text: string,
  changes: readonly { place: Pick<ImportPlace, "start" | "end">; specifier: string }[],
): string {
  const parts: string[] = [];
  let done = 0;
  for (const { place, specifier } of [...changes].sort((a, b) => a.place.start - b.place.start)) {
    parts.push(text.slice(done, place.start), specifier);
    done = place.end;
  }
  return parts.join("") + text.slice(done);
}

function withLines(text: string, found: readonly ([number, number] | undefined)[]): ImportPlace[] {
  let line = 1;
  let at = 0;
  return found.flatMap((range) => {
    if (range === undefined) {
      return [];
    }
    const [start, end] = range;
    for (; at < start; at++) {
      line += text[at] === "\n" || (text[at] === "\r" && text[at + 1] !== "\n") ? 1 : 0;
    }
    return [{ start, end, specifier: text.slice(start, end), line }];
  });
}
