// Lists name parts by all that a turn did to a file. An undo may be of less: of what was not undone yet, or is certainly
// the agent's.
import type { LineRange } from "../../../text/diff/hunks.js";
import type { LineHunk } from "../../../text/diff/lineHunks.js";
import { sameRef } from "./images.js";
import { comparedParts } from "./parts.js";
import type { Image, ImageRef } from "./types.js";

/** What changes did to a file, or some of them. */
export interface Composed {
  changes: readonly number[];
  before: ImageRef | undefined;
  after: ImageRef | undefined;
}

/**
 * Returns the keys of the parts that are, among `effects`, what a key names in `listed`: none where these leave its lines
 * alone.
 *
 * @returns undefined if the two cannot be told apart from other parts, or there is no such part any more
 */
export function keysAmong(
  key: string,
  listed: Composed,
  effects: readonly Composed[],
  imageOf: (ref: ImageRef) => Image | undefined,
): string[] | undefined {
  const own = effects.filter(({ changes }) => changes.some((change) => listed.changes.includes(change)));
  const found = own.map((effect) => keysIn(key, listed, effect, imageOf));
  return found.every((keys) => keys !== undefined) ? found.flat() : undefined;
}

function keysIn(
  key: string,
  listed: Composed,
  effect: Composed,
  imageOf: (ref: ImageRef) => Image | undefined,
): string[] | undefined {
  const [isSameBefore, isSameAfter] = [sameRef(listed.before, effect.before), sameRef(listed.after, effect.after)];
  if (isSameBefore && isSameAfter && listed.changes[0] === effect.changes[0]) {
    return [key];
  }
  const [all, some] = [comparedParts(listed, imageOf), comparedParts(effect, imageOf)];
  const part = all?.hunks.find((hunk) => hunk.key === key);
  if (part === undefined || some === undefined || !(isSameBefore || isSameAfter)) {
    // Nobody can say which lines are the same.
    return undefined;
  }
  const linesOf = (hunk: LineHunk): LineRange =>
    isSameAfter ? { start: hunk.newStart, end: hunk.newEnd } : { start: hunk.start, end: hunk.end };
  const { start, end } = linesOf(part);
  const near = some.hunks.filter((hunk) => linesOf(hunk).start <= end && linesOf(hunk).end >= start);
  return near.every((hunk) => linesOf(hunk).start === start && linesOf(hunk).end === end)
    ? near.map((hunk) => hunk.key)
    : undefined;
}
