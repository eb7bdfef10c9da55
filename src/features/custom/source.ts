// JSON with comments, with the place of each value: people find problems by line and column.
import {
  createScanner,
  findNodeAtLocation,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from "jsonc-parser";

/** Deeper than anyone nests a tool's schema; parsers recurse. */
const MAX_DEPTH = 64;
/** Maximum syntax errors reported for one text: one missing bracket causes many. */
const MAX_ERRORS = 3;

/** A place in a text, both from 1; the column in UTF-16 code units. */
export interface Place {
  line: number;
  column: number;
}

/** A problem with a file of tools, at its place. */
export interface Problem extends Place {
  /** The entry's name, if it has a usable one. */
  tool?: string;
  /** Set if it is in the list of services. */
  list?: "openapi";
  message: string;
  /** Whether nothing is wrong but that the user has not approved it yet. */
  isWaiting?: boolean;
  /** Whether the entry is a tool all the same. */
  isWarning?: boolean;
}

/** A parsed text. */
export interface Source {
  root: Node;
  placeOf(node: Node): Place;
  /** Returns the node at a path below another, or the last one on the way there. */
  at(node: Node, path: readonly (string | number)[]): Node;
}

/** Parses JSON with comments and trailing commas. Never throws: what cannot be parsed is a problem. */
export function parseSource(text: string): { ok: true; source: Source } | { ok: false; problems: Problem[] } {
  const starts = lineStarts(text);
  const place = (offset: number): Place => placeIn(starts, offset);
  const deep = tooDeepAt(text);
  if (deep !== undefined) {
    return {
      ok: false,
      problems: [{ ...place(deep), message: `The file is nested deeper than ${MAX_DEPTH} levels.` }],
    };
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (root === undefined || errors.length > 0) {
    if (text.replace("\uFEFF", "").trim() === "") {
      return { ok: false, problems: [{ line: 1, column: 1, message: "The file is empty." }] };
    }
    const problems = errors.slice(0, MAX_ERRORS).map(({ error, offset }) => ({
      ...place(offset),
      message: `Not valid JSON: ${inWords(printParseErrorCode(error))}.`,
    }));
    return { ok: false, problems };
  }
  return {
    ok: true,
    source: {
      root,
      placeOf: ({ offset }) => place(offset),
      at: (node, path) => {
        for (let length = path.length; length > 0; length--) {
          const found = findNodeAtLocation(node, path.slice(0, length));
          if (found !== undefined) {
            return found;
          }
        }
        return node;
      },
    },
  };
}

/**
 * Returns a node's value. A key such as `__proto__` is one like any other.
 *
 * @param repeated called with each key that an object has a second time
 */
export function valueOf(node: Node, repeated: (key: Node) => void): unknown {
  const { type, children = [] } = node;
  if (type === "array") {
    return children.map((child) => valueOf(child, repeated));
  }
  if (type !== "object") {
    return node.value as unknown;
  }
  const seen = new Set<string>();
  const entries = children.flatMap(({ children: [key, value] = [] }): [string, unknown][] => {
    if (key === undefined || value === undefined) {
      return [];
    }
    const name = String(key.value);
    if (seen.has(name)) {
      repeated(key);
    }
    seen.add(name);
    return [[name, valueOf(value, repeated)]];
  });
  return Object.fromEntries(entries);
}

/** `PropertyNameExpected` as words: `property name expected`. */
function inWords(code: string): string {
  return code.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}

/** Returns where a text is nested too deep; undefined if nowhere. The tokens are read without recursion. */
function tooDeepAt(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token: number = scanner.scan(); token !== END; token = scanner.scan()) {
    if (token === OPEN_BRACE || token === OPEN_BRACKET) {
      depth++;
      if (depth > MAX_DEPTH) {
        return scanner.getTokenOffset();
      }
    } else if (token === CLOSE_BRACE || token === CLOSE_BRACKET) {
      depth--;
    }
  }
  return undefined;
}

/** jsonc-parser's kinds of tokens (`SyntaxKind`, a const enum, which isolated modules cannot import). */
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, END] = [1, 2, 3, 4, 17];

function lineStarts(text: string): number[] {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) {
    starts.push(index + end.length);
  }
  return starts;
}

function placeIn(starts: readonly number[], offset: number): Place {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    [low, high] = (starts[middle] ?? 0) <= offset ? [middle, high] : [low, middle - 1];
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}
