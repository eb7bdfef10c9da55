import { countLineFeeds, isInsidePair } from "../splitLines.js";
import { count } from "../words.js";

/** Room for the line that says how much was omitted. */
const MARKER_ROOM = 100;

/** What is omitted between head and tail. */
export interface Omitted {
  /** Offset of its first character in the whole text. */
  from: number;
  characters: number;
  lines: number;
}

/** A text of which only the start and the end are available; its lines end in `\n`. */
export interface Ends {
  head: string;
  tail: string;
  /** Length of the whole text, in code units. */
  characters: number;
  /** Line feeds in the whole text. */
  lineEnds: number;
}

/**
 * Joins head and tail of a text, with a line between them that says how much was omitted. Each is cut at a line ending
 * if it has one in the half next to the cut, and never inside a surrogate pair.
 *
 * @param ends both longer than half of `max`, and together not the whole text
 * @param max code units of the result
 */
export function joinEnds(ends: Ends, max: number): { text: string; omitted: Omitted } {
  const room = Math.max(0, Math.floor((max - MARKER_ROOM) / 2));
  const head = cutHead(ends.head.slice(0, room), ends.head.charAt(room));
  const tail = cutTail(ends.tail.slice(-room - 1));
  // If the tail is cut within a line, that line is incomplete, too.
  const cutInside = ends.tail.at(-tail.length - 1) !== "\n";
  const omitted = {
    from: head.length,
    characters: ends.characters - head.length - tail.length,
    lines: ends.lineEnds - countLineFeeds(head) - countLineFeeds(tail) + (cutInside ? 1 : 0),
  };
  if (max < MARKER_ROOM) {
    return { text: "", omitted };
  }
  return { text: `${head}${head === "" || head.endsWith("\n") ? "" : "\n"}${markerOf(omitted)}\n${tail}`, omitted };
}

/**
 * Returns the start of a text up to the last line ending in its second half; without one, all of it except half a
 * surrogate pair.
 *
 * @param next the code unit after it
 */
function cutHead(head: string, next: string): string {
  const end = head.lastIndexOf("\n") + 1;
  if (end > head.length / 2) {
    return head.slice(0, end);
  }
  return isInsidePair(head + next, head.length) ? head.slice(0, -1) : head;
}

/**
 * Returns the end of a text without its first code unit, from the first line start in its first half; without one, all
 * of it except half a surrogate pair.
 */
function cutTail(text: string): string {
  const start = text.indexOf("\n") + 1;
  if (start > 0 && start <= text.length / 2) {
    return text.slice(start);
  }
  return text.slice(isInsidePair(text, 1) ? 2 : 1);
}

/** Returns the line that replaces the omitted part. */
function markerOf({ characters, lines }: Omitted): string {
  return `[… ${count(characters, "character")} in ${count(lines, "line")} omitted …]`;
}
