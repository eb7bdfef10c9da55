import { countLineFeeds, isInsidePair } from "../splitLines.js";
import { count } from "../words.js";

/** Room for the line that says what was left out. */
const MARKER_ROOM = 100;

/** A text of which only the start and the end are at hand; its lines end in `\n`. */
export interface Ends {
  head: string;
  tail: string;
  /** Of the whole text, in code units. */
  characters: number;
  /** Line feeds of the whole text. */
  lineEnds: number;
}

/**
 * Head and tail of a text, with a line between them that says what was left out. Each is cut at the end of a line where
 * it has one in its outer half, and never inside a surrogate pair.
 *
 * @param ends both longer than half of `max`, and not all of the text between them
 * @param max code units of the result
 */
export function joinEnds(ends: Ends, max: number): { text: string; omitted: { characters: number; lines: number } } {
  const room = Math.max(0, Math.floor((max - MARKER_ROOM) / 2));
  const head = cutHead(ends.head.slice(0, room), ends.head.charAt(room));
  const tail = cutTail(ends.tail.slice(-room - 1));
  // The line the tail is cut in lacks something, too.
  const cutInside = ends.tail.at(-tail.length - 1) !== "\n";
  const omitted = {
    characters: ends.characters - head.length - tail.length,
    lines: ends.lineEnds - countLineFeeds(head) - countLineFeeds(tail) + (cutInside ? 1 : 0),
  };
  if (max < MARKER_ROOM) {
    return { text: "", omitted };
  }
  return { text: `${head}${head === "" || head.endsWith("\n") ? "" : "\n"}${markerOf(omitted)}\n${tail}`, omitted };
}

/**
 * The start of a text up to the last line ending in its second half, else all of it but a half of a pair.
 *
 * @param next the code unit behind it
 */
function cutHead(head: string, next: string): string {
  const end = head.lastIndexOf("\n") + 1;
  if (end > head.length / 2) {
    return head.slice(0, end);
  }
  return isInsidePair(head + next, head.length) ? head.slice(0, -1) : head;
}

/**
 * The end of a text behind its first code unit: from the first line start in its first half, else all but a half of a
 * pair.
 */
function cutTail(text: string): string {
  const start = text.indexOf("\n") + 1;
  if (start > 0 && start <= text.length / 2) {
    return text.slice(start);
  }
  return text.slice(isInsidePair(text, 1) ? 2 : 1);
}

/** The line that stands for what was left out. */
function markerOf({ characters, lines }: { characters: number; lines: number }): string {
  return `[… ${count(characters, "character")} in ${count(lines, "line")} left out …]`;
}
