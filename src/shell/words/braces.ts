/** Brace expansion of literal words: `{a,b}c` becomes `ac bc`. */

/** Text, and a mask of the same length that shows which characters are quoted (`q`) and which are not (`u`). */
export interface MaskedText {
  text: string;
  mask: string;
}

/** Maximum number of words that one word may become, and of brace pairs in it. */
const MAX_WORDS = 200;
const MAX_GROUPS = 20;

/** Whether a word may be a brace expansion: an unquoted `{` and, after it, an unquoted comma or `..`, and `}`. */
export function hasBraces({ text, mask }: MaskedText): boolean {
  const plain = unquoted(text, mask);
  const open = plain.indexOf("{");
  const separator = open === -1 ? -1 : plain.slice(open).search(/,|\.\./);
  return separator !== -1 && plain.lastIndexOf("}") > open + separator;
}

/**
 * Returns the words that a literal word expands to, in order.
 * @returns undefined for forms not handled here: nested braces, sequences of anything except small numbers
 */
export function expandBraces(word: MaskedText): readonly MaskedText[] | undefined {
  if (!hasBraces(word)) {
    return [word];
  }
  const plain = unquoted(word.text, word.mask);
  const group = /\{([^{}]*)\}/.exec(plain);
  // Braces that do not simply pair up are parsed by rules that are hard to reproduce.
  if (group === null || plain.split("{").length > MAX_GROUPS || !/^[^{}]*(?:\{[^{}]*\}[^{}]*)*$/.test(plain)) {
    return undefined;
  }
  const end = group.index + group[0].length;
  const alternatives = alternativesOf(slice(word, group.index + 1, end - 1), group[1] ?? "");
  const rest = expandBraces(slice(word, end, word.text.length));
  if (alternatives === undefined || rest === undefined || alternatives.length * rest.length > MAX_WORDS) {
    return undefined;
  }
  const head = slice(word, 0, group.index);
  return alternatives.flatMap((alternative) => rest.map((tail) => join(head, alternative, tail)));
}

/** Returns the alternatives in one pair of braces. Without a comma or sequence the braces are ordinary characters. */
function alternativesOf(inside: MaskedText, plain: string): readonly MaskedText[] | undefined {
  if (plain.includes(",")) {
    return splitAtCommas(inside, plain);
  }
  if (plain.includes("..")) {
    return sequence(plain);
  }
  return [join({ text: "{", mask: "q" }, inside, { text: "}", mask: "q" })];
}

function splitAtCommas(inside: MaskedText, plain: string): MaskedText[] {
  const parts: MaskedText[] = [];
  let start = 0;
  for (let at = 0; at <= plain.length; at++) {
    if (at === plain.length || plain.charAt(at) === ",") {
      parts.push(slice(inside, start, at));
      start = at + 1;
    }
  }
  return parts;
}

function sequence(plain: string): MaskedText[] | undefined {
  const ends = /^(0|[1-9]\d{0,3})\.\.(0|[1-9]\d{0,3})$/.exec(plain);
  if (ends === null) {
    return undefined;
  }
  const [from, to] = [Number(ends[1]), Number(ends[2])];
  if (Math.abs(to - from) >= MAX_WORDS) {
    return undefined;
  }
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => String(from + step * index)).map((text) => ({
    text,
    mask: "u".repeat(text.length),
  }));
}

/** Replaces quoted characters with NUL, which no program contains. */
function unquoted(text: string, mask: string): string {
  let plain = "";
  for (let at = 0; at < text.length; at++) {
    plain += mask.charAt(at) === "u" ? text.charAt(at) : "\0";
  }
  return plain;
}

function slice({ text, mask }: MaskedText, start: number, end: number): MaskedText {
  return { text: text.slice(start, end), mask: mask.slice(start, end) };
}

function join(...parts: readonly MaskedText[]): MaskedText {
  return { text: parts.map((part) => part.text).join(""), mask: parts.map((part) => part.mask).join("") };
}
