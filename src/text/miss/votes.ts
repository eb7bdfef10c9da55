import { foldTable } from "../match/lookAlikes.js";

/** Maximum number of shingles of the old text, spread evenly over it. */
const MAX_SHINGLES = 2048;
/** Maximum number of places of a shingle: a more common one points nowhere. */
const MAX_PLACES = 32;
const MAX_LENGTH = 8;
/** Multiplier of the hash for each character. */
const BASE = 0x01000193;
const MIN_LENGTH = 3;

/** A line of the text where the wanted lines may begin, and the weight of the evidence. */
export interface Vote {
  /** 0-based; negative if the wanted lines would begin before the text. */
  line: number;
  weight: number;
}

/**
 * Finds where in `text` the lines most likely begin: each short piece of them that is rare in the text votes, the rarer
 * the more. One pass with a rolling hash; ignores case, leading whitespace and look-alikes.
 *
 * @returns the best candidates, best first
 */
export function voteForStarts(text: string, lines: readonly string[], most: number): Vote[] {
  const longest = lines.reduce((length, line) => Math.max(length, line.trim().length), 0);
  const length = Math.min(MAX_LENGTH, Math.max(MIN_LENGTH, Math.floor(longest / 4)));
  const shingles = toShingles(lines, length);
  const votes = new Map<number, number>();
  scan(
    text,
    length,
    (hash, place) => {
      const shingle = shingles.get(hash);
      if (shingle && ++shingle.count <= MAX_PLACES) {
        shingle.places.push(place);
      }
    },
    filterOf(shingles),
  );
  for (const { line, places, count } of shingles.values()) {
    // Even a very common shingle can break a tie.
    const weight = count > MAX_PLACES ? 0.001 / count : 1 / count;
    for (const place of places) {
      votes.set(place - line, (votes.get(place - line) ?? 0) + weight);
    }
  }
  const ranked = [...votes].map(([line, weight]) => ({ line, weight }));
  return ranked.sort((one, other) => other.weight - one.weight || one.line - other.line).slice(0, most);
}

interface Shingle {
  line: number;
  places: number[];
  count: number;
}

function toShingles(lines: readonly string[], length: number): Map<number, Shingle> {
  const all: { hash: number; line: number }[] = [];
  const total = lines.reduce((sum, line) => sum + line.length, 0);
  const every = Math.max(1, Math.ceil(total / MAX_SHINGLES));
  // Offset of the next shingle in the next line: they are spread over all lines, whatever their lengths.
  let next = 0;
  for (const [line, content] of lines.entries()) {
    const start = content.length - content.trimStart().length;
    let at = start + next;
    for (; at + length <= content.length; at += every) {
      all.push({ hash: hashAt(content, at, length), line });
    }
    next = Math.max(0, at - Math.max(start, content.length - length + 1));
  }
  const shingles = new Map<number, Shingle>();
  for (const { hash, line } of all) {
    // A shingle that occurs twice in the old text would point to two beginnings.
    shingles.set(hash, shingles.has(hash) ? { line: -1, places: [], count: 0 } : { line, places: [], count: 0 });
  }
  const once = [...shingles].filter(([, { line }]) => line >= 0);
  return new Map(once.length > 0 ? once : all.map(({ hash, line }) => [hash, { line, places: [], count: 0 }]));
}

/** Returns the hash that `scan` computes for the characters from `at` on. */
function hashAt(content: string, at: number, length: number): number {
  const plain = plainUnits();
  let hash = 0;
  for (let index = at; index < at + length; index++) {
    hash = (Math.imul(hash, BASE) + (plain[content.charCodeAt(index)] as number)) | 0;
  }
  return hash;
}

/** Builds a filter of the wanted hashes, so that most characters of a text need no map lookup. */
function filterOf(shingles: ReadonlyMap<number, unknown>): Uint8Array {
  const filter = new Uint8Array(0x10000);
  for (const hash of shingles.keys()) {
    filter[(hash ^ (hash >>> 16)) & 0xffff] = 1;
  }
  return filter;
}

let plainTable: Uint16Array | undefined;

/** Full-width forms of ASCII, and their distance from the ASCII characters. */
const FULL_WIDTH = { from: 0xff01, to: 0xff5e, distance: 0xff01 - 0x21 };
/** Comma and full stop of Chinese and Japanese. */
const IDEOGRAPHIC = new Map([
  [0x3001, 0x2c],
  [0x3002, 0x2e],
]);

/**
 * Returns, for each UTF-16 code unit, the one it is compared as: a look-alike as the typed character, a full-width
 * character as ASCII, uppercase as lowercase.
 */
function plainUnits(): Uint16Array {
  plainTable ??= foldTable().map((unit) => {
    const narrow =
      unit >= FULL_WIDTH.from && unit <= FULL_WIDTH.to ? unit - FULL_WIDTH.distance : (IDEOGRAPHIC.get(unit) ?? unit);
    return narrow >= 0x41 && narrow <= 0x5a ? narrow | 0x20 : narrow;
  });
  return plainTable;
}

/** Visits the hash of every `length` characters within a line, without leading whitespace, with the line's number. */
function scan(text: string, length: number, visit: (hash: number, line: number) => void, filter: Uint8Array): void {
  const plain = plainUnits();
  // The factor of the character that leaves a shingle.
  let leaving = 1;
  for (let count = 0; count < length; count++) {
    leaving = Math.imul(leaving, BASE);
  }
  const size = text.length;
  let hash = 0;
  let inside = 0;
  let line = 0;
  for (let at = 0; at < size; at++) {
    const unit = plain[text.charCodeAt(at)] as number;
    if (unit <= 0x20) {
      if (unit === 0x0a || unit === 0x0d) {
        line += unit === 0x0d && text.charCodeAt(at + 1) === 0x0a ? 0 : 1;
        inside = 0;
        hash = 0;
        continue;
      }
      if (inside === 0 && (unit === 0x20 || unit === 0x09)) {
        continue;
      }
    }
    hash = (Math.imul(hash, BASE) + unit) | 0;
    if (inside >= length) {
      hash = (hash - Math.imul(plain[text.charCodeAt(at - length)] as number, leaving)) | 0;
    }
    inside++;
    if (inside >= length && filter[(hash ^ (hash >>> 16)) & 0xffff] === 1) {
      visit(hash, line);
    }
  }
}
