/** Escapes whose braces belong to them: `\p{L}`, `\x{41}`, `\b{start}`. */
const WITH_BRACES = /^[pPxuUgkoNbB]\{[^{}]*\}/;
/** A repetition. `{,3}` is one for some engines only, so it is left to them. */
const REPETITION = /^\{(\d+(,\d*)?|,\d*)\}/;

/**
 * Returns a regular expression with its brackets that can only be text escaped: `(`, `)` or `[` without its counterpart,
 * a brace that does not begin a repetition, and a backslash at the end. `getPath(` becomes `getPath\(`.
 *
 * @returns undefined if there are none, or if they could also be a group that is not complete, as in `(get|set`
 */
export function bracketsAsText(pattern: string): string | undefined {
  const read = readBrackets(pattern);
  if (read.escape.size === 0 || isDoubtful(pattern, read)) {
    return undefined;
  }
  return Array.from({ length: pattern.length }, (_, at) =>
    read.escape.has(at) ? `\\${pattern[at] ?? ""}` : (pattern[at] ?? ""),
  ).join("");
}

/** Tells a caller what was matched. @param pattern the result of `bracketsAsText` */
export function saysAsText(pattern: string): string {
  return `Read as ${pattern}: brackets that can only be text are taken as text.`;
}

interface Brackets {
  /** Where a bracket is that can only be text. */
  escape: ReadonlySet<number>;
  /** Where a `|` is that no complete group contains. */
  loose: readonly number[];
}

function readBrackets(pattern: string): Brackets {
  const escape = new Set<number>();
  const open: number[] = [];
  const loose: number[] = [];
  // Behind it, no class ends: each search for an end would go through the whole rest.
  const lastEnd = pattern.lastIndexOf("]");
  for (let at = 0; at < pattern.length;) {
    const character = pattern[at] ?? "";
    const end = character === "[" && at > lastEnd ? undefined : endOf(character, pattern, at);
    if (end === undefined) {
      escape.add(at);
    } else if (character === "(") {
      open.push(at);
    } else if (character === ")") {
      const start = open.pop() ?? -1;
      if (start < 0) {
        escape.add(at);
      }
      while (start >= 0 && (loose.at(-1) ?? -1) > start) {
        loose.pop();
      }
    } else if (character === "|") {
      loose.push(at);
    }
    at = end ?? at + 1;
  }
  open.forEach((at) => escape.add(at));
  return { escape, loose };
}

/** Returns where an escape, a class, a repetition or any other character ends; undefined if it is none of these. */
function endOf(character: string, pattern: string, at: number): number | undefined {
  const next = pattern.slice(at + 1, at + 50);
  switch (character) {
    case "\\":
      return next === "" ? undefined : at + 1 + (WITH_BRACES.exec(next)?.[0].length ?? 1);
    case "[":
      return endOfClass(pattern, at);
    case "{": {
      const rest = REPETITION.exec(`{${next}`)?.[0].length;
      return rest === undefined ? undefined : at + rest;
    }
    default:
      return at + 1;
  }
}

/** Returns the index behind a character class; a `]` right at its start belongs to it. */
function endOfClass(pattern: string, start: number): number | undefined {
  const first = start + (pattern[start + 1] === "^" ? 2 : 1);
  for (let at = first; at < pattern.length; at++) {
    if (pattern[at] === "\\") {
      at += 1;
    } else if (pattern[at] === "]" && at > first) {
      return at + 1;
    }
  }
  return undefined;
}

/** Whether a part may be missing: a group's other end, or the rest of `(?…` or of a repeated group. */
function isDoubtful(pattern: string, { escape, loose }: Brackets): boolean {
  return [...escape].some((at) => {
    const character = pattern[at];
    const after = pattern[at + 1];
    if (character === "(" && (after === "|" || after === undefined)) {
      return false;
    }
    return (
      (after !== undefined && character !== "{" && "?*+{".includes(after)) ||
      ((character === "(" || character === "[") && (loose.at(-1) ?? -1) > at) ||
      (character === ")" && (loose[0] ?? at) < at)
    );
  });
}
