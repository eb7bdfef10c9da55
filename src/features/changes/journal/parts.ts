// Parts of a change: the hunks in which a file's text differs before and after it. Each can be kept or undone alone.
import { compare as compareTexts, withoutHunks, type Compared } from "../../../text/diff/hunks.js";
import type { LineHunk } from "../../../text/diff/lineHunks.js";
import type { Image, ImageRef } from "./types.js";

/** What becomes of parts of changes in an undo, by their keys. */
export interface PartsOfUndo {
  /** Only these are taken back; the changes count as made. */
  only?: readonly string[];
  /** These stay. */
  kept?: readonly string[];
  /** These were taken back before. */
  undone?: readonly string[];
}

/** One hunk of a change, and its name in lists of what was kept or undone. */
export interface Part extends LineHunk {
  key: string;
}

/** The text of a file before and after changes, and its parts. */
export interface ComparedParts extends Compared {
  hunks: readonly Part[];
}

/**
 * Compares the texts of a file before and after changes; undefined if it has no parts: it is new, gone, not text, or
 * another encoding was made of all of it.
 *
 * @param effect its first change, by its id in the journal, and its images
 */
export function comparedParts(
  effect: { changes: readonly number[]; before: ImageRef | undefined; after: ImageRef | undefined },
  imageOf: (ref: ImageRef) => Image | undefined,
): ComparedParts | undefined {
  const { changes, before, after } = effect;
  const [first] = changes;
  if (first === undefined || before === undefined || after === undefined || before.encoding !== after.encoding) {
    return undefined;
  }
  const [old, now] = [imageOf(before), imageOf(after)];
  if (old === undefined || now === undefined || !("text" in old) || !("text" in now)) {
    return undefined;
  }
  const compared = compareTexts(old.text, now.text);
  const hunks = compared.hunks.map((hunk) => ({
    ...hunk,
    key: `${first}:${before.hash.slice(0, 8)}:${hunk.start}-${hunk.end}:${hashOf(compared.after.slice(hunk.newStart, hunk.newEnd))}`,
  }));
  return { ...compared, hunks };
}

/** Returns the id of the first of the changes that a part belongs to. */
export function firstChangeOf(key: string): number {
  return Number(key.split(":", 1)[0]);
}

/**
 * Returns the texts between which an undo goes: what it takes back is the difference.
 *
 * @returns undefined if the change has none of the parts that are named for it, such as when it is another one by now
 */
export function textsOfUndo(
  { only, kept = [], undone = [] }: PartsOfUndo,
  changes: readonly number[],
  compare: () => ComparedParts | undefined,
): { before: string; after: string } | "as is" | undefined {
  const own = (keys: readonly string[]): Set<string> =>
    new Set(keys.filter((key) => changes.includes(firstChangeOf(key))));
  const [ownOnly, ownKept] = [own(only ?? []), own(kept)];
  // What was undone and is there again can be undone again.
  const ownUndone = own(undone.filter((key) => !ownOnly.has(key)));
  const named = [...ownOnly, ...ownKept, ...ownUndone];
  if (named.length === 0) {
    return "as is";
  }
  const compared = compare();
  if (compared === undefined || named.some((key) => !compared.hunks.some((hunk) => hunk.key === key))) {
    return undefined;
  }
  const keyOf = (hunk: LineHunk): string => (hunk as Part).key;
  const goes = only === undefined ? (key: string) => !ownKept.has(key) : (key: string) => ownOnly.has(key);
  return {
    before: withoutHunks(compared, (hunk) => ownUndone.has(keyOf(hunk)) || goes(keyOf(hunk))),
    after: withoutHunks(compared, (hunk) => ownUndone.has(keyOf(hunk))),
  };
}

/** Returns the FNV-1a hash of lines, with their number. */
function hashOf(lines: readonly string[]): string {
  let hash = 0x811c9dc5;
  for (const line of lines) {
    for (let at = 0; at < line.length; at++) {
      hash = Math.imul(hash ^ line.charCodeAt(at), 0x01000193);
    }
  }
  return `${lines.length}.${(hash >>> 0).toString(36)}`;
}
