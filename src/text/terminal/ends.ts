import { cutHead, cutTail, markerOf } from "../headTail.js";

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
 * Head and tail of a text, with a line between them that says what is not there. `headTail` for a text whose middle is
 * gone and which is asked for in several sizes: it cuts as `headTail` does.
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
    lines: ends.lineEnds - countLineEnds(head) - countLineEnds(tail) + (cutInside ? 1 : 0),
  };
  if (max < MARKER_ROOM) {
    return { text: "", omitted };
  }
  return { text: `${head}${head === "" || head.endsWith("\n") ? "" : "\n"}${markerOf(omitted)}\n${tail}`, omitted };
}

export function countLineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    count++;
  }
  return count;
}
