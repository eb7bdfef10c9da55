import { mapUnits } from "./fold.js";
import { partsOf } from "./lines.js";

/**
 * Characters that look like one on a keyboard. Each is one UTF-16 code unit and replaces one, so folding keeps every
 * offset. Excluded on purpose: the ellipsis (it replaces three characters), zero-width characters (they replace none),
 * guillemets and the backtick (they do not look alike, or mean something else in code).
 */
export const LOOK_ALIKES: readonly { typed: string; codePoints: readonly number[] }[] = [
  // Low and high quotation marks, modifier apostrophe, prime.
  { typed: "'", codePoints: [0x2018, 0x2019, 0x201a, 0x201b, 0x02bc, 0x2032] },
  { typed: '"', codePoints: [0x201c, 0x201d, 0x201e, 0x201f, 0x2033] },
  // Hyphens, figure, en and em dash, horizontal bar, minus, small and full-width hyphen.
  { typed: "-", codePoints: [0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212, 0xfe58, 0xfe63, 0xff0d] },
  // No-break, en quad to hair space, narrow no-break, mathematical, ideographic.
  {
    typed: " ",
    codePoints: [
      0x00a0, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x202f, 0x205f,
      0x3000,
    ],
  },
];

/**
 * Ranges in which Unicode has characters that are by definition another character: marks, Greek, letters that are also
 * symbols, angle brackets, CJK.
 */
const DOUBLES: readonly [from: number, to: number][] = [
  [0x0340, 0x0387],
  [0x1f71, 0x1fff],
  [0x2126, 0x212b],
  [0x2329, 0x232a],
  [0xf900, 0xfad9],
];

/**
 * Finds characters that become another single character in every normal form, as the Ångström sign becomes Å; only
 * those of one UTF-16 code unit, as above.
 */
function doubles(): [string, string][] {
  return DOUBLES.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, at) => String.fromCharCode(from + at)),
  )
    .map((character): [string, string] => [character, character.normalize("NFC")])
    .filter(([character, same]) => same !== character && same.length === 1);
}

/** No ASCII character is a look-alike, so most texts need no table. */
const NOT_ASCII = /[^\0-\x7f]/;

let anyLookAlike: RegExp | undefined;

/** Whether a text contains a character that only looks like a typed one. */
export function hasLookAlikes(text: string): boolean {
  if (!NOT_ASCII.test(text)) {
    return false;
  }
  anyLookAlike ??= new RegExp(
    `[${typedOf()
      .map(([character]) => character)
      .join("")}]`,
  );
  return anyLookAlike.test(text);
}

/** Replaces look-alikes with the typed characters; every offset stays the same. */
export function foldLookAlikes(text: string): string {
  if (!hasLookAlikes(text)) {
    return text;
  }
  const fold = foldTable();
  return mapUnits(text, (unit) => fold[unit] ?? unit);
}

/** Returns a line without surrounding whitespace, with look-alikes replaced by the typed characters. */
export function looseBody(line: string): string {
  return partsOf(foldLookAlikes(line)).body;
}

/** Takes milliseconds, so it is not done when the file is loaded. */
function typedOf(): [string, string][] {
  const alike = LOOK_ALIKES.flatMap(({ typed, codePoints }) =>
    codePoints.map((point): [string, string] => [String.fromCharCode(point), typed]),
  );
  return [...doubles(), ...alike];
}

let table: Uint16Array | undefined;

/** Returns, for each UTF-16 code unit, the one it is folded to, for loops over every character. */
export function foldTable(): Uint16Array {
  if (!table) {
    table = Uint16Array.from({ length: 0x10000 }, (_, unit) => unit);
    for (const [character, typed] of typedOf()) {
      table[character.charCodeAt(0)] = typed.charCodeAt(0);
    }
  }
  return table;
}
