import type { CodePosition, CodeRange } from "../../ports/code.js";

/** Whether a place is within a range, its end included. */
export function contains({ start, end }: CodeRange, place: CodePosition): boolean {
  return !isBefore(place, start) && !isBefore(end, place);
}

export function isBefore(one: CodePosition, other: CodePosition): boolean {
  return one.line < other.line || (one.line === other.line && one.column < other.column);
}
