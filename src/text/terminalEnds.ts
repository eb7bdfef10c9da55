import { isInsidePair } from "./splitLines.js";

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
 * Head and tail of a text, with a line between them that says what is not there. `headTail` for a text whose middle is gone and which is asked
 * for in several sizes: it cuts where `headTail` does.
 *
 * @param ends both longer than half of `max`, and not all of the text between them
 * @param max code units of the result
 */
export function joinEnds(ends: Ends, max: number): { text: string; omitted: { characters: number; lines: number } } {
  const room = Math.floor((max - MARKER_ROOM) / 2);
  const head = room > 0 ? cutHead(ends.head, room) : "";
  const tail = room > 0 ? cutTail(ends.tail, room) : "";
  // The line the tail is cut in lacks something, too.
  const cutInside = ends.tail.at(-tail.length - 1) !== "\n";
  const omitted = { characters: ends.characters - head.length - tail.length, lines: ends.lineEnds - countLineEnds(head) - countLineEnds(tail) + (cutInside ? 1 : 0) };
  if (max < MARKER_ROOM) {
    return { text: "", omitted };
  }
  const count = (amount: number, what: string): string => `${amount} ${what}${amount === 1 ? "" : "s"}`;
  const marker = `[… ${count(omitted.characters, "character")} in ${count(omitted.lines, "line")} left out …]`;
  return { text: `${head}${head === "" || head.endsWith("\n") ? "" : "\n"}${marker}\n${tail}`, omitted };
}

/** Up to the last line end in the second half, else all but half of a pair. */
function cutHead(text: string, room: number): string {
  const end = text.lastIndexOf("\n", room - 1) + 1;
  return text.slice(0, end > room / 2 ? end : isInsidePair(text, room) ? room - 1 : room);
}

/** From the first line start in the first half, else all but half of a pair. */
function cutTail(text: string, room: number): string {
  const from = text.length - room;
  const start = text.indexOf("\n", from - 1) + 1;
  return text.slice(start > 0 && start - from <= (room - 1) / 2 ? start : isInsidePair(text, from) ? from + 1 : from);
}

export function countLineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    count++;
  }
  return count;
}
